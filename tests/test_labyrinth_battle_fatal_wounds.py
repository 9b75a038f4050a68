"""The fatal wound table: each row, what it asks and what it leaves."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest
from msgspec.structs import replace
from wounded_odile import (
    ARMOR,
    BRANNOC,
    CELLAR,
    LAMP,
    NO_GHOST,
    ODILE,
    PAN,
    PIM,
    fate,
    hit,
    met,
    reduced,
    wound,
)

import tabletop_kit as tk
from tabletop_kit.core.policies import first_legal
from tabletop_kit.core.tables import row
from tabletop_kit.labyrinth_battle import (
    bad_statuses,
    checks,
    endings,
    fatal_wounds,
    result_tables,
    wounds,
)
from tabletop_kit.labyrinth_battle.battlefields import Doom
from tabletop_kit.labyrinth_battle.measures import BadStatus


def test_each_row_of_the_table() -> None:
    assert fate(wound(2, NO_GHOST)) == "dead"
    assert wound(4).dooms == (Doom(ODILE, "battle_end"),)
    assert wound(5).dooms == (Doom(ODILE, "quarter_end"),)
    assert wound(6, (4,)).dooms == (Doom(ODILE, "quarters", 4),)
    for total in (4, 5):
        assert fate(wound(total)) == "down"
    assert wound(7).dooms == () and fate(wound(7)) == "down"


@pytest.mark.parametrize(
    ("damage", "dice", "left"),
    [
        (5, (3, 4), "down"),
        (5, (3, 3), "dead"),
        (3, (1, 4), "down"),
        (3, (2, 2), "dead"),
    ],
)
def test_row_3_is_a_search_against_the_damage(
    damage: int, dice: tuple[int, int], left: str
) -> None:
    ghost = [NO_GHOST] if left == "dead" else []
    assert fate(wound(3, dice, *ghost, damage=damage, search=3)) == left


@pytest.mark.parametrize(("total", "score"), [(10, "search"), (11, "valor")])
def test_rows_10_and_11_are_checks_against_what_is_missing(
    total: int, score: Literal["search", "valor"]
) -> None:
    scores = {"search": 0, "valor": 0, score: 3}
    assert wound(total, (4, 4), **scores).hp[ODILE] == 1  # 11 of 9 + 2
    assert wound(total, (4, 3), **scores).hp[ODILE] == -2
    assert wound(total, (3, 3), damage=3, **scores).hp[ODILE] == 1  # 9 of 9
    assert fate(wound(total, (6, 6), search=0, valor=0)) == "up"
    other = {"search": 3, "valor": 3, score: 0}
    assert fate(wound(total, (4, 4), **other)) == "down"


def test_row_8_breaks_one_thing_of_those_that_can_break() -> None:
    carried = (PAN, *ARMOR, LAMP)
    first = wound(8, (1,), damage=6, items=carried)
    second = wound(8, (2,), damage=6, items=carried)
    assert [item.name for item in first.items(ODILE)] == ["armor", "lamp"]
    assert [item.name for item in second.items(ODILE)] == ["pan", "armor"]
    assert first.hp[ODILE] == 3  # 5 of 6 were taken, and 5 given back
    assert fate(wound(8, damage=6, items=ARMOR)) == "down"
    assert fate(wound(8, items=())) == "down"
    assert wound(8, items=(PAN,)).items(ODILE) == ()  # a single one needs no throw


def test_LB_EDGE_44_one_follower_is_enough() -> None:
    saved = wound(9, (4, 4), followers=1)
    assert saved.followers[ODILE] == 0 and saved.hp[ODILE] == 3
    assert fate(wound(9, followers=0)) == "down"
    assert wound(9, (4, 4), followers=9).followers[ODILE] == 1


def test_LB_EDGE_45_a_reduction_gives_nothing_back() -> None:
    hungry = reduced(met(1), ODILE, 1, (6, 6), (2,)).result
    assert hungry.hp[ODILE] == 0 and fate(hungry) == "down"
    assert hungry.has(ODILE, BadStatus.DISTRACTION)
    broken = reduced(met(1, items=(PAN,)), ODILE, 1, (4, 4)).result
    assert fate(broken) == "down" and broken.items(ODILE) == ()
    nobody = reduced(met(1, followers=3), ODILE, 1, (4, 5), (1, 1)).result
    assert fate(nobody) == "down" and nobody.followers[ODILE] == 1


def test_row_3_after_a_reduction_is_a_search_of_5() -> None:
    assert fate(reduced(met(2, search=0), ODILE, 2, (1, 2), (2, 3)).result) == "down"
    asked = reduced(met(2, search=0), ODILE, 2, (1, 2), (2, 2), NO_GHOST)
    assert fate(asked.result) == "dead"


@pytest.mark.parametrize(("face", "status"), [*enumerate(BadStatus, 1)])
def test_row_12_is_one_of_six_bad_statuses(face: int, status: BadStatus) -> None:
    ailing = wound(12, (face,))
    assert ailing.hp[ODILE] == 3 and ailing.has(ODILE, status)
    assert fate(ailing) == "up"


def test_row_12_may_put_to_sleep_and_sleep_may_be_shaken_off() -> None:
    tired = replace(met(), slept=(ODILE,))
    answers = [(6, 6), (5,), bad_statuses.ShakeOff(), (2,)]
    awake = hit(tired, ODILE, 5, *answers).result
    assert awake.hp[ODILE] == 1 and not awake.is_asleep(ODILE)
    answers = [(6, 6), (5,), bad_statuses.ShakeOff(), (4,), (3, 4)]
    fallen = hit(tired, ODILE, 5, *answers)  # at -1 there is a wound of its own
    assert fallen.result.hp[ODILE] == -1 and fate(fallen.result) == "down"


def test_LB_EDGE_56_damage_wakes_though_it_is_cancelled() -> None:
    dozing = met(items=(PAN,)).gains(ODILE, BadStatus.SLEEP).done(ODILE)
    awake = hit(dozing, ODILE, 5, (4, 4)).result
    assert awake.hp[ODILE] == 3 and not awake.is_asleep(ODILE)
    assert ODILE in awake.acted


def test_LB_EDGE_67_the_last_one_is_doomed_as_the_battle_ends() -> None:
    alone = met().dies(PIM).with_hp(BRANNOC, -1).falls(BRANNOC)
    alone = alone.doomed(Doom(BRANNOC, "battle_end"))
    last = hit(alone, ODILE, 5, (2, 2)).result
    assert endings.is_decided(last) and fate(last) == "down"
    over = tk.play(endings.close, last, answers=[NO_GHOST, NO_GHOST]).result
    assert {ODILE, BRANNOC} <= {*over.dead} and over.dooms == ()


def test_the_curse_and_distraction_count_in_the_checks_of_the_table() -> None:
    cursed = met(search=9).gains(ODILE, BadStatus.CURSE)
    assert fate(hit(cursed, ODILE, 5, (5, 5), (1, 2)).result) == "down"
    assert fate(hit(met(search=9), ODILE, 5, (5, 5), (1, 2)).result) == "up"
    absent = met().gains(ODILE, BadStatus.DISTRACTION)
    cured = hit(absent, ODILE, 5, (5, 5), (1, 1))
    assert not cured.result.has(ODILE, BadStatus.DISTRACTION)
    assert checks.Attentive(ODILE) in cured.events
    for dice in ((6, 6), (1, 1), (4, 4), (2, 1)):
        played = hit(absent, ODILE, 5, (5, 5), dice)
        attentive = checks.Attentive(ODILE) in played.events
        assert attentive == (sum(dice) in (2, 12))
        assert played.result.has(ODILE, BadStatus.DISTRACTION) != attentive


def test_a_group_may_have_another_table() -> None:
    rows = (
        row("2–6", "nothing", words="Hm."),
        row("7–8", "search_to_hp", base=12, hp=4, words="Luck."),
        row("9–12", "followers_save", dice=1, words="Help!"),
    )
    tables = result_tables.STANDARD.with_rows("fatal_wound", rows)
    other = met(where=replace(CELLAR, tables=tables), search=3, followers=5)
    assert fate(hit(other, ODILE, 5, (1, 1)).result) == "down"
    assert hit(other, ODILE, 5, (3, 4), (5, 6)).result.hp[ODILE] == 4  # 14 of 12 + 2
    assert fate(hit(other, ODILE, 5, (3, 4), (5, 5)).result) == "down"
    assert hit(other, ODILE, 5, (6, 6), (4,)).result.followers[ODILE] == 1
    assert {*fatal_wounds.SUFFERED} == {e.id for e in result_tables.FATAL_WOUND_EFFECTS}


def test_what_is_told_of_a_fatal_wound() -> None:
    played = hit(met(search=3), ODILE, 5, (5, 5), (4, 4))
    told = played.words()
    assert told[0] == "Odile takes 5 damage."
    assert told[1].startswith("Odile, fatal wound 10: ")
    assert told[2:] == [
        "Odile checks search 3 against 11: success.",
        "Odile is at 1 HP.",
    ]
    doom = hit(met(), ODILE, 5, (3, 3), (1,)).words()
    assert doom[-2:] == [
        "Odile is incapacitated.",
        "Odile dies after 1 quarter unless healed before.",
    ]
    assert all(state.setup is not None for state in played.told)
    assert played.told[-1] == played.result


def test_the_odds_of_the_table_are_exact() -> None:
    blow = (wounds.take_damage, met(search=3, valor=3, items=(), followers=0), ODILE)
    ends = tk.outcomes(*blow, 5, policy=first_legal)
    dead = Fraction(1, 36) + Fraction(2, 36) * Fraction(15, 36)
    assert ends.chance(lambda state: fate(state) == "dead") == dead
    doomed = Fraction(3 + 4 + 5, 36)
    assert ends.chance(lambda state: bool(state.dooms)) == doomed
    up = Fraction(3 + 2, 36) * Fraction(15, 36) + Fraction(1, 36)
    assert ends.chance(lambda state: fate(state) == "up") == up


def test_followers_beyond_what_there_are_make_no_more_outcomes() -> None:
    case = fatal_wounds.Case(5, -2, followers=3)
    table = CELLAR.tables.fatal_wound_table
    ends = tk.outcomes(fatal_wounds.fatal_wound, table, case)
    lost = {one.number for one in ends.ways if one.row.effect == "followers_save"}
    assert lost == {2, 3}
