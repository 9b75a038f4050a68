"""Formation Battle: data that would do nothing is refused, and told how it is meant."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core import sheet_values
from tabletop_kit.core.menus import Menu
from tabletop_kit.formation import (
    Ability,
    Ailment,
    Amount,
    Buff,
    Combatant,
    Cure,
    Damage,
    Element,
    Encounter,
    Escape,
    Heal,
    Imbue,
    Item,
    Range,
    Refresh,
    Regeneration,
    Revive,
    Side,
    Slot,
    Target,
    Timing,
    Use,
    Weapon,
    states,
    turns,
)

CLAW = Weapon("claw", Range(1))
ANN = Combatant("Ann", Side.PC, CLAW, 10, 5, 2, 2, 5, 5)
BEN = Combatant("Ben", Side.ENEMY, CLAW, 10, 5, 2, 2, 4, 4)
PAIR = Encounter((ANN, BEN), (Slot.PC_FRONT, Slot.ENEMY_FRONT))
HIDE = Ability(
    name="hide",
    timing=Timing.ALWAYS,
    target=Target.SELF,
    effects=(Buff("agility", 2), Regeneration(1)),
)
MEND = Ability(name="mend", target=Target.ALLY, value=Amount(), effects=(Heal(),))
SPARK = Ability(
    name="spark", element=Element.FIRE, damage=Damage.NORMAL, value=Amount(dice="2D6")
)


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as found:
        make()
    return str(found.value)


# ---- what is always in force -------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "expected", "got"),
    [
        ("target", Target.ALLIES, "Target.SELF", "Target.ALLIES"),
        ("range", Range(2), "None", "Range(max=2, min=None)"),
        ("element", Element.FIRE, "None", "Element.FIRE"),
        ("mp_cost", 3, "0", "3"),
        ("usable_when_unable", True, "False", "True"),
        ("allowed_in_battle", False, "True", "False"),
    ],
)
def test_FM_TIME_09_nothing_that_is_ignored(
    field: str, value: object, expected: str, got: str
) -> None:
    assert refused(lambda: replace(HIDE, **{field: value})) == (
        f"{field} of hide: expected {expected} of an ability that is always in force, "
        f"got {got}"
    )


def test_FM_TIME_09_no_damage_and_no_value() -> None:
    said = refused(lambda: replace(SPARK, timing=Timing.ALWAYS))
    assert said == (
        "damage of spark: expected Damage.NONE of an ability that is always in force, "
        "got Damage.NORMAL"
    )
    said = refused(lambda: replace(HIDE, value=Amount(constant=2)))
    assert said.startswith("value of hide: expected None without damage")
    said = refused(lambda: replace(MEND, target=Target.SELF, timing=Timing.ALWAYS))
    assert said.startswith("value of mend: expected None of an ability that is always")


@pytest.mark.parametrize(
    "effect",
    [Buff("agility", 2, 0), Buff("agility", 2, 3), Regeneration(1, 2), Escape()],
)
def test_FM_TIME_09_nothing_that_ends(effect: Any) -> None:
    said = refused(lambda: replace(HIDE, effects=(Regeneration(1), effect)))
    assert said == (
        "effects of hide: expected Buff or Regeneration with turns=None of an ability "
        f"that is always in force, got {effect}"
    )


# ---- what nothing uses -------------------------------------------------------------


def test_a_value_that_nothing_uses() -> None:
    drum = Ability(name="drum", target=Target.SELF, effects=(Buff("agility", 1),))
    assert refused(lambda: replace(drum, value=Amount(("agility",), 2))) == (
        "value of drum: expected None without damage, Heal, Refresh or Revive, "
        "got agility + 2"
    )
    for effect in (Heal(), Refresh(), Revive()):
        assert replace(MEND, effects=(effect,)).value == Amount()


@pytest.mark.parametrize("turns", [-1, 100, 1.5, "3", True])
def test_a_duration_is_of_99_turns_at_most(turns: Any) -> None:
    for lasting in (
        lambda: Buff("agility", 1, turns),
        lambda: Regeneration(1, turns),
        lambda: Imbue(Element.FIRE, turns),
    ):
        assert "turns of a" in (said := refused(lasting)) and "0 to 99" in said
    assert Buff("agility", 1, 99).turns == 99 and Buff("agility", 1).turns is None


def test_a_buff_of_nothing() -> None:
    said = refused(lambda: Buff("agility", 0))
    assert said == "buff of agility: expected any number but 0, got 0"
    assert Buff("agility", -1).words == "agility −1"


def test_items_of_one_name_are_alike() -> None:
    potion = Item(
        name="Zoë", target=Target.ALLY, value=Amount(constant=5), effects=(Heal(),)
    )
    assert replace(ANN, items=(potion, potion)).items == (potion, potion)
    for other in (
        replace(potion, value=Amount(constant=6)),
        replace(potion, name="Zoe\u0308"),
    ):
        said = refused(lambda other=other: replace(ANN, items=(potion, other)))  # type: ignore[misc]
        assert said == (
            "items of Ann: expected those of one name to be alike, got two different "
            f"ones called {other.name!r}"
        )
    twice = (HIDE, replace(HIDE, name="hide"))
    assert "got 'hide' twice" in refused(lambda: replace(ANN, abilities=twice))
    looks = tuple(replace(HIDE, name=name) for name in ("Zoë", "Zoe\u0308"))
    assert "expected each name once" in refused(lambda: replace(ANN, abilities=looks))


@pytest.mark.parametrize(
    "effect",
    [Buff("agility", 1), Ailment("dazed"), Regeneration(1), Imbue(Element.FIRE)],
)
def test_revival_comes_first(effect: Any) -> None:
    said = refused(lambda: replace(MEND, effects=(effect, Revive())))
    assert said.startswith("effects of mend: expected Revive first, because nothing ")
    assert replace(MEND, effects=(Revive(), effect)).effects[1] == effect


def test_what_comes_after_the_revival_works() -> None:
    effects = (Revive(), Buff("agility", 3), Regeneration(1), Imbue(Element.FIRE))
    dawn = replace(MEND, name="dawn", value=Amount(constant=4), effects=effects)
    mia = replace(ANN, name="Mia", agility=9, abilities=(dawn,))
    people = (mia, ANN, BEN)
    places = (Slot.PC_FRONT, Slot.PC_FRONT, Slot.ENEMY_FRONT)
    ready = tk.play(turns.prepare, states.opening(Encounter(people, places)))
    start = ready.result.hurt(1, 10)
    up = tk.play(turns.act, start, 0, answers=[Use("dawn", "Ann")]).result
    assert up.hp[1] == 4 and up.total(1, "agility") == 8
    assert [type(one.effect) for one in up.lasting] == [Buff, Regeneration]
    assert up.element_of(1) == Element.FIRE


@pytest.mark.parametrize("target", [Target.ONE, Target.ROW, Target.ALL])
@pytest.mark.parametrize(
    "effect",
    [Heal(), Refresh(), Revive(), Cure(), Regeneration(1), Imbue(Element.COLD)],
)
def test_nobody_helps_opponents(target: Target, effect: Any) -> None:
    value = Amount() if isinstance(effect, Heal | Refresh | Revive) else None
    given: dict[str, Any] = {"name": "dew", "value": value, "effects": (effect,)}
    assert refused(lambda: Item(**given, target=target)) == (
        "target of dew: expected Target.ALLY, Target.ALLIES or Target.SELF of what only "
        f"helps, got Target.{target.name}"
    )
    for own in (Target.ALLY, Target.ALLIES, Target.SELF):
        assert Item(**given, target=own).target == own


def test_what_harms_opponents_may_help_them_too() -> None:
    assert replace(SPARK, effects=(Heal(),)).is_attack
    trade = Ability(name="trade", effects=(Buff("agility", -3), Regeneration(1)))
    assert trade.target == Target.ONE
    said = refused(lambda: replace(SPARK, effects=(Revive(),)))
    assert said.startswith("target of spark: expected Target.ALLY, ")
    assert Ability(name="stare").target == Target.ONE


# ---- words that help ---------------------------------------------------------------


def test_what_is_written_is_said() -> None:
    assert refused(lambda: replace(ANN, side="pc")) == (
        "side of Ann: expected Side.PC or Side.ENEMY, got 'pc'"
    )
    assert refused(lambda: replace(PAIR, ambush="pc")) == (
        "ambush: expected Side.PC, Side.ENEMY or None, got 'pc'"
    )
    assert refused(lambda: replace(SPARK, damage="fixed")) == (
        "damage of spark: expected Damage.NONE, Damage.NORMAL or Damage.FIXED, "
        "got 'fixed'"
    )
    assert refused(lambda: replace(SPARK, range=2)) == (
        "range of spark: expected a Range or None, got 2"
    )
    assert refused(lambda: replace(SPARK, value=7)) == (
        "value of spark: expected an Amount or None, got 7"
    )
    for timing in Timing:
        said = refused(lambda: replace(SPARK, timing="now"))
        assert f"Timing.{timing.name}" in said


def test_summaries_say_what_happens() -> None:
    def summary(*effects: Any) -> str:
        return replace(MEND, value=Amount(constant=6), effects=effects).summary

    def plain(*effects: Any) -> str:
        return replace(MEND, value=None, effects=effects).summary

    assert summary(Heal()) == "heal 6" and summary(Refresh()) == "refresh 6 MP"
    assert summary(Revive(), Buff("agility", 2, 1)) == (
        "revive with 6 HP, agility +2 for 1 turn"
    )
    assert plain(Imbue(Element.FIRE, turns=3)) == "fire for 3 turns"
    assert plain(Cure(("poison",))) == "cures poison"
    assert plain(Cure(("poison", "asleep"))) == "cures poison and asleep"
    assert plain(Cure()) == "cures every ailment"
    assert plain(Escape()) == "out of the battle"


# ---- names and words ---------------------------------------------------------------


@pytest.mark.parametrize("sign", [*"\u00ad\u180e\u200b\u2060\u2061\u2064\ufeff"])
def test_names_hold_no_signs_of_no_width(sign: str) -> None:
    assert refused(lambda: replace(ANN, name=f"A{sign}nn")).startswith(
        f"name of a combatant: expected no signs of no width, got {sign!a} in 'A\\"
    )
    assert replace(SPARK, words=f"A{sign}nn").words  # nobody is told apart by them


def test_joiners_make_no_other_name() -> None:
    for joined in ("A\u200cnn", "Ann\u200d"):
        people = (ANN, replace(BEN, name=joined))
        said = refused(lambda people=people: replace(PAIR, combatants=people))  # type: ignore[misc]
        assert said.startswith("name of combatant 1: expected one that nobody else has")
    assert sheet_values.spelled("می\u200cرود") == sheet_values.spelled("میرود")


@pytest.mark.parametrize("sign", [*"\n\t\x00\u2028\u2029\u202e\u2066\u200f"])
def test_words_are_one_line(sign: str) -> None:
    said = refused(lambda: replace(SPARK, words=f"fire{sign}works"))
    assert said.startswith("words of spark: expected no control characters, got ")
    assert replace(SPARK, words="").summary.startswith("fire damage")
    assert refused(lambda: replace(SPARK, words="x" * 301)).endswith("got 301")


# ---- the face of the package -------------------------------------------------------


def test_every_record_and_every_answer_is_a_name_of_the_package() -> None:
    modules = [one for one in vars(formation).values() if isinstance(one, ModuleType)]
    menus = [
        one
        for module in modules
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, Menu) and one is not Menu
    ]
    answers = {kind.make.__name__ for menu in menus for kind in menu.kinds}
    names = set(formation.__all__)
    assert len(answers) >= 20 and answers <= names
    assert {effect.__name__ for effect in formation.abilities.EFFECTS} <= names
    assert len(formation.__all__) == len(names)


# ---- names that are not there ------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "tells"),
    [
        (
            lambda: Combatant(name="Ann", hpmax=3),  # type: ignore[call-arg]
            r"Combatant: expected .* hp_max, .*, got 'hpmax'; did you mean 'hp_max'\?",
        ),
        (
            lambda: Encounter(combatant=()),  # type: ignore[call-arg]
            r"Encounter: .* got 'combatant'; did you mean 'combatants'\?",
        ),
        (lambda: formation.Variant(luck=3), "Variant: .* got 'luck'$"),  # type: ignore[call-arg]
        (lambda: Weapon("claw"), "Weapon: Missing required argument 'range'"),  # type: ignore[call-arg]
    ],
)
def test_a_wrong_field_is_refused_with_those_there_are(make: Any, tells: str) -> None:
    with pytest.raises(TypeError, match=tells):
        make()


@pytest.mark.parametrize(
    ("name", "ends"),
    [("footbrige", "'footbrige'; did you mean 'footbridge'?"), ("xyz", "got 'xyz'")],
)
def test_an_unknown_sample_is_told_which_there_are(name: str, ends: str) -> None:
    with pytest.raises(KeyError) as refused:
        formation.samples[name]
    words = str(refused.value)
    assert words.startswith("sample: expected one of footbridge, gate_ambush")
    assert words.endswith(ends)
    assert formation.samples.get(name) is None and name not in formation.samples
