"""Positions of Formation Battle: what no battle reaches is refused, the rest taken."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.asking import Endless
from tabletop_kit.core.frames import Film
from tabletop_kit.core.policies import random_legal
from tabletop_kit.core.saves import to_json
from tabletop_kit.core.systems import moving, still
from tabletop_kit.formation import (
    Combatant,
    Element,
    Encounter,
    Phase,
    Range,
    Side,
    Slot,
    State,
    Variant,
    Weapon,
    abilities,
    positions,
    states,
    system,
    turns,
)
from tabletop_kit.formation.abilities import (
    Ability,
    Ailment,
    Amount,
    Buff,
    Damage,
    Item,
    Regeneration,
    Target,
    Timing,
    Trigger,
)

POISON = Ailment("poison", turn_end_damage=2, turns=3)
BRIDGE = formation.samples["footbridge"]
PLAIN = tk.play(turns.prepare, states.opening(BRIDGE)).result


def ability(name: str, timing: Timing, **more: Any) -> Ability:
    """Something that anybody can use on themselves."""
    effects = (Buff("attack_power", 1),)
    kind = {"target": Target.SELF, "effects": effects, "timing": timing, **more}
    return Ability(name=name, **kind)


SONG = ability("song", Timing.AT_TURN_END)
DRUM = ability("drum", Timing.AT_PREP)
LAST = ability("last word", Timing.SPECIAL, trigger=Trigger.OWN_FALL)
TALE = ability("tale", Timing.STANDARD, allowed_in_battle=False)
SPARK = ability("spark", Timing.STANDARD)
RISE = ability(
    "rise",
    Timing.STANDARD,
    target=Target.ALLY,
    value=Amount(constant=3),
    effects=(abilities.Revive(),),
)
HERB = Item(name="herb", target=Target.SELF, effects=(abilities.Cure(),))
LENS = replace(HERB, name="lens", consumed_on_use=False)
SLING = Weapon("sling", Range(3))


def geared(**variant: Any) -> Encounter:
    """The footbridge; Aki has MP, abilities, two herbs, a lens and two weapons."""
    aki = replace(
        BRIDGE.combatants[0],
        mp_max=6,
        abilities=(SONG, DRUM, LAST, TALE, SPARK),
        items=(HERB, LENS, HERB),
        sub_weapon=SLING,
    )
    people = (aki, *BRIDGE.combatants[1:])
    return replace(BRIDGE, combatants=people, variant=Variant(**variant))


def ready(setup: Encounter) -> State:
    """As its first turn begins."""
    asked = Timing.AT_PREP in setup.timings
    enough = [formation.getting_ready.Enough()] if asked else []
    found: State = tk.play(turns.prepare, states.opening(setup), answers=enough).result
    return found


GEARED = ready(geared())
OPENING = states.opening(geared())
SURPRISED = states.opening(replace(BRIDGE, ambush=Side.PC))
AMBUSHED = ready(SURPRISED.setup)
OVER = tk.play(turns.advance, replace(GEARED, hp=(*GEARED.hp[:3], 0, 0, 0))).result
EVERYONE = (0, 1, 2, 3, 4, 5)
FRONTS = AMBUSHED.slots


def said(state: State, **changed: Any) -> str:
    """What is said against a position; nothing where it is taken."""
    plain = moving(replace(state, **changed))
    try:
        still(formation.FORMATION, state.setup, plain)
    except ValueError as refused:
        return str(refused)
    return "nothing"


def lasts(who: int, effect: Any, turns: int | None = None) -> states.Lasting:
    return states.Lasting(who, effect, turns)


# ---- refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "changed", "words"),
    [
        (GEARED, {"mp": ()}, "mp: expected 6, one a combatant, got ()"),
        (PLAIN, {"mp": (0,)}, "mp: expected none or 6, one a combatant, got (0,)"),
        (GEARED, {"mp": (7, 0, 0, 0, 0, 0)}, "mp[0]: expected 0 to 6, got 7"),
        (GEARED, {"mp": (6, 1, 0, 0, 0, 0)}, "mp[1]: expected 0 to 0, got 1"),
        (
            ready(geared(empty_row_rule="off")),
            {"slots": (Slot.ENEMY_FRONT, *GEARED.slots[1:])},
            "slots[0]: expected a row of side 'pc', got 'ENEMY_FRONT'",
        ),
        (
            OPENING,
            {"slots": (*GEARED.slots[:5], Slot.PC_BACK)},
            "slots[5]: expected a row of side 'enemy', got 'PC_BACK'",
        ),
        (
            GEARED,
            {"slots": (*GEARED.slots[:5], Slot.PC_BACK)},
            "slots[5]: expected a row without standing opponents, as nobody can "
            "revive, got 'PC_BACK'",
        ),
        (
            AMBUSHED,
            {"slots": (*FRONTS[:4], Slot.ENEMY_BACK, FRONTS[5])},
            "slots[4]: expected ENEMY_FRONT while taken by surprise, got 'ENEMY_BACK'",
        ),
        (GEARED, {"escaped": (5, 4)}, "escaped: expected numbers from 0 to 5, each"),
        (
            GEARED.left(2),
            {"acted": (2,)},
            "acted: expected nobody who has left, got (2,)",
        ),
        (
            GEARED.left(2),
            {"defending": (2,)},
            "defending: expected nobody who has left, got (2,)",
        ),
        (
            AMBUSHED,
            {"acted": (0, 4)},
            "acted: expected nobody who is taken by surprise, got (0, 4)",
        ),
        (
            replace(OVER, phase=Phase.PREP, order=()),
            {"order": (0,)},
            "order: expected none, or each of [0, 1, 2, 3, 4, 5] once, got (0,)",
        ),
        (
            OPENING,
            {"basis": ((1, 1),) * 6},
            "basis: expected none before the first turn, got ((1, 1),",
        ),
        (
            OPENING,
            {"passed": (1,)},
            "passed: expected none before the first turn, got (1,)",
        ),
        (OPENING, {"swapped": (0,)}, "swapped: expected none before the first turn"),
        (OPENING, {"escaped": (1,)}, "escaped: expected nothing before the prep"),
        (OPENING, {"spent": ((0, "drum"),)}, "spent: expected nothing before the prep"),
        (OPENING, {"used": ((0, "song"),)}, "used: expected nothing before the prep"),
        (OPENING, {"gone": ((0, "herb"),)}, "gone: expected nothing before the prep"),
        (OPENING, {"allowed": ((0, "tale"),)}, "allowed: expected nothing before the"),
        (
            replace(OPENING, imbued=((1, Element.COLD),)),
            {"fading": ((1, 2),)},
            "fading: expected nothing before the preparation, got ((1, 2),)",
        ),
        (
            ready(geared(late_recovery="wait_next_turn")),
            {"passed": (1, 2), "acted": (0, 1)},
            "passed: expected nobody who has acted, where who wakes waits, got (1, 2)",
        ),
        (GEARED, {"passed": (2, 1)}, "passed: expected numbers from 0 to 5, each once"),
        (
            replace(GEARED, escaped=(2,), order=(0, 4, 5, 3, 1)),
            {"passed": (2,)},
            "passed: expected nobody who has left, got (2,)",
        ),
        (
            AMBUSHED,
            {"passed": (4,)},
            "passed: expected nobody who is taken by surprise, got (4,)",
        ),
        (
            GEARED.done(0).imbue(1, Element.FIRE, 1),
            {"fading": ((1, 0),)},
            "fading: expected nothing for a moment that is past, got ((1, 0),)",
        ),
        (
            GEARED,
            {"basis": tuple(GEARED.quickness(who) for who in EVERYONE)},
            "basis: expected none where it is that of the start, got ((9, 4),",
        ),
        (
            ready(geared(reorder_each_turn=False)),
            {"basis": ((1, 1),) * 6},
            "basis: expected none where the order stays, got ((1, 1),",
        ),
        (GEARED, {"ambush": Side.PC}, "ambush: expected None, got <Side.PC: 'pc'>"),
        (AMBUSHED, {"ambush": Side.ENEMY}, "ambush: expected 'pc' or None, got <Side"),
        (SURPRISED, {"ambush": None}, "ambush: expected 'pc', got None"),
        (
            AMBUSHED,
            {"ambush": None},
            "held: expected False without an ambush, got True",
        ),
        (
            SURPRISED,
            {"held": False},
            "held: expected True until the first turn is over",
        ),
        (AMBUSHED, {"held": False}, "held: expected True until the first turn is over"),
        (PLAIN, {"swapped": (0,)}, "swapped: expected only who carries two weapons"),
        (
            GEARED.imbue(1, Element.FIRE),
            {"fading": ((1, 100),)},
            "fading: expected 0 to 99 turns, got ((1, 100),)",
        ),
        (
            GEARED,
            {"lasting": (lasts(1, POISON, 3), lasts(0, POISON, 3))},
            "lasting: expected a sorted list, got ",
        ),
        (
            GEARED,
            {"lasting": (lasts(0, POISON), lasts(0, POISON, 3))},
            "lasting: expected each ailment once on each combatant, got ",
        ),
        (
            GEARED,
            {"lasting": (lasts(0, Buff("agility", 2), 100),)},
            "lasting: expected at most 99 turns, got ",
        ),
        (
            GEARED.done(0),
            {"lasting": (lasts(0, Buff("agility", 2), 0),)},
            "lasting: expected nothing for a moment that is past, got ",
        ),
        (GEARED, {"used": ((0, "spark"),)}, "used: expected some of [(0, 'song'), "),
        (GEARED, {"used": ((0, "song"),) * 2}, "used: expected some of [(0, 'song'), "),
        (GEARED, {"used": ((0, "tale"), (0, "song"))}, "used: expected a sorted list"),
        (
            GEARED,
            {"spent": ((0, "drum"),)},
            "spent: expected some of [(0, 'last word')]",
        ),
        (
            GEARED,
            {"allowed": ((0, "song"),)},
            "allowed: expected some of [(0, 'tale')]",
        ),
        (
            GEARED,
            {"gone": ((0, "herb"),) * 3},
            "gone: expected some of [(0, 'herb'), (0, 'herb')], got ",
        ),
        (GEARED, {"gone": ((0, "lens"),)}, "gone: expected some of [(0, 'herb'), "),
        (OVER, {"hp": GEARED.hp}, "hp: expected nobody of a side standing at the end"),
        (OVER, {"used": ((0, "song"),)}, "used: expected nothing at the end, got "),
        (OVER, {"spent": ((0, "last word"),)}, "spent: expected nothing at the end"),
        (OVER, {"allowed": ((0, "tale"),)}, "allowed: expected nothing at the end"),
        (OVER, {"basis": ((1, 1),) * 6}, "basis: expected nothing at the end, got "),
        (OVER, {"passed": (1,)}, "passed: expected nothing at the end, got (1,)"),
        (
            OVER,
            {"imbued": ((0, Element.FIRE),), "fading": ((0, 1),)},
            "imbued: expected nobody at the end, got ",
        ),
        (
            OVER,
            {"lasting": (lasts(0, Regeneration(2)),)},
            "lasting: expected only ailments that outlast the battle, got ",
        ),
        (
            OVER,
            {"lasting": (lasts(0, abilities.ASLEEP),)},
            "lasting: expected only ailments that outlast the battle, got ",
        ),
    ],
)
def test_what_no_battle_reaches(
    state: State, changed: dict[str, Any], words: str
) -> None:
    assert said(state) == "nothing"
    assert said(state, **changed).startswith(words)


def test_an_ambush_at_the_end_is_refused() -> None:
    beaten = replace(AMBUSHED, hp=(*AMBUSHED.hp[:3], 0, 0, 0))
    over = tk.play(turns.advance, beaten).result
    assert said(over) == "nothing"
    assert said(over, ambush=Side.PC).startswith("ambush: expected nobody at the end")
    held = said(over, ambush=Side.PC, held=True)
    assert held.startswith("ambush: expected nobody at the end, got ")


def test_every_check_is_made() -> None:
    names = {name for name in dir(positions) if name.startswith("check_")}
    assert names == {check.__name__ for check in positions.CHECKS}


# ---- taken ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "changed"),
    [
        (GEARED, {"mp": (0, 0, 0, 0, 0, 0)}),
        (PLAIN, {"mp": (0, 0, 0, 0, 0, 0)}),
        (
            GEARED,
            {"slots": (Slot.ENEMY_FRONT, *GEARED.slots[1:]), "hp": (9, 9, 9, 0, 0, 9)},
        ),
        (GEARED, {"swapped": (0,), "acted": (0,)}),
        (GEARED, {"gone": ((0, "herb"),) * 2}),
        (GEARED, {"used": ((0, "song"), (0, "tale"))}),
        (GEARED, {"spent": ((0, "last word"),), "allowed": ((0, "tale"),)}),
        (GEARED, {"basis": ((99, 99),) * 6, "passed": (1, 4), "acted": (0, 1)}),
        (GEARED, {"imbued": ((1, Element.FIRE),), "fading": ((1, 99),)}),
        (GEARED, {"lasting": (lasts(0, Buff("agility", 2), 0), lasts(5, POISON, 99))}),
        (AMBUSHED, {"ambush": None, "held": False, "slots": GEARED.slots}),
        (OVER, {"lasting": (lasts(0, POISON, 2),)}),
    ],
)
def test_what_a_battle_can_reach(state: State, changed: dict[str, Any]) -> None:
    assert said(state, **changed) == "nothing"


def test_a_row_is_shared_after_a_revival() -> None:
    brute = replace(BRIDGE.combatants[3], abilities=(RISE,))
    people = (*BRIDGE.combatants[:3], brute, *BRIDGE.combatants[4:])
    risen = ready(replace(BRIDGE, combatants=people)).moved(0, Slot.ENEMY_FRONT)
    assert said(risen) == "nothing" and positions.can_revive(risen.setup)
    assert not positions.can_revive(BRIDGE)


def test_ambushers_first_then_the_others() -> None:
    setup = replace(SURPRISED.setup, variant=Variant(ambush_mode="act_first"))
    first = ready(setup)
    assert said(first) == said(first, held=False) == "nothing"
    assert said(first, ambush=None, held=False) == "nothing"


# ---- what a page shows ---------------------------------------------------------------


def test_the_order_on_the_page_has_nobody_who_has_left() -> None:
    smoke = ability("smoke", Timing.STANDARD, effects=(abilities.Escape(),))
    aki = replace(BRIDGE.combatants[0], abilities=(smoke,))
    setup = replace(BRIDGE, combatants=(aki, *BRIDGE.combatants[1:]))
    game = tk.Game(setup, seed=7)
    game.answer(formation.magic.Use("smoke", "Aki"))
    frames, _ = Film(game).new()
    orders = [frame["order"] for frame in frames if "order" in frame]
    assert 0 in orders[-2] and 0 not in orders[-1] and len(orders[-1]) == 5
    last = [frame for frame in frames if "order" in frame][-1]
    assert last["set"]["token-0"] is None and "badge-left" in last["set"]
    assert "Aki has left the battle" in tk.Board(game.state).text()
    assert system.notes(game.state, 0) == ["has left"]


def test_the_order_on_the_page_begins_with_ambushers_who_act_first() -> None:
    first = ready(replace(SURPRISED.setup, variant=Variant(ambush_mode="act_first")))
    assert formation.FORMATION.order(first) == (0, 2, 1, 4, 5, 3)
    assert formation.FORMATION.order(AMBUSHED) == AMBUSHED.order
    assert system.notes(first, 3) == ["taken by surprise"]
    assert system.notes(first.hurt(3, 14), 3) == ["down"]


# ---- battles of all kinds ------------------------------------------------------------


def some_effects(dice: random.Random) -> tuple[Any, ...]:
    """One or two effects of any kind."""
    turns = dice.choice([None, 0, 1, 3])
    pool = [
        Buff("agility", dice.choice([-3, 4]), turns),
        dice.choice([abilities.ASLEEP, replace(abilities.STOPPED, turns=1), POISON]),
        Ailment("hiccups", turns=turns),
        Regeneration(2, turns),
        abilities.Heal(),
        abilities.Refresh(),
        abilities.Revive(),
        abilities.Imbue(dice.choice([*Element]), turns),
        abilities.Cure(),
        abilities.Escape(),
    ]
    return tuple(dice.sample(pool, dice.choice([1, 2])))


def a_deed(dice: random.Random, name: str, make: Any) -> Any:
    """An ability of any timing, or an item."""
    foes, own = [Target.ONE, Target.ROW, Target.ALL], [Target.ALLY, Target.ALLIES]
    effects = some_effects(dice)
    revives = [one for one in effects if isinstance(one, abilities.Revive)]
    hostile = dice.random() < 0.5 and not revives
    attack = hostile and dice.random() < 0.6
    if not attack and all(isinstance(one, abilities.ONLY_HELPS) for one in effects):
        hostile = False
    needs = attack or any(isinstance(one, abilities.NEEDS_A_VALUE) for one in effects)
    value = Amount(("magic_power",), 2, dice.choice(["", "2D6", "1D6"]))
    more: dict[str, Any] = {
        "name": name,
        "target": dice.choice(foes if hostile else [*own, Target.SELF]),
        "range": dice.choice([None, Range(1), Range(3)]),
        "element": dice.choice([*Element]),
        "damage": dice.choice([Damage.NORMAL, Damage.FIXED]) if attack else Damage.NONE,
        "value": value if needs else None,
        "effects": (*revives, *[one for one in effects if one not in revives]),
    }
    if make is Item:
        return Item(**more, consumed_on_use=dice.random() < 0.8)
    timing = dice.choice([*Timing])
    if timing == Timing.ALWAYS:
        lasting = (Buff("agility", 1), Regeneration(1))
        return Ability(name=name, timing=timing, target=Target.SELF, effects=lasting)
    special = timing == Timing.SPECIAL
    return Ability(
        **more,
        timing=timing,
        mp_cost=dice.choice([0, 1, 2]),
        trigger=dice.choice([*Trigger]) if special else None,
        usable_when_unable=dice.random() < 0.2,
        allowed_in_battle=dice.random() < 0.8,
    )


def a_weapon(dice: random.Random, name: str) -> Weapon:
    """A weapon that may take rows, strike twice, or do more on a critical."""
    return Weapon(
        name,
        dice.choice([Range(1), Range(2), Range(3, min=2)]),
        target=dice.choice(["one", "one", "row"]),
        attacks=dice.choice([1, 1, 2]),
        on_critical=dice.choice([None, abilities.CONFUSED, Buff("agility", -2, 2)]),
    )


def somebody(dice: random.Random, name: str, side: Side) -> Combatant:
    """Somebody with all that a sheet may hold."""
    known = [
        a_deed(dice, f"{name} {n}", Ability) for n in range(dice.choice([0, 1, 3]))
    ]
    carried = [a_deed(dice, "vial", Item)] * dice.choice([0, 1, 2])
    return Combatant(
        name,
        side,
        a_weapon(dice, "first"),
        dice.choice([6, 10, 14]),
        dice.choice([3, 6]),
        2,
        2,
        dice.randrange(3, 8),
        dice.randrange(3, 6),
        magic_power=2,
        mp_max=dice.choice([0, 0, 4, 9]),
        sub_weapon=a_weapon(dice, "second") if dice.random() < 0.5 else None,
        abilities=tuple(known),
        items=tuple(carried),
        is_intelligent=dice.random() < 0.5,
        ailments=(POISON,) if dice.random() < 0.2 else (),
    )


def a_battle(seed: int) -> Encounter:
    """An encounter of any kind."""
    dice = random.Random(seed)
    pcs = [somebody(dice, f"P{n}", Side.PC) for n in range(dice.choice([1, 2, 3]))]
    foes = [somebody(dice, f"E{n}", Side.ENEMY) for n in range(dice.choice([1, 2, 3]))]
    rows = [dice.choice([Slot.PC_BACK, Slot.PC_FRONT]) for _ in pcs]
    rows += [dice.choice([Slot.ENEMY_FRONT, Slot.ENEMY_BACK]) for _ in foes]
    variant = Variant(
        flee_tie=dice.choice(["success", "failure"]),
        empty_row_rule=dice.choice(["invade", "invade", "auto_advance", "off"]),
        reorder_each_turn=dice.random() < 0.7,
        ambush_mode=dice.choice(["full_turn", "act_first"]),
        late_recovery=dice.choice(["act_before_turn_end", "wait_next_turn"]),
        row_attack_roll=dice.choice(["shared", "per_target"]),
    )
    return Encounter(
        (*pcs, *foes),
        tuple(rows),
        variant=variant,
        imbued=(("P0", Element.FIRE),) if dice.random() < 0.3 else (),
        ambush=dice.choice([None, Side.PC, Side.ENEMY]),
    )


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_every_position_of_every_kind_of_battle_is_taken(start: int) -> None:
    for seed in range(start, start + 20):
        encounter = a_battle(seed)
        try:
            game = tk.Game(encounter, seed=seed).play(random_legal, 120)
        except Endless:
            continue  # all asleep, and nobody to wake them
        for node in game.nodes:
            if node.position is not None:
                assert said(node.position) == "nothing", seed


@pytest.mark.parametrize("name", formation.samples)
def test_every_position_of_every_sample_is_taken(name: str) -> None:
    for policy in (formation.sensible, random_legal):
        game = tk.Game(formation.samples[name], seed=5).play(policy, 300)
        for node in game.nodes:
            if node.position is not None:
                assert said(node.position) == "nothing"


# ---- broken saves --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("mp", [99, 0, 0, 0, 0, 0], "mp[0]: expected 0 to 6, got 99"),
        ("gone", [[0, "lens"]], "gone: expected some of "),
        ("held", "yes", "state.held: Expected `bool`, got `str`"),
        ("lasting", [{"who": 9, "effect": {"type": "cure"}}], "state.lasting: Invalid"),
        ("held", True, "held: expected False without an ambush, got True"),
    ],
)
def test_a_broken_save(tmp_path: Path, place: str, value: Any, words: str) -> None:
    saved = msgspec.json.decode(to_json(tk.Game(GEARED.setup, at=GEARED)))
    saved["start"][place] = value
    file = tmp_path / "broken.json"
    file.write_bytes(msgspec.json.encode(saved))
    with pytest.raises(tk.Broken) as broken:
        tk.Game.load(file)
    assert "a position to begin at" in str(broken.value) and words in str(broken.value)
