"use strict";
(function () {
  const graph = document.getElementById("graph");
  const reading = document.getElementById("reading");
  const cursor = graph.querySelector(".cursor");
  const names = Array.from(document.querySelectorAll(".legend li"), (item) => item.textContent.trim());
  const points = JSON.parse(graph.dataset.points);
  const last = Number(graph.dataset.last);
  const [left, right] = graph.dataset.area.split(" ").map(Number);
  let at = -1;

  function open(index) {
    const decision = document.getElementById("d" + index);
    if (!decision) return;
    for (let node = decision; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
    decision.parentElement.scrollIntoView({ block: "start" });
    decision.parentElement.querySelector("summary").focus({ preventScroll: true });
  }

  function read(number) {
    at = Math.max(0, Math.min(points.length - 1, number));
    const [index, ...shares] = points[at];
    const x = left + ((right - left) * index) / last;
    cursor.setAttribute("x1", x);
    cursor.setAttribute("x2", x);
    cursor.setAttribute("visibility", "visible");
    const decision = document.getElementById("d" + index);
    const what = decision ? decision.parentElement.querySelector("summary").textContent : "the end";
    reading.textContent = shares.map((share, seat) => names[seat] + " " + share + " %").join(", ") + " – " + what;
  }

  function nearest(event) {
    const box = graph.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * graph.viewBox.baseVal.width;
    const index = ((x - left) / (right - left)) * last;
    let best = 0;
    points.forEach((point, number) => {
      if (Math.abs(point[0] - index) < Math.abs(points[best][0] - index)) best = number;
    });
    return best;
  }

  const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -points.length, End: points.length };
  graph.parentElement.setAttribute(
    "aria-label", "Graph of the win shares: arrow keys read it off, Enter opens the decision");
  graph.addEventListener("pointermove", (event) => read(nearest(event)));
  graph.addEventListener("click", (event) => {
    if (!event.target.closest("a")) { read(nearest(event)); open(points[at][0]); }
  });
  graph.parentElement.addEventListener("keydown", (event) => {
    if (event.target !== graph.parentElement) return;
    if (event.key in step) { read(at + step[event.key]); event.preventDefault(); }
    if (event.key === "Enter" && at >= 0) { open(points[at][0]); event.preventDefault(); }
  });
  function follow() {
    if (/^#d\d+$/.test(location.hash)) open(Number(location.hash.slice(2)));
  }
  window.addEventListener("hashchange", follow);
  follow();
})();
