"""HTML made of nested calls; what is not itself made so is escaped.

>>> print(element("td", "<b>", class_="name"))
<td class="name">&lt;b&gt;</td>
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final

__all__ = ["Html", "element", "join"]

VOID: Final = frozenset({"br", "col", "line", "meta", "path", "polyline", "rect"})
"""Elements without an end tag; those of SVG close themselves."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """One element. Children are HTML or text, None is left out. In attributes ``class_`` is ``class``, ``_`` is ``-``.

    An attribute that is True stands alone, one that is None or False is left out.
    """
    said = "".join(
        f" {_attribute(key)}" if value is True else f' {_attribute(key)}="{html.escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in VOID:
        return Html(f"<{name}{said}/>")
    return Html(f"<{name}{said}>{join(children)}</{name}>")


def join(children: Iterable[object], between: str = "") -> Html:
    """Several pieces one after the other."""
    return Html(between.join(_text(child) for child in children if child is not None))


def _text(child: object) -> str:
    return child if isinstance(child, Html) else html.escape(str(child), quote=False)


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
