"""What can be taken from a sheet, how rules are exchanged, and battles compared."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit.formation import (
    Combatant,
    Encounter,
    Range,
    Variant,
    Weapon,
    armory,
    samples,
    states,
    worth,
)
from tabletop_kit.formation.sheets import Side

BRIDGE, DUEL = samples["footbridge"], samples["duel"]
AKI, BRUTE = 0, 3
FOX = armory.familiars["ember fox"]


def laden() -> Encounter:
    """The footbridge; Aki carries one of everything, and two potions."""
    potion, flask = armory.items["potion"], armory.items["fire flask"]
    aki = replace(
        BRIDGE.combatants[AKI],
        weapon=armory.weapons["twin swords"],
        sub_weapon=armory.BOW,
        abilities=(armory.skills["brace"], armory.spells["spark"]),
        items=(potion, flask, potion),
        familiar=FOX,
    )
    return replace(BRIDGE, combatants=(aki, *BRIDGE.combatants[1:]))


def aki_without(name: str) -> Combatant:
    return worth.without(laden(), "Aki", name).combatants[AKI]


def test_all_that_one_could_do_without() -> None:
    skills = tuple(skill.name for skill in FOX.skills)
    carried = ("potion", "fire flask", "twin swords", "bow")
    assert worth.gear(laden().combatants[AKI]) == ("brace", "spark", *skills, *carried)
    assert worth.gear(BRIDGE.combatants[AKI]) == ()
    great = replace(BRIDGE.combatants[AKI], weapon=armory.GREATSWORD)
    assert worth.gear(great) == ("greatsword",)
    for weapon in (
        Weapon("broom", Range(1), target="row"),
        Weapon("fists", Range(1), attacks=2),
        Weapon("cosh", Range(1), on_critical=armory.DROWSY),
    ):
        armed = replace(BRIDGE.combatants[AKI], weapon=weapon)
        assert worth.gear(armed) == (weapon.name,)


def test_each_thing_is_taken_alone() -> None:
    whole = laden().combatants[AKI]
    for name in worth.gear(whole):
        lacking = aki_without(name)
        left = tuple(one for one in worth.gear(whole) if one != name)
        assert worth.gear(lacking) == left
        assert (
            worth.without(laden(), "Aki", name).combatants[1:] == BRIDGE.combatants[1:]
        )
    assert aki_without("potion").items == (armory.items["fire flask"],)
    assert aki_without("bow").sub_weapon is None
    swords = aki_without("twin swords").weapon
    assert (swords.name, swords.attacks, swords.modifiers) == ("twin swords", 1, ())
    assert swords.range == whole.weapon.range
    assert aki_without("brace").weapon == whole.weapon


def test_what_nobody_has_cannot_be_taken() -> None:
    with pytest.raises(ValueError, match=r"name: expected one of \(\) of Aki, got 'x'"):
        worth.without(BRIDGE, "Aki", "x")
    with pytest.raises(ValueError, match=r"who: expected one of .*'Aki'.*, got 'Bo'"):
        worth.without(BRIDGE, "Bo", "x")
    with pytest.raises(ValueError, match=r"who: expected one of .*, got \['Aki'\]"):
        worth.better(BRIDGE, ["Aki"], hp_max=1)  # type: ignore[arg-type]


def test_better_scores() -> None:
    people = worth.better(BRIDGE, "Brute", attack_power=2, hp_max=-3).combatants
    assert (people[BRUTE].attack_power, people[BRUTE].hp_max) == (9, 11)
    assert people[:BRUTE] == BRIDGE.combatants[:BRUTE]
    with pytest.raises(ValueError, match="luck: expected a score such as"):
        worth.better(BRIDGE, "Brute", luck=1)
    with pytest.raises(ValueError, match="hp_max of Brute: expected a whole number"):
        worth.better(BRIDGE, "Brute", hp_max=-14)


def test_other_house_rules() -> None:
    ways = worth.other_ways()
    assert [rule for rule, _ in ways] == [
        "range_rule",
        "flee_tie",
        "empty_row_rule",
        "empty_row_rule",
        "reorder_each_turn",
        "ambush_mode",
        "late_recovery",
        "row_attack_roll",
    ]
    for rule, value in ways:
        variant = worth.under(BRIDGE, rule, value).variant
        assert variant == replace(Variant(), **{rule: value}) != Variant()
    elsewhere = samples["other_table"].variant
    changed = worth.under(samples["other_table"], "range_rule", "reach").variant
    assert changed == replace(elsewhere, range_rule="reach") != Variant()
    assert worth.usual(samples["long_hall"]).variant == Variant()
    with pytest.raises(
        ValueError, match=r"rule: expected one of \['range_rule', .*'x'"
    ):
        worth.under(BRIDGE, "x", "y")
    with pytest.raises(ValueError, match="range_rule: expected 'reach' or 'band'"):
        worth.under(BRIDGE, "range_rule", "far")


def test_damage_without_a_fall() -> None:
    start = states.opening(BRIDGE)
    found = worth.damage(start.hurt(BRUTE, 13), AKI, BRUTE)  # 1 HP left
    chance = {
        lost: found.chance(lambda one, lost=lost: one == lost).low
        for lost in (0, 5, 13)
    }
    assert {lost: ways * 36 for lost, ways in chance.items()} == {0: 1, 5: 2, 13: 2}
    on_guard = worth.damage(start.defended(BRUTE), AKI, BRUTE)
    assert on_guard.chance(lambda lost: lost == 6).low * 36 == 5  # 12 and 13
    assert max(found.ways) > 2 * 14  # the chain goes on beyond his 14 HP


def test_the_same_seeds_are_the_same_battles() -> None:
    few = worth.fought(DUEL, 5)
    assert worth.fought(DUEL, 5) == few and worth.changed(few, few) == 0
    assert worth.fought(DUEL, 3) == few[:3]
    frame = tk.simulate(DUEL, battles=5, seed=1)
    assert [fight["ending"] for fight in few] == frame["ending"].to_list()
    assert worth.won(few) == [ending == "PCs win" for ending in frame["ending"]]
    other = [*few[:2], *worth.fought(DUEL, 3, seed="else")]
    assert worth.changed(few, other) > 0
    longer = [{**few[0], "units": few[0]["units"] + 1}, *few[1:]]
    assert worth.changed(few, longer) == 1  # the same ending, later
    with pytest.raises(ValueError, match="shorter"):
        worth.changed(few, few[:3])


def test_a_rule_that_nobody_meets_changes_nothing() -> None:
    for rule, value in (
        ("row_attack_roll", "per_target"),
        ("ambush_mode", "act_first"),
    ):
        fights = worth.fought(worth.under(DUEL, rule, value), 10)
        assert worth.changed(worth.fought(DUEL, 10), fights) == 0


def test_rare_rules_are_met_somewhere() -> None:
    for name, rule, value, count, least in (
        ("parley", "flee_tie", "failure", 60, 2),
        ("familiars", "late_recovery", "wait_next_turn", 10, 5),
    ):
        fights = worth.fought(worth.under(samples[name], rule, value), count)
        assert worth.changed(worth.fought(samples[name], count), fights) >= least


@pytest.mark.parametrize("name", samples)
def test_every_sample_can_be_taken_apart(name: str) -> None:
    setup = samples[name]
    for who in setup.members[Side.PC]:
        for thing in worth.gear(setup.combatants[who]):
            lacking = worth.without(setup, setup.names[who], thing)
            assert thing not in worth.gear(lacking.combatants[who])
