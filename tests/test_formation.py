"""Formation Battle: bad encounters, the ledger's edges, orders, endings, numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from math import factorial
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from benchmarks.hand_written import PLAYS
from benchmarks.hand_written import battle as by_hand
from tabletop_kit import formation
from tabletop_kit.core import scenes
from tabletop_kit.core.asking import Scripted
from tabletop_kit.core.playing import battle
from tabletop_kit.formation import (
    Attack,
    Combatant,
    Defend,
    Element,
    Encounter,
    Phase,
    Range,
    Side,
    Slot,
    State,
    Step,
    Variant,
    Weapon,
    abilities,
    attacks,
    getting_ready,
    measures,
    picture,
    rows,
    states,
    tactics,
    talk_and_flee,
    turn_end,
    turns,
)

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
START = states.opening(BRIDGE)
READY = tk.play(turns.prepare, START).result
CLAW = Weapon("claw", Range(1))
MARKUP = "<img src=x onerror=alert(1)>"


def one(name: str, side: Side = Side.PC, agility: int = 5, mind: int = 5) -> Combatant:
    """Somebody plain."""
    return Combatant(name, side, CLAW, 10, 5, 2, 2, agility, mind)


ANN, BEN = one("Ann"), one("Ben", Side.ENEMY)
FRONTS = (Slot.PC_FRONT, Slot.ENEMY_FRONT)
PAIR = Encounter((ANN, BEN), FRONTS)


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(ValueError) as found:
        make()
    return str(found.value)


# ---- bad input ---------------------------------------------------------------------


@pytest.mark.parametrize("score", measures.SCORES)
@pytest.mark.parametrize("value", [-1000, 1000, 10**9, 1.5, "7", None, True])
def test_a_score_that_is_none(score: str, value: object) -> None:
    said = refused(lambda: replace(ANN, **{score: value}))
    least = 0 if score in ("agility", "intelligence") else -999
    assert said == (
        f"{score} of Ann: expected a whole number from {least} to 999, got {value!r}"
    )


@pytest.mark.parametrize("value", [0, -3, 10_000, 2.0, None, False])
def test_hit_points_that_are_none(value: object) -> None:
    said = refused(lambda: replace(ANN, hp_max=value))
    assert (
        said == f"hp_max of Ann: expected a whole number from 1 to 9,999, got {value!r}"
    )


def test_the_limits_of_a_score() -> None:
    assert replace(ANN, agility=0, attack_power=999, hp_max=9999).hp_max == 9999
    assert replace(ANN, hp_max=1).hp_max == 1
    for score in ("agility", "intelligence"):
        assert "from 0 to 999, got -1" in refused(
            lambda score=score: replace(ANN, **{score: -1})  # type: ignore[misc]
        )


def test_FM_ACT_05_a_total_below_0_stands_on_a_sheet_and_in_the_sum() -> None:
    weak = replace(ANN, attack_power=-3, magic_power=-999, magic_defense=-1)
    pair = replace(PAIR, combatants=(weak, replace(BEN, physical_defense=-2)))
    struck = tk.play(attacks.attack, states.opening(pair), 0, 1, faces=[(2, 3)])
    assert struck.result.hp[1] == 10 - (-3 + 5 + 2)


def test_a_score_that_is_missing() -> None:
    with pytest.raises(TypeError, match="agility"):
        Combatant("Ann", Side.PC, CLAW, 10, 5, 2, 2, intelligence=4)  # type: ignore[call-arg]
    plain = msgspec.to_builtins(PAIR)
    del plain["combatants"][1]["agility"]
    with pytest.raises(msgspec.ValidationError, match=r"agility.*combatants\[1\]"):
        msgspec.convert(plain, Encounter)


def test_a_field_that_no_sheet_has() -> None:
    whole = msgspec.to_builtins(PAIR)
    for within in (
        (),
        ("variant",),
        ("combatants", 0),
        ("combatants", 0, "weapon"),
        ("combatants", 0, "weapon", "range"),
    ):
        plain = json.loads(json.dumps(whole))
        place = plain
        for step in within:
            place = place[step]
        place["armour"] = 3
        with pytest.raises(msgspec.ValidationError, match="unknown field `armour`"):
            msgspec.convert(plain, Encounter)


@pytest.mark.parametrize(
    "name",
    [
        *("", "   ", "x" * 61, "two\nlines", "\x00", 7, None, " Ann", "Ann\u3000"),
        *("two\u2028lines", "two\u2029lines", "nnA\u202e", "\u2067Ann", "A\u200fnn"),
        *("\u200b", "\u200d\u200c", "\ufe0f", "\u3164", "\u2800\u00ad", "\u0301"),
    ],
)
def test_a_name_that_is_none(name: Any) -> None:
    assert "name of a combatant: expected" in refused(lambda: replace(ANN, name=name))
    assert "title: expected" in refused(lambda: replace(PAIR, title=name))
    assert "pcs: expected" in refused(lambda: replace(PAIR, pcs=name))
    assert "enemies: expected" in refused(lambda: replace(PAIR, enemies=name))
    assert "name of a weapon: expected" in refused(lambda: Weapon(name, Range(1)))


def test_names_that_are_fine() -> None:
    for name in (
        "x" * 60,
        "蓮見ユウ",
        "잿빛나방",
        MARKUP,
        "Zoë 🐈",
        "👩\u200d🚀",
        "می\u200cرود",
    ):
        assert replace(ANN, name=name).name == name


def test_sides_of_one_name() -> None:
    said = refused(lambda: replace(PAIR, pcs="Zoë", enemies="Zoe\u0308"))
    assert said.startswith("enemies: expected another name than that of the PCs, got ")


def test_two_of_one_name() -> None:
    said = refused(lambda: replace(PAIR, combatants=(ANN, replace(BEN, name="Ann"))))
    assert said == (
        "name of combatant 1: expected one that nobody else has, got 'Ann', "
        "like combatant 0"
    )
    people = (replace(ANN, name="Zoë"), replace(BEN, name="Zoe\u0308"))
    same = refused(lambda: replace(PAIR, combatants=people))
    assert same.startswith("name of combatant 1: expected one that nobody else has")


@pytest.mark.parametrize(
    ("placement", "words"),
    [
        (
            (7, Slot.ENEMY_FRONT),
            "placement of Ann: expected PC_BACK or PC_FRONT, got 7",
        ),
        (
            (1, Slot.ENEMY_FRONT),
            "placement of Ann: expected PC_BACK or PC_FRONT, got 1",
        ),
        (
            (Slot.PC_BACK, Slot.PC_FRONT),
            "placement of Ben: expected ENEMY_FRONT or ENEMY_BACK, got PC_FRONT",
        ),
        (
            (Slot.ENEMY_BACK, Slot.ENEMY_BACK),
            "placement of Ann: expected PC_BACK or PC_FRONT, got ENEMY_BACK",
        ),
        ((), "placement: expected a tuple of 2 rows, one a combatant, got 0"),
        (FRONTS * 2, "placement: expected a tuple of 2 rows, one a combatant, got 4"),
        (None, "placement: expected a tuple of 2 rows, one a combatant, got None"),
    ],
)
def test_a_row_that_is_none_of_theirs(placement: Any, words: str) -> None:
    assert refused(lambda: replace(PAIR, placement=placement)) == words


def test_an_empty_side_and_a_crowd() -> None:
    alone = refused(lambda: Encounter((ANN,), (Slot.PC_FRONT,)))
    assert alone == "side 'enemy': expected 1 to 20 combatants, got 0"
    people = tuple(one(f"Ann {n}") for n in range(21))
    crowd = refused(
        lambda: Encounter((*people, BEN), (Slot.PC_FRONT,) * 21 + (Slot.ENEMY_BACK,))
    )
    assert crowd == "side 'pc': expected 1 to 20 combatants, got 21"
    twenty = Encounter((*people[:20], BEN), (Slot.PC_FRONT,) * 20 + (Slot.ENEMY_BACK,))
    assert len(twenty.names) == 21


def test_people_that_are_none() -> None:
    for people in ((ANN, "Ben"), [ANN, BEN], None):
        said = refused(lambda people=people: replace(PAIR, combatants=people))  # type: ignore[misc]
        assert said.startswith("combatants: expected a tuple of Combatant, got ")
    assert refused(lambda: replace(ANN, side="left")) == (
        "side of Ann: expected Side.PC or Side.ENEMY, got 'left'"
    )
    assert refused(lambda: replace(ANN, weapon="claw")) == (
        "weapon of Ann: expected a Weapon, got 'claw'"
    )


@pytest.mark.parametrize("value", ["bnad", None, 1, ["band"]])
def test_a_house_rule_that_is_none(value: Any) -> None:
    said = refused(lambda: Variant(value))
    assert said == f"range_rule: expected 'reach' or 'band', got {value!r}"
    said = refused(lambda: Variant(reorder_each_turn=value))
    assert said == f"reorder_each_turn: expected False or True, got {value!r}"
    said = refused(lambda: replace(PAIR, variant=value))
    assert said == f"variant: expected a Variant, got {value!r}"
    said = refused(lambda: Weapon("claw", value))
    assert said == f"range of claw: expected a Range, got {value!r}"


@pytest.mark.parametrize("value", ["x" * 500, 10**4000, [0] * 9_999], ids=type)
def test_messages_show_no_more_than_200_characters(value: Any) -> None:
    for place, make in (
        ("agility of Ann", lambda: replace(ANN, agility=value)),
        ("side of Ann", lambda: replace(ANN, side=value)),
        ("weapon of Ann", lambda: replace(ANN, weapon=value)),
        ("name of a combatant", lambda: replace(ANN, name=value)),
        ("range", lambda: Range(value)),
        ("range of claw", lambda: Weapon("claw", value)),
        ("range_rule", lambda: Variant(value)),
        ("combatants", lambda: replace(PAIR, combatants=value)),
        ("placement", lambda: replace(PAIR, placement=value)),
        ("placement of Ann", lambda: replace(PAIR, placement=(value, value))),
        ("imbued", lambda: replace(PAIR, imbued=value)),
        ("imbued", lambda: replace(PAIR, imbued=(value,))),
        ("imbued, Ann", lambda: replace(PAIR, imbued=(("Ann", value),))),
    ):
        said = refused(make)
        assert said.startswith(f"{place}: expected ") and "got " in said
        assert len(said) < 330


@pytest.mark.parametrize(
    "imbued",
    [
        (("Nobody", Element.FIRE),),
        (("Ann", "fire"),),
        (("Ann", Element.PHYSICAL),),
        (("Ann", Element.FIRE), ("Ann", Element.COLD)),
        (("Ann",),),
        [("Ann", Element.FIRE)],
    ],
)
def test_an_element_for_nobody(imbued: Any) -> None:
    assert refused(lambda: replace(PAIR, imbued=imbued)).startswith("imbued")


@pytest.mark.parametrize("number", [0, 4, -1, 1.5, True, "1"])
def test_a_range_that_is_none(number: Any) -> None:
    assert refused(lambda: Range(number)) == (
        f"range: expected 1, 2, 3 or an interval like 1–3, got {number!r}"
    )


@pytest.mark.parametrize("numbers", [(2, 3), (3, 0), (4, 1), (1, 3), (3, "1")])
def test_an_interval_that_is_none(numbers: Any) -> None:
    most, least = numbers
    assert refused(lambda: Range(most, min=least)) == (
        "range: expected Range(max, min=...): both from 1 to 3, min at most max, "
        f"got max={most}, min={least!r}"
    )


def test_ranges_that_are_fine() -> None:
    fine = [Range(1), Range(3), Range(3, 1), Range(3, 3), Range(2, min=1)]
    assert [str(span) for span in fine] == ["1", "3", "1–3", "3–3", "1–2"]


def test_a_position_without_an_order() -> None:
    lost = replace(READY, order=())
    said = refused(lambda: tk.play(turns.advance, lost))
    assert said == "order: expected each of [0, 1, 2, 3, 4, 5] once, got []"
    twice = replace(READY, order=(0, 0, 1, 2, 3, 4), acted=tuple(range(6)))
    assert "order: expected" in refused(lambda: tk.play(turns.advance, twice))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"hp": (9999, *READY.hp[1:])}, "hp[0]: expected 0 to 16, got 9999"),
        ({"hp": READY.hp[:5]}, "hp: expected 6, one a combatant, got "),
        ({"slots": (*READY.slots, 1)}, "slots: expected 6, one a combatant, got "),
        ({"slots": (Slot.ENEMY_BACK, *READY.slots[1:])}, "slots[0]: expected a row"),
        ({"acted": (7,)}, "acted: expected numbers from 0 to 5, each once"),
        ({"acted": (1, 0)}, "acted: expected numbers from 0 to 5, each once"),
        ({"acted": (1, 1)}, "acted: expected numbers from 0 to 5, each once"),
        ({"defending": (9,)}, "defending: expected numbers from 0 to 5"),
        ({"imbued": ((0, Element.FIRE),) * 2}, "imbued: expected numbers from 0 to 5"),
        ({"imbued": ((6, Element.FIRE),)}, "imbued: expected numbers from 0 to 5"),
        ({"imbued": ((0, Element.PHYSICAL),)}, "imbued: expected no physical element"),
        ({"order": ()}, "order: expected each of [0, 1, 2, 3, 4, 5] once, got ()"),
        ({"order": (0, 0, 1, 2, 3, 4)}, "order: expected each of "),
        ({"phase": Phase.PREP}, "order: expected none in the preparation, got "),
        ({"phase": Phase.PREP, "order": (), "acted": (0,)}, "acted: expected nobody"),
        ({"phase": Phase.END}, "hp: expected nobody of a side standing at the end"),
        ({"phase": Phase.END, "defending": (0,)}, "defending: expected nobody outside"),
        (
            {"phase": Phase.END, "hp": (0,) * 6, "imbued": ((0, Element.FIRE),)},
            "imbued: expected nobody at the end",
        ),
        ({"escaped": (5,)}, "order: expected each of [0, 1, 2, 3, 4] once, got "),
        ({"escaped": (6,)}, "escaped: expected numbers from 0 to 5, each once"),
        ({"swapped": (1, 0)}, "swapped: expected numbers from 0 to 5, each once"),
        ({"swapped": (0,)}, "swapped: expected only who carries two weapons"),
        ({"mp": (0,)}, "mp: expected none or 6, one a combatant, got (0,)"),
        ({"mp": (999,) * 6}, "mp[0]: expected 0 to "),
        ({"basis": ((1, 1),)}, "basis: expected none or 6, one a combatant"),
        ({"fading": ((0, 1),)}, "fading: expected some of [], each once"),
        ({"used": ((0, "nap"),)}, "used: expected some of "),
        ({"spent": ((0, "nap"),)}, "spent: expected some of "),
        ({"gone": ((0, "nut"),)}, "gone: expected some of "),
        (
            {"lasting": (states.Lasting(6, abilities.Buff("agility", 1)),)},
            "lasting: expected numbers from 0 to 5",
        ),
        ({"held": True}, "held: expected False without an ambush"),
    ],
)
def test_a_position_that_no_battle_is_in(changed: Any, words: str) -> None:
    from tabletop_kit.core.systems import moving, still

    plain = moving(replace(READY, **changed))
    said = refused(lambda: still(formation.FORMATION, BRIDGE, plain))
    assert said.startswith(words)


def test_every_position_of_a_battle_is_one() -> None:
    for encounter in formation.samples.values():
        game = tk.Game(encounter, seed=5)
        formation.FORMATION.check(states.opening(encounter))
        tk.autoplay(game, formation.sensible)
        positions = [node.position for node in game.nodes if node.position is not None]
        for position in positions:
            formation.FORMATION.check(position)
        assert len(positions) > 3


def test_encounters_and_states_as_json() -> None:
    for encounter in formation.samples.values():
        plain = json.loads(json.dumps(msgspec.to_builtins(encounter)))
        again = msgspec.convert(plain, Encounter)
        assert msgspec.to_builtins(again) == msgspec.to_builtins(encounter)
        assert again.names == encounter.names and again is not encounter


def test_a_negative_hit_point_in_a_save_is_refused() -> None:
    game = tk.Game(BRIDGE, at=READY)
    saved = msgspec.json.decode(_saved(game))
    saved["start"]["hp"][0] = -5
    with pytest.raises(tk.Broken, match="position"):
        _loaded(msgspec.json.encode(saved))


def _saved(game: tk.Game) -> bytes:
    from tabletop_kit.core import saves

    return saves.to_json(game)


def _loaded(data: bytes) -> tk.Game:
    from tabletop_kit.core import saves

    return saves.from_json(data)


# ---- rows and range ----------------------------------------------------------------


def test_FM_EDGE_02_front_against_back_is_two() -> None:
    assert rows.distance(Slot.PC_FRONT, Slot.ENEMY_BACK) == 2
    reason = attacks.Attacks(START, AKI).why_not(Attack("Slinger"))[0]
    assert reason.code == "too_far" and reason.clause == "FM-RNG-03"
    assert dict(reason.numbers) == {"distance": 2, "range": "1"}


def test_FM_EDGE_03_a_bow_at_arms_length() -> None:
    reach, band = Variant("reach"), Variant("band")
    assert rows.why_out_of_range(1, Range(3), reach) is None
    reason = rows.why_out_of_range(1, Range(3), band)
    assert reason is not None and reason.code == "too_near"
    assert rows.why_out_of_range(1, Range(3, 1), band) is None


def test_every_distance_under_every_range() -> None:
    serve = {
        ("reach", None): {1: [1], 2: [1, 2], 3: [1, 2, 3]},
        ("band", None): {1: [1], 2: [2], 3: [3]},
    }
    for (rule, least), table in serve.items():
        for most, distances in table.items():
            found = rows.distances_in_range(Range(most, least), Variant(rule))  # type: ignore[arg-type]
            assert list(found) == distances
    for rule in ("reach", "band"):
        found = rows.distances_in_range(Range(3, 2), Variant(rule))  # type: ignore[arg-type]
        assert list(found) == [2, 3]


def test_rows_change_on_both_sides() -> None:
    for who, there in (
        (AKI, Slot.PC_BACK),
        (REN, Slot.PC_FRONT),
        (WOLF, Slot.ENEMY_BACK),
        (SLINGER, Slot.ENEMY_FRONT),
    ):
        played = tk.play(rows.change_row, START, who)
        assert played.result.slots[who] == there and played.result.acted == (who,)
        assert played.events == [rows.RowChanged(who, there)]
        assert played.told == [played.result]
    assert tk.play(rows.change_row, START, REN).words() == [
        "Ren steps into the front row."
    ]


# ---- attacks -----------------------------------------------------------------------


def low(chance: Fraction | tk.Bracket) -> Fraction:
    """The lower end of a chance."""
    return chance.low if isinstance(chance, tk.Bracket) else chance


def blow(power: int, defense: int, *faces: tuple[int, int]) -> attacks.Blow:
    found: attacks.Blow = tk.play(attacks.strike, power, defense, faces=faces).result
    return found


def test_numbers_by_hand() -> None:
    assert blow(8, 5, (3, 4)).damage == 10
    assert blow(6, 4, (6, 6), (3, 4)).damage == 21
    assert blow(-3, 2, (4, 5)).damage == 4
    assert blow(1, 20, (5, 6)).damage == 0
    exact = tk.outcomes(formation.strike, 6, 4)
    assert low(exact.chance(lambda b: b.damage == 9)) == Fraction(6, 36)
    assert low(exact.chance(lambda b: b.damage == 0)) == Fraction(1, 36)
    assert low(exact.chance(lambda b: b.damage == 16)) == Fraction(1, 36 * 36)
    assert low(exact.chance(lambda b: b.dice.criticals == 1)) == Fraction(35, 36 * 36)
    assert exact.cut < Fraction(1, 2**40)


def test_enough_merges_what_fells_anyway() -> None:
    whole = tk.outcomes(attacks.strike, 6, 4)
    merged = tk.outcomes(attacks.strike, 6, 4, 12)
    assert len(merged.ways) < 15 < len(whole.ways)
    for least in range(15):
        chances = [
            low(odds.chance(lambda b, least=least: b.damage >= least))  # type: ignore[misc]
            for odds in (whole, merged)
        ]
        assert chances[0] == chances[1]
    assert tk.play(attacks.strike, 6, 4, 12, faces=[(6, 6), (5, 5)]).result.damage == 24


def test_how_much_is_enough() -> None:
    assert attacks.enough_to_fell(START, WOLF, 6, 2) == 4  # 6 + 4 − 2 are all his 8
    assert attacks.enough_to_fell(START.defended(WOLF), WOLF, 6, 2) == 12
    assert attacks.enough_to_fell(START.hurt(WOLF, 7), WOLF, 6, 2) == -3


def test_odds_of_an_attack_are_those_of_its_blow() -> None:
    game = tk.Game(BRIDGE, at=READY)
    states = tk.outcomes(game, Attack("Wolf"))
    felled = states.chance(lambda state: state.hp[WOLF] == 0)
    struck = tk.outcomes(attacks.strike, 6, 2)
    assert low(felled) == low(struck.chance(lambda b: b.damage >= 8))

    guarded = tk.Game(BRIDGE, at=READY.defended(WOLF).hurt(WOLF, 4))
    states = tk.outcomes(guarded, Attack("Wolf"))
    felled = states.chance(lambda state: state.hp[WOLF] == 0)
    assert low(felled) == low(struck.chance(lambda b: b.damage >= 8))


def test_FM_EDGE_10_halves_are_rounded_down() -> None:
    guarded = START.defended(BRUTE)
    assert [attacks.halved(guarded, BRUTE, damage) for damage in (13, 12, 1, 0)] == [
        6,
        6,
        0,
        0,
    ]


def test_FM_EDGE_11_a_double_one_after_a_critical_adds() -> None:
    dice = tk.play(attacks.roll_2d6, "attack", "FM-ACT-04", faces=[(6, 6), (1, 1)])
    assert dice.result == attacks.DiceTotal(14, 1)


def test_FM_EDGE_12_no_strength_saves_a_fumble() -> None:
    assert blow(50, 0, (1, 1)) == attacks.Blow(attacks.DiceTotal(None), 0)


def test_FM_EDGE_16_fire_meets_magic_defense() -> None:
    tough = replace(BEN, physical_defense=9, magic_defense=4)
    pair = replace(PAIR, combatants=(replace(ANN, attack_power=8), tough))
    plain = states.opening(pair)
    for element, damage in ((None, 6), (Element.FIRE, 11), (Element.PHYSICAL, 6)):
        state = plain if element is None else plain.imbue(0, element)
        struck = tk.play(attacks.attack, state, 0, 1, faces=[(3, 4)])
        assert 10 - struck.result.hp[1] == min(10, damage)
        told = struck.events[0]
        assert isinstance(told, attacks.Hit) and told.damage == damage
    fiery = tk.play(attacks.attack, plain.imbue(0, Element.FIRE), 0, 1, faces=[(3, 4)])
    assert fiery.words()[0] == "Ann hits Ben with fire for 11: 8 + 7 − 4."
    assert fiery.events[0].under == ("FM-ELEM-05",)


def test_FM_EDGE_17_the_element_decides_not_the_action() -> None:
    target = replace(BEN, physical_defense=3, magic_defense=12)
    defense = attacks.defense_against(target, Element.PHYSICAL)
    assert blow(5 + 6, defense, (2, 4)).damage == 14
    magic = [e for e in Element if attacks.defense_against(target, e) == 12]
    assert len(magic) == 5 and Element.NON_ELEMENTAL in magic


def test_FM_EDGE_09_a_late_guard_halves_what_comes_after() -> None:
    before = tk.play(attacks.attack, READY, WOLF, AKI, faces=[(3, 4)]).result
    assert before.hp[AKI] == 16 - (5 + 7 - 3)
    on_guard = tk.play(attacks.defend, before, AKI).result
    after = tk.play(attacks.attack, on_guard, BRUTE, AKI, faces=[(3, 4)]).result
    assert after.hp[AKI] == before.hp[AKI] - (7 + 7 - 3) // 2
    next_turn = tk.play(turns.end_turn, after).result
    assert next_turn.defending == ()
    struck = tk.play(attacks.attack, next_turn.hurt(AKI, 0), BRUTE, AKI, faces=[(1, 2)])
    assert struck.result.hp[AKI] == max(0, after.hp[AKI] - (7 + 3 - 3))


def test_what_is_told_of_a_blow() -> None:
    critical = tk.play(
        attacks.attack, START.defended(WOLF), AKI, WOLF, faces=[(6, 6), (1, 2)]
    )
    told = critical.events[0]
    assert type(told) is attacks.HitOnGuard and told.under == ("FM-CRIT-02",)
    assert told.damage == (6 + 15 - 2) // 2 == 9
    assert told.account() == (
        ("", 6, "attack"),
        ("+", 15, "dice"),
        ("−", 2, "defense"),
        ("÷", 2, "on guard"),
    )
    assert told.comes_to == ("damage", "damage")
    assert critical.words() == [
        "Aki hits Wolf for 9, half of 6 + 15 − 2.",
        "Wolf is down.",
    ]
    assert critical.told[0] == critical.result
    assert type(told).clauses == ("FM-ACT-04", "FM-ACT-16")


def test_every_refusal_of_an_attack() -> None:
    menu = attacks.Attacks(START.hurt(WOLF, 8), AKI)
    codes = {
        name: [reason.code for reason in menu.why_not(Attack(name))]
        for name in (*BRIDGE.names, "Nobody")
    }
    assert codes == {
        "Aki": ["no_such_target"],
        "Ren": ["own_side"],
        "Mio": ["own_side"],
        "Brute": [],
        "Wolf": ["down"],
        "Slinger": ["too_far"],
        "Nobody": ["no_such_target"],
    }
    assert [reason.sentence for reason in menu.why_not(Attack("Slinger"))] == [
        "Too far: 2 away, range 1."
    ]


# ---- turns -------------------------------------------------------------------------


def tied(count: int) -> Encounter:
    """So many PCs who are equal in everything, and a slow enemy."""
    people = [one(f"Ann {n}", agility=7) for n in range(count)]
    slots = (Slot.PC_FRONT,) * count + (Slot.ENEMY_FRONT,)
    return Encounter((*people, one("Ben", Side.ENEMY, 1)), slots)


def order(encounter: Encounter, *faces: tuple[int, int]) -> tuple[int, ...]:
    state = tk.play(turns.prepare, states.opening(encounter), faces=faces).result
    found: tuple[int, ...] = state.order
    return found


def test_agility_then_intelligence() -> None:
    people = (one("Ann", Side.PC, 7, 4), one("Ben", Side.ENEMY, 7, 6))
    assert order(replace(PAIR, combatants=people)) == (1, 0)
    people = (one("Ann", Side.PC, 8, 0), one("Ben", Side.ENEMY, 7, 99))
    assert order(replace(PAIR, combatants=people)) == (0, 1)
    assert order(BRIDGE) == (AKI, WOLF, SLINGER, BRUTE, MIO, REN)


def test_FM_EDGE_14_the_order_roll_only_compares() -> None:
    assert order(tied(2), (6, 5), (6, 6)) == (1, 0, 2)
    assert order(tied(2), (1, 1), (1, 1), (2, 1), (1, 1)) == (0, 1, 2)


def test_FM_EDGE_15_only_those_still_tied_roll_again() -> None:
    assert order(tied(3), (4, 5), (5, 4), (2, 2), (1, 1), (6, 6)) == (1, 0, 2, 3)


def test_the_sequence_of_the_dice() -> None:
    """The higher tie is settled to its end before the lower one rolls."""
    nines, fours = [(4, 5), (5, 4)], [(2, 2), (3, 1)]
    again = [(2, 2), (2, 2), (1, 1), (6, 6)]  # the nines: tied, then the second
    last = [(6, 5), (1, 2)]  # the fours
    faces = [*nines, *fours, *again, *last]
    assert order(tied(4), *faces) == (1, 0, 2, 3, 4)


def test_groups_from_the_fastest_down() -> None:
    people = [one("Ann 0", agility=3), one("Ann 1", agility=3)]
    quick = [one(f"Ben {n}", Side.ENEMY, 9) for n in range(2)]
    slots = (Slot.PC_FRONT,) * 2 + (Slot.ENEMY_FRONT,) * 2
    encounter = Encounter((*people, *quick), slots)
    faces = [(1, 1), (6, 6), (5, 5), (2, 2)]
    assert order(encounter, *faces) == (3, 2, 0, 1)
    rolled = tk.Game(encounter, seed=1).rolls()
    assert [roll.by for roll in rolled][:2] == [2, 3]


def test_ties_have_exact_odds() -> None:
    table = tk.outcomes(turns.compare, 2)
    assert table.chance(lambda places: places == (0, 0)) == Fraction(146, 1296)
    assert table.chance(lambda places: places == (0, 1)) == Fraction(575, 1296)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_round_of_the_dice_leaves_every_order_as_likely(count: int) -> None:
    thrown = tk.outcomes(turns.settle, tuple(range(count)))
    orders = factorial(count)
    chances = [Fraction(ways, thrown.total) for ways in thrown.ways.values()]
    assert len(chances) == orders and thrown.cut < Fraction(1, 2**30)
    assert all(c <= Fraction(1, orders) <= c + thrown.cut for c in chances)


def test_an_answer_that_is_none_of_the_question() -> None:
    class Odd(Scripted):
        def choose(self, menu: Any) -> Any:
            return Element.FIRE

    said = refused(lambda: turns.act(Odd(), READY, AKI))
    assert said.startswith("formation.actions: <Element.FIRE: 'fire'> is refused: ")


def test_a_turn_ends_when_the_last_has_acted() -> None:
    state = READY
    for who in (AKI, WOLF, SLINGER, BRUTE, MIO):
        assert turns.next_to_act(state) == who
        state = tk.play(turns.act, state, who, answers=[Defend()]).result
        assert turns.next_to_act(state) is not None
    assert turns.next_to_act(state.hurt(REN, 12)) is None
    state = tk.play(turns.advance, state, answers=[Defend()]).result
    opened = tk.play(turns.advance, state)
    assert opened.result == READY and opened.events == [turns.NextTurn()]


def test_turns_are_numbered() -> None:
    walls = [
        replace(sheet, attack_power=0, physical_defense=999)
        for sheet in PAIR.combatants
    ]
    game = tk.Game(replace(PAIR, combatants=tuple(walls)), seed=3)
    for _ in range(8):
        game.answer(formation.Pass())
    opened = [event for event in game.events() if event.opens == "Turn"]
    assert [type(event) for event in opened] == [
        turns.TurnOpened,
        *[turns.NextTurn] * 4,
    ]
    from tabletop_kit.core.frames import Film

    film = Film(game)
    film.new()
    headings = list(dict.fromkeys(frame["heading"] for frame in film.frames))
    assert headings[-5:] == [f"Turn {n}" for n in range(1, 6)]
    assert headings[:-5] == ["", "Preparation"]


def test_one_action_each() -> None:
    for answer in (Attack("Wolf"), Step(), Defend(), formation.Pass()):
        spent = turns.Actions(READY.done(AKI), AKI)
        assert [reason.code for reason in spent.why_not(answer)] == ["already_acted"]
        fallen = turns.Actions(READY.hurt(AKI, 16), AKI)
        assert [reason.code for reason in fallen.why_not(answer)] == ["unconscious"]
        assert turns.Actions(READY, AKI).why_not(answer) == ()


# ---- endings -----------------------------------------------------------------------


def fallen(*people: int) -> State:
    state = READY
    for who in people:
        state = state.hurt(who, 99)
    return state


def test_the_three_endings() -> None:
    for people, words, event in (
        ((BRUTE, WOLF, SLINGER), "PCs win", turns.Won("Wayfarers")),
        ((AKI, REN, MIO), "enemies win", turns.Won("Bridge gang")),
        (tuple(range(6)), "draw", turns.Drawn()),
    ):
        closed = tk.play(turns.advance, fallen(*people).imbue(0, Element.AIR).done(0))
        assert closed.events == [event] and turns.ending(closed.result) == words
        assert closed.result.phase == Phase.END
        assert closed.result.acted == closed.result.imbued == ()
    assert turns.ending(fallen(BRUTE, WOLF, SLINGER)) is None


def test_it_ends_as_soon_as_a_side_is_down() -> None:
    state = fallen(BRUTE, SLINGER).hurt(WOLF, 7)
    game = tk.Game(BRIDGE, at=state, throws=False)
    game.answer(Attack("Wolf")).answer(faces=(3, 3))
    assert game.ask is None and formation.FORMATION.ending(game.state) == "PCs win"
    assert game.words()[-2:] == ["Wolf is down.", "Victory for Wayfarers."]


def test_battles_end_as_the_straight_loop_ends_them() -> None:
    for name in PLAYS:
        encounter = formation.samples[name]
        for seed in range(60):
            ending = battle(encounter, formation.sensible, seed)["ending"]
            assert ending == by_hand(encounter, seed), (name, seed)


# ---- the picture, samples, the policy ----------------------------------------------


def test_names_are_text_in_the_picture() -> None:
    pair = replace(PAIR, combatants=(replace(ANN, name=MARKUP), BEN))
    scene = picture.scene(states.opening(pair), scenes.Look(active=0))
    assert any(
        isinstance(item, scenes.Token) and item.name == MARKUP for item in scene.items
    )
    assert MARKUP not in tk.Board(pair).svg()


def test_no_scene_moves_what_is_not_changed() -> None:
    for encounter in formation.samples.values():
        state = states.opening(encounter)
        before = picture.scene(state)
        after = picture.scene(state.hurt(0, 3))
        changed = [
            (old, new)
            for old, new in zip(before.items, after.items, strict=True)
            if old != new
        ]
        assert len(changed) == 1 and isinstance(changed[0][0], scenes.Token)
        ids = [getattr(item, "id", item) for item in before.items]
        assert len(set(ids)) == len(ids)


def test_everybody_stands_within_the_lane() -> None:
    for encounter in formation.samples.values():
        scene = picture.scene(states.opening(encounter))
        lanes = {
            item.id: item.shape for item in scene.items if isinstance(item, scenes.Zone)
        }
        for item in scene.items:
            if isinstance(item, scenes.Token):
                lane = lanes[item.zone]
                assert isinstance(lane, scenes.Rect)
                assert lane.x < item.at[0] < lane.x + lane.w
                assert lane.y < item.at[1] < lane.y + lane.h < scene.height


def test_the_policy_always_answers_legally() -> None:
    def checked(menu: Any) -> Any:
        return tactics.sensible(menu)

    for encounter in formation.samples.values():
        for seed in range(20):
            assert battle(encounter, checked, seed) == battle(
                encounter, formation.sensible, seed
            )


# ---- the turn and its end ------------------------------------------------------------

POISON = abilities.Ailment("poison", turn_end_damage=5)
SONG = abilities.Ability(
    name="song",
    timing=abilities.Timing.AT_TURN_END,
    target=abilities.Target.ALLY,
    value=abilities.Amount(constant=4),
    effects=(abilities.Heal(),),
)
DRUM = abilities.Ability(
    name="drum",
    timing=abilities.Timing.AT_PREP,
    target=abilities.Target.SELF,
    effects=(abilities.Buff("agility", 9),),
)


def over(state: states.State, *answers: object) -> states.State:
    """After a turn's end in which nobody was left to act."""
    worn = msgspec.structs.replace(state, acted=tuple(sorted(state.order)))
    found: states.State = tk.play(turns.end_turn, worn, answers=answers).result
    return found


def having(name: str, *known: abilities.Ability, **variant: Any) -> states.State:
    """The opening of the footbridge where one has abilities."""
    people = tuple(
        msgspec.structs.replace(who, abilities=known) if who.name == name else who
        for who in BRIDGE.combatants
    )
    house = Variant(**variant)
    setup = msgspec.structs.replace(BRIDGE, combatants=people, variant=house)
    return states.opening(setup)


def test_FM_EDGE_04_a_drum_counts_from_turn_two() -> None:
    answers = [getting_ready.Use("drum", "Ren")]
    ready = tk.play(turns.prepare, having("Ren", DRUM), answers=answers).result
    assert ready.order[-1] == REN and ready.quickness(REN) == (13, 5)
    assert over(ready).order[0] == REN


def test_FM_EDGE_05_a_slow_waits_for_the_next_turn() -> None:
    slowed = READY.gains(WOLF, abilities.Buff("agility", -7))
    assert slowed.order == READY.order and turns.next_to_act(slowed.done(AKI)) == WOLF
    assert over(slowed).order[-1] == WOLF


def test_FM_EDGE_06_no_reorder_leaves_the_order() -> None:
    ready = tk.play(turns.prepare, having("Ren", reorder_each_turn=False)).result
    quick = over(ready.gains(REN, abilities.Buff("agility", 9)))
    assert quick.order == READY.order and quick.total(REN, "agility") == 13


def called(state: State, *people: int) -> State:
    """The state after these were called, one after another, and waited."""
    for who in people:
        assert turns.next_to_act(state) == who
        state = tk.play(turns.advance, state, answers=[formation.Pass()]).result
    return state


def test_FM_EDGE_07_45_who_wakes_acts_late_and_the_look_is_repeated() -> None:
    asleep = READY.gains(WOLF, abilities.ASLEEP).gains(SLINGER, abilities.ASLEEP)
    worn = called(asleep, AKI, BRUTE, MIO, REN)
    assert worn.passed == (WOLF, SLINGER) and turns.next_to_act(worn) is None
    first = called(worn.cured(SLINGER), SLINGER)
    assert turns.next_to_act(first) is None
    assert turns.next_to_act(first.cured(WOLF)) == WOLF
    waits = having("Aki", late_recovery="wait_next_turn").setup
    lost = msgspec.structs.replace(worn.cured(WOLF), setup=waits)
    assert turns.next_to_act(lost) is None


def test_FM_EDGE_08_poison_is_not_halved() -> None:
    assert over(READY.gains(AKI, POISON).defended(AKI)).hp[AKI] == 16 - 5


def test_FM_EDGE_34_35_poison_and_the_end() -> None:
    pcs = READY.hurt(REN, 12).hurt(MIO, 10).hurt(AKI, 13).gains(AKI, POISON)
    last = pcs.hurt(BRUTE, 14).hurt(WOLF, 8)
    won = tk.play(turns.advance, last.hurt(SLINGER, 9)).result
    assert won.hp[AKI] == 3 and turns.ending(won) == "PCs win"
    both = over(last.hurt(SLINGER, 6).gains(SLINGER, POISON))
    assert turns.ending(tk.play(turns.advance, both).result) == "draw"


def test_FM_EDGE_36_44_songs_then_poison_then_recovery() -> None:
    ready = tk.play(turns.prepare, having("Ren", SONG)).result
    sick = ready.hurt(AKI, 13).gains(AKI, POISON)
    assert over(sick, turn_end.Use("song", "Aki")).hp[AKI] == 2
    dew = sick.gains(AKI, abilities.Regeneration(4))
    assert over(dew, turn_end.Enough()).hp[AKI] == 0


def test_FM_EDGE_41_attack_power_moves_nobody() -> None:
    twins = tk.play(
        turns.prepare,
        states.opening(formation.samples["twins"]),
        faces=[(2, 5), (6, 3), (1, 1)],
    ).result
    stronger = twins.gains(0, abilities.Buff("attack_power", 3))
    assert over(stronger).order == twins.order


def test_FM_EDGE_01_38_equal_is_enough_and_a_fumble_never() -> None:
    runs = talk_and_flee.runs_free
    assert tk.play(runs, 6, 8, "success", faces=[(3, 4)]).result
    assert not tk.play(runs, 6, 8, "failure", faces=[(3, 4)]).result
    assert not tk.play(runs, 20, 8, "success", faces=[(1, 1)]).result


def test_nobody_prepares_once_it_is_decided() -> None:
    drum = abilities.Ability(
        name="drum",
        timing=abilities.Timing.AT_PREP,
        target=abilities.Target.SELF,
        effects=(abilities.Buff("agility", 1),),
    )
    trap = abilities.Ability(
        name="trap",
        timing=abilities.Timing.AT_PREP,
        target=abilities.Target.ONE,
        element=Element.PHYSICAL,
        damage=abilities.Damage.FIXED,
        value=abilities.Amount(constant=10),
    )
    pair = replace(PAIR, combatants=(replace(ANN, abilities=(drum, trap)), BEN))
    faces = [(6, 5), (1, 2)]  # both are as quick
    trapped = tk.play(
        turns.prepare,
        states.opening(pair),
        answers=[*faces, getting_ready.Use("trap", "Ben")],
    )
    assert turns.is_decided(trapped.result)
    assert trapped.result.total(0, "agility") == ANN.agility  # she was not asked again


def test_recovery_tells_what_it_gave() -> None:
    hurt = READY.hurt(AKI, 1).gains(AKI, abilities.Regeneration(4))
    over = replace(hurt, acted=tuple(range(6)))
    played = tk.play(turns.end_turn, over)
    assert turn_end.Recovered(AKI, 1) in played.events and played.result.hp[AKI] == 16


def test_what_is_always_in_force_recovers() -> None:
    blood = abilities.Ability(
        name="blood",
        timing=abilities.Timing.ALWAYS,
        target=abilities.Target.SELF,
        effects=(abilities.Regeneration(2),),
    )
    first, *others = BRIDGE.combatants
    encounter = replace(
        BRIDGE, combatants=(replace(first, abilities=(blood,)), *others)
    )
    ready = tk.play(turns.prepare, states.opening(encounter)).result.hurt(AKI, 5)
    over = replace(ready, acted=tuple(range(6)))
    assert tk.play(turns.end_turn, over).result.hp[AKI] == 16 - 5 + 2


def test_a_turn_end_ability_that_decides_ends_it_before_the_poison() -> None:
    thorn = abilities.Ability(
        name="thorn",
        timing=abilities.Timing.AT_TURN_END,
        element=Element.PHYSICAL,
        damage=abilities.Damage.FIXED,
        value=abilities.Amount(constant=10),
    )
    pair = replace(PAIR, combatants=(replace(ANN, abilities=(thorn,)), BEN))
    ready = tk.play(turns.prepare, states.opening(pair), faces=[(6, 5), (1, 2)]).result
    poisoned = ready.gains(0, abilities.Ailment("poison", turn_end_damage=99))
    over = replace(poisoned, acted=(0, 1))
    used = turn_end.Use("thorn", "Ben")
    ended = tk.play(turns.end_turn, over, answers=[used]).result
    assert turns.is_decided(ended) and ended.hp == (10, 0)  # FM-END-01


def test_abilities_that_no_sheet_may_have() -> None:
    skill = abilities.Ability(name="claw", target=abilities.Target.SELF)
    said = refused(lambda: replace(ANN, abilities=(skill, skill)))
    assert said == "abilities of Ann: expected each name once, got 'claw' twice"
    borrowed = replace(skill, kind=abilities.AbilityKind.FAMILIAR_SKILL)
    said = refused(lambda: replace(ANN, abilities=(borrowed,)))
    assert said == (
        "abilities of Ann: expected magic or skills, got claw, a familiar's skill"
    )


def test_what_lasts_until_it_is_cured_outlasts_a_shorter_one() -> None:
    poison = abilities.Ailment("poison", turn_end_damage=1)
    poisoned = START.gains(AKI, poison)
    again = poisoned.gains(AKI, replace(poison, turns=2))
    assert [one.turns for one in again.ailments(AKI)] == [None]


def test_what_was_given_for_one_attack_lapses_alone() -> None:
    brace = abilities.Buff("physical_defense", 3, turns=0)
    lent, lasts = START.imbue(AKI, Element.FIRE, 0), replace(brace, turns=2)
    before = lent.gains(AKI, brace).gains(WOLF, lasts)
    after = before.gains(AKI, brace).gains(REN, brace).imbue(REN, Element.COLD, 0)
    given = after.given_since(before)
    assert len(given) == 3 and after.given_since(after) == ()
    assert after.lapsed(given) == before
    assert before.lapsed(given[1:]) == before
    assert after.lapsed() == START.gains(WOLF, lasts)
    longer = after.imbue(REN, Element.COLD, 2).lapsed(given)
    assert longer.fading == ((AKI, 0), (REN, 2)) and len(longer.imbued) == 2


def test_an_ailment_of_the_sheet_is_there_from_the_start() -> None:
    sick = replace(ANN, ailments=(abilities.ASLEEP,))
    state = states.opening(replace(PAIR, combatants=(sick, BEN)))
    assert [one.effect for one in state.ailments(0)] == [abilities.ASLEEP]
    assert not state.is_able(0) and state.is_able(1)
