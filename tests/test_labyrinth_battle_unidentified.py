"""Unidentified encounters: what is kept back, from whom, and how it is opened."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.core.playing import Played
from tabletop_kit.labyrinth_battle import (
    armory,
    attacks,
    encounters,
    escaping,
    rounds,
    setting_up,
    states,
    tactics_check,
    unidentified,
    using,
)
from tabletop_kit.labyrinth_battle.ambush import Represent
from tabletop_kit.labyrinth_battle.checks import Checked, CheckResult
from tabletop_kit.labyrinth_battle.measures import CharacterKind, Side

SERA, ODILE, ILVANE, HUM, ECHO, SNUB = range(6)
HEROES = ("세라", "Odile", "Ilvane")
LAMP = armory.goods["star fragment"]
MOUTH = replace(
    armory.monsters["Hollow Choir"],
    level=4,
    hp_max=18,
    evasion=10,
    items=(armory.weapons["echo"], LAMP),
)


def doorway(
    levels: tuple[int, ...] = (2, 3, 3), **changes: Any
) -> encounters.Encounter:
    heroes = [
        replace(armory.land_makers[name], level=level)
        for name, level in zip(HEROES, levels, strict=True)
    ]
    mouths = [replace(MOUTH, name="The Hum"), replace(MOUTH, name="The Echo")]
    snub = replace(armory.monsters["Cellar Goblin"], name="Snub", evasion=8)
    given = {"unidentified": ("Hollow Choir",), **changes}
    return encounters.Encounter((*heroes, *mouths, snub), (3, 3, 3, 4, 5, 4), **given)


START = states.opening(doorway())
KEEP, OPEN = unidentified.KeepBack(), unidentified.OpenData()


def court_reads(played: Played) -> list[str]:
    """The log as the court reads it."""
    return [
        event.seen_by(state.knower(Side.COURT)).words(state.setup.name_of)
        for event, state in zip(played.events, played.told, strict=True)
    ]


def told_check(played: Played) -> Checked:
    """The first check that was told of."""
    return next(event for event in played.events if isinstance(event, Checked))


def thinks(state: states.State, who: int, target: str, *faces: int) -> Played:
    answers = [unidentified.Recognize(target)]
    return tk.play(rounds.act, state, who, answers=answers, faces=[faces])


def tactics(state: states.State, *faces: int) -> Played:
    answers = [Represent("Ilvane")]
    return tk.play(tactics_check.settle, state, answers=answers, faces=[faces])


def gm_may_keep_back(setup: encounters.Encounter) -> list[str]:
    menu = unidentified.Secrecies(states.opening(setup), "gm")
    return [reason.code for reason in menu.why_not(KEEP)]


@pytest.mark.parametrize(
    ("levels", "before", "refused"),
    [
        ((2, 3, 3), 0, []),
        ((2, 3, 3), 1, []),
        ((2, 3, 3), 2, ["too_often"]),
        ((3, 3, 3), 2, []),
        ((3, 3, 3), 3, ["too_often"]),
        ((0, 0, 2), 0, ["too_often"]),
        ((1, 1, 1), 0, []),
    ],
)
def test_no_more_of_them_than_the_average_level(
    levels: tuple[int, ...], before: int, refused: list[str]
) -> None:
    setup = doorway(levels, unidentified_before=before)
    assert gm_may_keep_back(setup) == refused


def test_everybody_of_the_court_counts_in_the_average() -> None:
    setup = doorway()
    dead = replace(setup.combatants[ODILE], is_dead=True, level=9)
    people = (setup.combatants[SERA], dead, *setup.combatants[ILVANE:])
    assert unidentified.average_level(replace(setup, combatants=people)) == Fraction(
        14, 3
    )


def test_what_is_kept_back_has_been_described() -> None:
    setup = doorway()
    mute = [replace(who, looks="") for who in setup.combatants]
    assert gm_may_keep_back(replace(setup, combatants=tuple(mute))) == ["no_looks"]
    mute[ECHO] = setup.combatants[ECHO]
    assert gm_may_keep_back(replace(setup, combatants=tuple(mute))) == []


def test_the_game_master_decides_and_keeps_back_by_default() -> None:
    menu = unidentified.Secrecies(START, "gm")
    assert [*menu.values()] == [KEEP, OPEN]
    kept = tk.play(unidentified.decide, START, answers=[KEEP])
    assert kept.result == replace(START, is_unidentified=True)
    (told,) = kept.words()
    assert told.startswith("The Hum, The Echo: you see many mouths humming")
    opened = tk.play(unidentified.decide, START, answers=[OPEN])
    assert opened.result.disclosed == ("Hollow Choir",)
    assert opened.events == [unidentified.Opened("Hollow Choir")]
    assert opened.told == [opened.result]


def test_nobody_is_asked_where_nothing_can_be_kept_back() -> None:
    start = states.opening(doorway(unidentified=()))
    assert tk.play(unidentified.decide, start).result == start


def test_the_court_sees_no_number_of_the_hidden_and_all_of_the_others() -> None:
    seen = START.seen_by(Side.COURT)
    for who in (HUM, ECHO):
        sheet = seen.sheet(who)
        assert (sheet.evasion, sheet.level, sheet.valor, sheet.skills) == (0, 0, 0, ())
        assert seen.hp[who] == states.UNSEEN_HP
        assert sheet.looks == MOUTH.looks
    assert seen.sheet(SNUB) == START.sheet(SNUB)
    for who in (SERA, ODILE, ILVANE, SNUB):
        assert seen.items(who) == START.items(who)  # things keep their numbers
    assert seen.lit() == START.lit()  # light is seen, whoever sheds it
    assert [item.name for item in seen.items(HUM)] == ["?"]
    assert START.seen_by("gm") is START and START.seen_by(HUM) is START


def test_LB_EDGE_54_two_sixes_tell_nothing_of_a_hidden_evasion() -> None:
    played = tk.play(attacks.hit, START, ODILE, HUM, faces=[(6, 6)])
    assert played.result == (START, CheckResult.ABSOLUTE_SUCCESS)
    (line,) = court_reads(played)
    assert line.endswith("against ?: absolute success.")


def test_LB_EDGE_64_the_escape_check_is_blind_too() -> None:
    state = START
    for who in (SERA, ODILE, ILVANE):
        state = state.put(who, 1)
    run = [escaping.Escape()]
    hidden = tk.play(rounds.act, state, ODILE, answers=run, faces=[(1, 2)])
    assert any("against ?" in line for line in court_reads(hidden))
    assert not any("10" in line for line in court_reads(hidden))
    known = replace(state, disclosed=("Hollow Choir",))
    openly = tk.play(rounds.act, known, ODILE, answers=run, faces=[(1, 2)])
    assert any("against 10" in line for line in court_reads(openly))


def test_LB_EDGE_68_one_known_and_one_hidden() -> None:
    people = list(doorway().combatants)
    people[HUM] = replace(people[HUM], evasion=9)
    people[ECHO] = replace(people[ECHO], evasion=7, monster_kind="Moth Bishop")
    kinds = ("Hollow Choir", "Moth Bishop")
    setup = replace(doorway(), combatants=tuple(people), unidentified=kinds)
    state = replace(states.opening(setup), disclosed=("Hollow Choir",))
    assert "against ?" in court_reads(tactics(state, 2, 4))[1]
    x = tk.play(attacks.hit, state, ODILE, HUM, faces=[(2, 4)])
    y = tk.play(attacks.hit, state, ODILE, ECHO, faces=[(2, 4)])
    assert "against 9" in court_reads(x)[0] and "against ?" in court_reads(y)[0]


def test_a_tactics_check_is_blind_while_anybody_hidden_is_not_dead() -> None:
    assert unidentified.hidden_enemy(START, ODILE) == HUM
    assert unidentified.hidden_enemy(START.dies(HUM), ODILE) == ECHO
    assert unidentified.hidden_enemy(START.falls(HUM), ODILE) == HUM
    assert unidentified.hidden_enemy(START.put(HUM, 0), ODILE) == ECHO
    both = START.dies(HUM).dies(ECHO)
    assert unidentified.hidden_enemy(both, ODILE) is None
    assert "against 8" in court_reads(tactics(both, 2, 4))[1]
    assert unidentified.hidden_enemy(START, HUM) is None


@pytest.mark.parametrize(
    ("faces", "known"),
    [((4, 3), False), ((4, 4), True), ((1, 1), False), ((6, 6), True)],
)
def test_recognition_is_wit_against_level_and_5(
    faces: tuple[int, int], known: bool
) -> None:
    played = thinks(START, ODILE, "The Echo", *faces)
    assert (played.result.disclosed == ("Hollow Choir",)) is known
    assert played.result.acted == (ODILE,)
    assert told_check(played).difficulty == 9 and told_check(played).score_name == "wit"
    assert "against ?" in court_reads(played)[0]


def test_one_disclosure_opens_the_kind_for_good() -> None:
    state = thinks(START, ODILE, "The Echo", 6, 6).result
    assert not state.is_hidden(HUM) and not state.is_hidden(ECHO)
    assert state.seen_by(Side.COURT) is state
    assert "against 10" in court_reads(tactics(state, 2, 4))[1]
    again = tk.play(unidentified.disclose, state, "Hollow Choir")
    assert again.result is state and again.events == []
    assert tk.play(unidentified.disclose, START, "Cellar Goblin").result is START


def test_a_failed_try_may_be_repeated_in_another_round() -> None:
    failed = thinks(START, ODILE, "The Hum", 1, 2).result
    assert thinks(failed, ILVANE, "The Hum", 6, 6).result.disclosed
    fresh = replace(failed, acted=())
    assert thinks(fresh, ODILE, "The Hum", 6, 6).result.disclosed


def test_who_may_recognize_whom() -> None:
    def refused(state: states.State, who: int, target: str) -> list[str]:
        menu = rounds.Actions(state, who)
        return [one.code for one in menu.why_not(unidentified.Recognize(target))]

    assert refused(START, ODILE, "The Hum") == []
    assert refused(START, ODILE, "Snub") == ["known"]
    assert "no_pc" in refused(START, HUM, "Odile")
    setup = doorway()
    people = list(setup.combatants)
    people[ODILE] = replace(people[ODILE], kind=CharacterKind.NPC)
    hired = states.opening(replace(setup, combatants=tuple(people)))
    assert refused(hired, ODILE, "The Hum") == ["no_pc"]
    openly = replace(START, disclosed=("Hollow Choir",))
    assert refused(openly, ODILE, "The Hum") == ["nothing_hidden", "known"]


@pytest.mark.parametrize(("faces", "known"), [((1, 2), True), ((1, 1), False)])
def test_monster_lore_discloses_too(faces: tuple[int, int], known: bool) -> None:
    answers = [using.UseSkill("monster lore", "The Echo")]
    played = tk.play(rounds.act, START, SERA, answers=answers, faces=[faces])
    assert bool(played.result.disclosed) is known
    told = told_check(played)
    assert told.difficulty == 4 + 3 and "LB-UNI-07" in told.under


def test_latecomers_of_a_hidden_kind_are_hidden() -> None:
    begun = tk.play(setting_up.set_up, START, answers=[KEEP]).result
    late = begun.setup.count
    state = replace(begun, joined=(HUM,)).put(late, 6).with_hp(late, 18)
    assert state.is_hidden(late)
    assert unidentified.of_kind(state, "Hollow Choir") == (HUM, ECHO, late)
    assert not replace(state, disclosed=("Hollow Choir",)).is_hidden(late)
