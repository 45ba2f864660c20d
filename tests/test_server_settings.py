"""Settings from file, environment and flags: what overrules what, and what is refused in which words."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lisboa_ai.cores import usable_cores
from lisboa_ai.server.commands import serve
from lisboa_ai.server.configuration import CONFIG_VARIABLE, SETTINGS, configured
from lisboa_ai.server.settings import Settings, SettingsError


def file(folder: Path, text: str) -> str:
    path = folder / "lisboa.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def print_config(*flags: str, **environment: str) -> Result:
    return CliRunner().invoke(serve, [*flags, "--print-config"], env=dict(environment))


def test_a_flag_overrules_a_variable_a_variable_the_file_and_the_file_the_default(tmp_path: Path) -> None:
    path = file(tmp_path, "port = 1\nqueue = 1\nworkers = 1\n")
    found = configured({"LISBOA_SERVE_PORT": "2", "LISBOA_SERVE_QUEUE": "2"}, {"port": "3"}, path)
    settings = found.settings
    assert (settings.port, settings.queue, settings.workers, settings.burst) == (3, 2, 1, 10)
    assert found.sources == {"port": "flag", "queue": "LISBOA_SERVE_QUEUE", "workers": path}


def test_the_file_is_named_by_a_flag_or_else_by_a_variable(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text("port = 1\n")
    other.write_text("port = 2\n")
    environment = {CONFIG_VARIABLE: str(one)}
    assert configured(environment, {}).settings.port == 1
    assert configured(environment, {}, str(other)).settings.port == 2


def test_every_kind_of_value_can_be_written_in_a_file_and_as_text(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        'host = "127.0.0.2"\nmetrics_port = "none"\nrate = 2\nreflection = true\neditions = ["house"]\n'
        "[limits]\ntime = 30\nthreads = 1\n",
    )
    in_file = configured({}, {}, path).settings
    variables = {
        "LISBOA_SERVE_HOST": "127.0.0.2",
        "LISBOA_SERVE_METRICS_PORT": "none",
        "LISBOA_SERVE_RATE": "2",
        "LISBOA_SERVE_REFLECTION": "Yes",
        "LISBOA_SERVE_EDITIONS": " house, ",
        "LISBOA_SERVE_LIMITS_TIME": "30",
        "LISBOA_SERVE_LIMITS_THREADS": "1",
    }
    assert configured(variables, {}).settings == in_file
    assert (in_file.metrics_port, in_file.rate, in_file.reflection, in_file.editions) == (None, 2.0, True, ("house",))
    assert (in_file.limits.time, in_file.limits.threads) == (30.0, 1)


@pytest.mark.parametrize(
    "text, says",
    [
        ("prot = 1", "lisboa.toml: prot: no such setting; allowed: host, port, "),
        ("[limits]\ntme = 1", "lisboa.toml: limits.tme: no such setting; allowed: limits.time, limits.iterations, "),
        ("[limit]\ntime = 1", "lisboa.toml: limit: no such setting; allowed: host, "),
        ("limits = 3", "lisboa.toml: limits: 3; allowed: a table [limits]"),
        ('port = "50051"', "lisboa.toml: port: '50051'; allowed: a whole number"),
        ("port = true", "lisboa.toml: port: True; allowed: a whole number"),
        ("port = 1.5", "lisboa.toml: port: 1.5; allowed: a whole number"),
        ("queue = true", "lisboa.toml: queue: True; allowed: a whole number, or none"),
        ("reflection = 1", "lisboa.toml: reflection: 1; allowed: true or false"),
        ('editions = "house"', "lisboa.toml: editions: 'house'; allowed: a list of texts"),
        ("port = 70000", "port: 70000; allowed: 0 to 65535"),
        ("[limits]\nmemory = 5", "limits.memory: 5; allowed: 1048576 to "),
        ("default_time = nan", "default_time: nan; allowed: 0.01 to "),
        ("port = ", "lisboa.toml: Invalid value"),
    ],
)
def test_a_file_that_says_something_else_is_refused_in_words(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        configured({}, {}, file(tmp_path, text))
    assert says in str(refused.value)


@pytest.mark.parametrize(
    "variable, text, says",
    [
        (
            "LISBOA_SERVE_PROT",
            "1",
            "LISBOA_SERVE_PROT: no such setting; allowed: LISBOA_SERVE_CONFIG, LISBOA_SERVE_HOST,",
        ),
        ("LISBOA_SERVE_PORT", "x", "LISBOA_SERVE_PORT: 'x'; allowed: a whole number"),
        ("LISBOA_SERVE_QUEUE", "", "LISBOA_SERVE_QUEUE: ''; allowed: a whole number, or none"),
        ("LISBOA_SERVE_REFLECTION", "2", "LISBOA_SERVE_REFLECTION: '2'; allowed: true or false"),
        ("LISBOA_SERVE_EDITIONS", "", "editions: none; allowed: one or more"),
        (
            "LISBOA_SERVE_CONFIG",
            "/no/such/file",
            "config: /no/such/file: No such file or directory; allowed: a TOML file",
        ),
    ],
)
def test_a_variable_that_says_something_else_is_refused_in_words(variable: str, text: str, says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        configured({variable: text}, {})
    assert str(refused.value).startswith(says)


def test_variables_of_other_programs_do_not_matter() -> None:
    assert configured({"LISBOA_PORT": "tcp://10.0.0.1:80", "LISBOA_CHECKED": "1"}, {}).sources == {}


def test_the_printed_settings_say_the_same_when_they_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "printed.toml"
    flags = {
        "limits.time": "12.5",
        "metrics_port": "none",
        "editions": "house",
        "tls.certificate": 'a"b',
        "tls.key": "k",
    }
    first = configured({}, flags)
    path.write_text(first.to_toml(), encoding="utf-8")
    again = configured({}, {}, str(path))
    assert again.settings == first.settings
    assert set(again.sources) == set(SETTINGS)  # every setting is written


def test_serve_prints_its_settings_and_where_they_come_from() -> None:
    printed = print_config("--port", "7", "--no-metrics", "--no-self-test", LISBOA_SERVE_LIMITS_TIME="9")
    assert printed.exit_code == 0
    found = tomllib.loads(printed.output)
    assert (found["port"], found["metrics_port"], found["self_test"]) == (7, "none", False)
    assert found["limits"]["time"] == 9.0
    assert "port = 7  # flag" in printed.output.splitlines()
    assert "time = 9.0  # LISBOA_SERVE_LIMITS_TIME" in printed.output.splitlines()


def test_serve_refuses_settings_in_one_line_with_exit_code_2() -> None:
    refused = print_config("--limits-time", "soon")
    assert refused.exit_code == 2
    assert refused.output == "Error: --limits-time: 'soon'; allowed: a number\n"


def test_every_setting_has_a_flag_that_says_what_it_is_for() -> None:
    shown = CliRunner().invoke(serve, ["--help"], terminal_width=400).output
    for one in SETTINGS.values():
        assert one.flag in shown
        assert one.says in shown


@pytest.mark.parametrize(
    "given, says",
    [
        ({"tls.certificate": "c"}, "tls.key: none; allowed: a file, since tls.certificate is set"),
        ({"tls.key": "k"}, "tls.certificate: none; allowed: a file, since tls.key is set"),
        ({"tls.client_ca": "a"}, "tls.certificate: none; allowed: a file, since tls.client_ca is set"),
        ({"host": "0.0.0.0"}, "host: 0.0.0.0 can be reached from other machines, and nothing is encrypted"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(given: dict[str, str], says: str) -> None:
    with pytest.raises(SettingsError) as refused:
        configured({}, given)
    assert str(refused.value).startswith(says)


def test_a_certificate_is_enough_to_listen_beyond_loopback() -> None:
    given = {"host": "0.0.0.0", "tls.certificate": "c", "tls.key": "k"}
    assert configured({}, given).settings.host == "0.0.0.0"


@pytest.mark.parametrize(
    "quota, cores", [("50000 100000", 1), ("max 100000", None), ("100000000 100000", None), ("", None), ("x y", None)]
)
def test_a_container_has_the_cores_of_its_share(tmp_path: Path, quota: str, cores: int | None) -> None:
    path = tmp_path / "cpu.max"
    path.write_text(quota)
    assert usable_cores(path) == (usable_cores(tmp_path / "none") if cores is None else cores)


def test_the_defaults_are_allowed() -> None:
    assert configured({}, {}).settings == Settings()
