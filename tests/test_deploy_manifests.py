"""The image and the Kubernetes objects agree with the service and with each other."""

from __future__ import annotations

import json
import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

from lisboa_ai import __version__
from lisboa_ai.server.app import LIVENESS, LONGEST_REFUSING, READINESS
from lisboa_ai.server.configuration import CONFIG_VARIABLE, SETTINGS, configured
from lisboa_ai.server.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
UNITS = {"": 1, "m": Fraction(1, 1000), "Mi": 1 << 20, "Gi": 1 << 30}
OWN_MEMORY = 160 << 20
"""Bytes of a server that searches nothing, with room to spare: measured 65 to 75 MiB (docs/operations.md)."""


def read(name: str) -> Any:
    return yaml.safe_load((KUBERNETES / f"{name}.yaml").read_text(encoding="utf-8"))


def quantity(text: str) -> Fraction:
    number, unit = re.fullmatch(r"([\d.]+)(\w*)", text).groups()  # type: ignore[union-attr]
    return Fraction(number) * UNITS[unit]


@pytest.fixture
def pod() -> Any:
    return read("deployment")["spec"]["template"]


@pytest.fixture
def container(pod: Any) -> Any:
    (only,) = pod["spec"]["containers"]
    return only


@pytest.fixture
def settings(container: Any, tmp_path: Path) -> Settings:
    """What a pod is told: by its file, and by its environment."""
    file = tmp_path / "lisboa.toml"
    file.write_text(read("config")["data"]["lisboa.toml"], encoding="utf-8")
    environment = {one["name"]: one.get("value", "") for one in container["env"]}
    assert environment.pop(CONFIG_VARIABLE) == "/etc/lisboa-ai/config/lisboa.toml"
    (left,) = [one for one in container["env"] if one["name"] in environment]
    assert left["name"] == SETTINGS["workers"].variable
    assert left["valueFrom"]["resourceFieldRef"] == {"containerName": container["name"], "resource": "requests.cpu"}
    cpus = quantity(container["resources"]["requests"]["cpu"])
    return configured({left["name"]: str(cpus)}, {}, str(file)).settings


def test_a_pod_searches_with_as_many_workers_as_it_asks_for_processors(settings: Settings) -> None:
    assert settings.workers == 2


def test_searches_on_all_workers_fit_into_the_memory(settings: Settings, container: Any) -> None:
    """And one more that hands in its answer while its worker has begun the next one."""
    assert settings.workers * settings.limits.memory + settings.default_memory + OWN_MEMORY <= quantity(
        container["resources"]["limits"]["memory"]
    )


def test_a_pod_is_given_time_to_drain(settings: Settings, pod: Any) -> None:
    most = settings.drain_grace + LONGEST_REFUSING + 2 * settings.stop_grace  # answers on their way, then spans
    assert pod["spec"]["terminationGracePeriodSeconds"] >= 2 * most
    period = read("deployment")["spec"]["template"]["spec"]["containers"][0]["readinessProbe"]
    # By the time calls are refused, the probe has noticed that the pod is not ready.
    assert period["periodSeconds"] * period["failureThreshold"] < settings.drain_grace


def test_probes_ask_the_plaintext_health_port_for_names_that_the_service_knows(
    settings: Settings, container: Any
) -> None:
    probes = {name: container[f"{name}Probe"]["grpc"] for name in ("startup", "liveness", "readiness")}
    assert {probe["port"] for probe in probes.values()} == {settings.health_port}
    assert {name: probe["service"] for name, probe in probes.items()} == {
        "startup": LIVENESS,
        "liveness": LIVENESS,
        "readiness": READINESS,
    }


def test_ports_are_those_of_the_settings(settings: Settings, container: Any) -> None:
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert ports == {"grpc": settings.port, "health": settings.health_port, "metrics": settings.metrics_port}
    service = read("service")["spec"]
    assert service["clusterIP"] == "None"
    assert {one["targetPort"]: one["port"] for one in service["ports"]}.items() <= ports.items()
    (rule,) = read("network")["spec"]["ingress"]
    assert {one["port"] for one in rule["ports"]} == set(ports)


def test_files_that_settings_name_are_mounted_as_folders_so_that_changes_arrive(
    settings: Settings, pod: Any, container: Any
) -> None:
    folders = {one["mountPath"]: one for one in container["volumeMounts"]}
    for file in (settings.tokens, settings.tls.certificate, settings.tls.key):
        assert file is not None
        assert "subPath" not in folders[str(Path(file).parent)]
    assert {one["name"] for one in pod["spec"]["volumes"]} == {one["name"] for one in container["volumeMounts"]}
    assert settings.tls.certificate is not None
    assert not settings.allow_plaintext


def test_objects_select_the_pods(pod: Any) -> None:
    labels = pod["metadata"]["labels"]
    assert read("service")["spec"]["selector"] == labels
    for name, key in (("deployment", "selector"), ("disruption", "selector"), ("network", "podSelector")):
        assert read(name)["spec"][key]["matchLabels"] == labels
    target = read("autoscaler")["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", read("deployment")["metadata"]["name"])
    assert pod["spec"]["serviceAccountName"] == read("account")["metadata"]["name"]


def test_pods_are_as_little_allowed_as_possible(pod: Any, container: Any) -> None:
    """The user is the image's."""
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    every = pod["spec"]["securityContext"]
    assert every["runAsNonRoot"] is True
    assert f"USER {every['runAsUser']}:{every['runAsGroup']}" in dockerfile()
    assert pod["spec"]["automountServiceAccountToken"] is False


def test_the_kustomization_lists_every_file_and_this_version() -> None:
    listed = read("kustomization")
    there = {path.name for path in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(listed["resources"]) == there
    assert listed["images"] == [{"name": "lisboa-ai", "newTag": __version__}]


def dockerfile() -> list[str]:
    """The instructions, continued lines joined, comments left out."""
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub("^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", "").splitlines()
    return [" ".join(line.split()) for line in lines if line]


def test_the_image_is_built_in_one_stage_and_runs_in_another_as_nobody_by_the_exec_form() -> None:
    lines = dockerfile()
    last = max(number for number, line in enumerate(lines) if line.startswith("FROM"))
    assert sum(line.startswith("FROM") for line in lines) == 2
    running = lines[last:]
    assert not [line for line in running if line.startswith("RUN")]
    assert re.fullmatch(r"USER [1-9]\d*:[1-9]\d*", next(line for line in running if line.startswith("USER")))
    entry = next(line for line in running if line.startswith("ENTRYPOINT"))
    assert json.loads(entry.removeprefix("ENTRYPOINT ")) == ["lisboa-ai", "serve"]


def test_what_the_image_is_built_from_is_there_and_sent_to_the_builder() -> None:
    copied = {
        name for line in dockerfile() if line.startswith("COPY") and "--from" not in line for name in line.split()[1:-1]
    }
    sent = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert {line[1:] for line in sent if line.startswith("!")} == copied
    assert all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {project["project"]["readme"], *project["project"]["license-files"]}
    assert named <= copied
