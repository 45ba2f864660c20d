"""The table of where the time goes: callgrind's file read, and its instructions put into groups."""

from __future__ import annotations

import pytest

from bench.profile import Profile, engine_groups, overhead, plain_name, read, search_groups

FILE = """\
# callgrind format
events: Ir

fn=__pyx_f_10engine_ext_6agenda_step
0 10
cfn=__pyx_f_10engine_ext_6agenda_legal_actions
calls=3 0
0 90

fn=__pyx_f_10engine_ext_6agenda_legal_actions
0 40
cfn=__pyx_f_10engine_ext_6agenda_can_meet
calls=1 0
0 50

fn=__pyx_f_10engine_ext_6agenda_can_meet
0 20
cfn=__pyx_f_10engine_ext_6agenda_can_meet'2
calls=2 0
0 30

fn=__pyx_f_10engine_ext_6agenda_can_meet'2
0 25
1 5
totals: 100
"""


@pytest.mark.parametrize(
    "symbol, name",
    [
        ("__pyx_f_10engine_ext_5rules_5court_can_visit.part.0", "rules.court.can_visit"),
        ("__pyx_f_10engine_ext_6agenda_can_meet'2", "agenda.can_meet'2"),
        ("__pyx_pf_10engine_ext_5bench_play_games.constprop.0", "bench.play_games"),
        ("__pyx_f_10engine_ext_6search_6forest_walk.isra.0", "search.forest.walk"),
        ("log", "log"),
    ],
)
def test_symbols_of_the_compiler_are_told_as_modules_and_functions(symbol: str, name: str) -> None:
    assert plain_name(symbol) == name


def test_own_instructions_and_those_of_calls_are_kept_apart() -> None:
    profile = read(FILE.splitlines(keepends=True))
    assert profile.total == 100
    assert profile.own["agenda.can_meet'2"] == 30
    assert profile.within("agenda.legal_actions") == 90


def test_a_function_that_calls_itself_is_counted_once() -> None:
    assert read(FILE.splitlines()).within("agenda.can_meet") == 50


def test_calls_can_be_counted_by_who_calls() -> None:
    profile = Profile()
    profile.calls["a", "c"] += 3
    profile.calls["b", "c"] += 4
    assert profile.within("c") == 7
    assert profile.within("c", callers=["b"]) == 4
    assert profile.within("b", "c") == 3  # b's own calls of c are within b


def test_the_engine_s_groups_add_up_to_its_steps() -> None:
    profile = read(FILE.splitlines())
    profile.calls["search.policy.play_out", "agenda.step"] = 130
    profile.own["rules.turn.play_card"] = 30  # carried out by step
    assert engine_groups(profile) == {
        "legal actions: rules": 0,
        "legal actions: search for dead ends": 50,
        "carrying out": 30,
        "stack of decisions": 50,
    }


def test_an_iteration_s_groups_add_up_and_sampling_and_tree_are_set_against_the_rest() -> None:
    profile = Profile()
    profile.own.update(
        {
            "search.ismcts.iterate": 5,
            "search.selection.select_edge": 7,
            "knowledge.sample_world": 8,
            "agenda.step": 60,
            "search.policy.play_out": 2,
            "search.policy.choose": 8,
            "search.value.estimate": 10,
        }
    )
    profile.calls.update(
        {
            ("search.ismcts.iterate", "knowledge.sample_world"): 8,
            ("search.ismcts.iterate", "agenda.step"): 10,
            ("search.ismcts.iterate", "search.backup.play"): 70,
            ("search.backup.play", "search.policy.play_out"): 60,
            ("search.backup.play", "search.value.estimate"): 10,
            ("search.policy.play_out", "agenda.step"): 50,
            ("search.policy.play_out", "search.policy.choose"): 8,
        }
    )
    groups = search_groups(profile)
    assert groups == {
        "sampling a world": 8,
        "tree: rules": 10,
        "tree: choice, nodes, statistics": 12,
        "playouts: rules": 50,
        "playouts: policy": 10,
        "result of finished games": 0,
        "value function": 10,
    }
    assert overhead(groups) == pytest.approx(30 / 70)
