"""Formation Battle, items: what is equipped, what is gone, and the eight actions."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.formation import (
    Combatant,
    Defend,
    Element,
    Encounter,
    Range,
    Side,
    Slot,
    State,
    Step,
    Variant,
    Weapon,
    abilities,
    attacks,
    items,
    magic,
    states,
    turns,
)
from tabletop_kit.formation.abilities import (
    Ability,
    Amount,
    Buff,
    Damage,
    Heal,
    Item,
    Revive,
    Target,
    Timing,
)
from tabletop_kit.formation.items import UseItem

CLAW = Weapon("claw", Range(1))
MIA, ANN, BEN, CAT = range(4)

POTION = Item(
    name="potion", target=Target.ALLY, value=Amount(constant=6), effects=(Heal(),)
)
SALTS = Item(
    name="salts", target=Target.ALLY, value=Amount(dice="2D6"), effects=(Revive(),)
)
POT = Item(
    name="pot",
    range=Range(2),
    element=Element.FIRE,
    damage=Damage.NORMAL,
    value=Amount(constant=3, dice="2D6"),
)
BOMB = replace(POT, name="bomb", target=Target.ROW)
HORN = Item(
    name="horn",
    target=Target.ALLIES,
    effects=(Buff("attack_power", 1),),
    consumed_on_use=False,
)
SPARK = Ability(
    name="spark",
    element=Element.LIGHTNING,
    damage=Damage.NORMAL,
    value=Amount(constant=5),
)


def person(name: str, side: Side, **more: Any) -> Combatant:
    return Combatant(name, side, CLAW, 20, 5, 3, 2, 5, 5, **more)


BELT = (POTION, POT, POTION, SALTS, BOMB)
PEOPLE = (
    person("Mia", Side.PC, items=BELT, abilities=(SPARK,), sub_weapon=CLAW),
    person("Ann", Side.PC, items=(HORN,)),
    person("Ben", Side.ENEMY, items=(replace(POTION, name="brew"),)),
    person("Cat", Side.ENEMY),
)
SETUP = Encounter(
    PEOPLE, (Slot.PC_FRONT, Slot.PC_BACK, Slot.ENEMY_FRONT, Slot.ENEMY_BACK)
)
START = replace(
    states.opening(SETUP), phase=formation.Phase.COMBAT, order=tuple(range(4))
)


def use(
    state: State, item: str, target: str, *faces: tuple[int, ...], who: int = MIA
) -> Any:
    answer = UseItem(item, target)
    return tk.play(items.use_item, state, who, answer, faces=faces)


def codes(state: State, item: str, target: str, who: int = MIA) -> list[str]:
    reasons = turns.Actions(state, who).why_not(UseItem(item, target))
    return [reason.code for reason in reasons]


def words(played: Any) -> list[str]:
    return [event.words(SETUP.name_of) for event in played.events]


def test_FM_ACT_12_only_what_is_equipped() -> None:
    assert codes(START, "potion", "Ann") == []
    assert codes(START, "horn", "all") == ["not_equipped"]  # on a friend's belt
    assert codes(START, "brew", "Mia") == ["no_such_item"]  # on an enemy's
    assert codes(START, "elixir", "Mia") == ["no_such_item"]  # in the bag
    [reason] = turns.Actions(START, MIA).why_not(UseItem("horn", "all"))
    assert reason.clause == "FM-ACT-12"
    assert codes(START, "brew", "Ben", who=BEN) == []


def test_FM_ACT_12_it_is_the_action_of_who_can_act() -> None:
    assert use(START, "potion", "Ann").result.acted == (MIA,)
    assert codes(START.done(MIA), "potion", "Ann") == ["already_acted"]
    assert codes(START.hurt(MIA, 20), "potion", "Ann") == ["unconscious"]
    assert codes(START.gains(MIA, abilities.STOPPED), "pot", "Ben") == ["unable"]


def test_FM_ACT_12_targets_as_the_item_says() -> None:
    assert codes(START, "potion", "Ben") == ["not_own"]
    assert codes(START, "pot", "Ann") == ["own_side"]
    assert codes(START, "pot", "Cat") == []
    assert codes(START.moved(MIA, Slot.PC_BACK), "pot", "Cat") == ["too_far"]
    assert codes(START, "salts", "Ann") == ["not_down"]
    assert codes(START, "bomb", "PC back") == ["nobody"]
    assert codes(START, "bomb", "Ben") == ["no_such_target"]


def test_FM_ACT_12_what_it_does() -> None:
    healed = use(START.hurt(ANN, 9), "potion", "Ann")
    assert healed.result.hp[ANN] == 17
    assert words(healed) == ["Mia uses up potion: heal 6.", "Ann recovers 6 HP."]
    burned = use(START, "pot", "Ben", (3, 4))
    assert burned.result.hp[BEN] == 20 - (3 + 7 - 2)
    assert words(burned)[1] == "Ben takes 8 fire damage: 10 − 2."
    raised = use(START.hurt(ANN, 20), "salts", "Ann", (2, 3))
    assert raised.result.hp[ANN] == 5


def test_FM_ACT_13_one_is_gone_with_each_use() -> None:
    once = use(START, "potion", "Ann")
    assert once.told[0].gone == ((MIA, "potion"),)  # before it works
    again = replace(once.result, acted=())
    assert codes(again, "potion", "Ann") == []  # two were equipped
    twice = replace(use(again, "potion", "Ann").result, acted=())
    assert codes(twice, "potion", "Ann") == ["none_left"]
    assert [item.name for item in twice.items(MIA)] == ["pot", "salts", "bomb"]
    [reason] = turns.Actions(twice, MIA).why_not(UseItem("potion", "Ann"))
    assert reason.clause == "FM-ACT-13"


def test_FM_ACT_13_it_is_gone_for_the_whole_battle() -> None:
    used = use(START, "pot", "Ben", (3, 4)).result
    later = tk.play(turns.end_turn, replace(used, acted=tuple(range(4)))).result
    assert codes(later, "pot", "Ben") == ["none_left"]


def test_FM_ACT_13_a_fumble_uses_it_up() -> None:
    missed = use(START, "pot", "Ben", (1, 1))
    assert missed.result.gone == ((MIA, "pot"),) and missed.result.hp == START.hp
    assert words(missed)[1:] == ["Mia misses Ben."]


def test_FM_ACT_13_an_item_that_stays() -> None:
    blown = use(START, "horn", "all", who=ANN)
    assert blown.result.gone == () and blown.result.acted == (ANN,)
    assert words(blown)[0] == "Ann uses horn, which stays: attack power +1."
    assert codes(replace(blown.result, acted=()), "horn", "all", who=ANN) == []


def test_FM_ACT_13_two_of_a_kind_are_offered_once() -> None:
    legal = list(turns.Actions(START, MIA).values(UseItem))
    assert legal.count(UseItem("potion", "Ann")) == 1
    assert len(legal) == 2 + 2 + 2  # potions at two, the pot and the bomb at two each
    thinkable = list(turns.Actions(START, MIA).thinkable())
    assert UseItem("horn", "all") in thinkable  # refused, with its reason


def test_FM_ACT_12_one_item_of_a_name_is_ones_own() -> None:
    weak = replace(POTION, value=Amount(constant=1))
    people = (
        replace(PEOPLE[MIA], items=(weak,)),
        replace(PEOPLE[ANN], items=(POTION,)),
    )
    setup = replace(SETUP, combatants=(*people, *PEOPLE[BEN:]))
    state = replace(START, setup=setup).hurt(ANN, 9)
    assert use(state, "potion", "Ann").result.hp[ANN] == 12
    assert use(state, "potion", "Ann", who=ANN).result.hp[ANN] == 17


def test_FM_TIME_06_an_item_is_answered_but_not_followed_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def when_attacked(ask: Any, state: State, who: int, targets: Any) -> State:
        asked.append(targets)
        return state

    def follow_up(ask: Any, state: State, who: int) -> State:
        raise AssertionError("an item was followed up")

    monkeypatch.setattr(formation.reactions, "when_attacked", when_attacked)
    monkeypatch.setattr(formation.reactions, "follow_up", follow_up)
    use(START, "pot", "Ben", (3, 4))
    use(START, "potion", "Ann")
    assert asked == [(BEN,)]


def test_FM_ACT_07_a_thrown_row_by_either_house_rule() -> None:
    both = START.moved(CAT, Slot.ENEMY_FRONT)
    shared = use(both, "bomb", "enemy front", (3, 4)).result
    assert shared.hp[BEN:] == (12, 12)
    rule = Variant(row_attack_roll="per_target")
    each = replace(both, setup=replace(SETUP, variant=rule))
    assert use(each, "bomb", "enemy front", (3, 4), (1, 1)).result.hp[BEN:] == (12, 20)


def test_FM_ACT_02_which_of_the_eight() -> None:
    menu = turns.Actions(START, MIA)

    def number(answer: Any) -> int | None:
        return items.number_of(menu, answer)

    assert number(attacks.Attack("Ben")) == 1
    assert number(magic.Use("spark", "Ben")) == 2
    assert number(UseItem("pot", "Ben")) == 3
    assert number(Step()) == 4
    assert number(Defend()) == 6
    assert number(turns.Pass()) is None
    numbers = {number(answer) for answer in menu.values()}
    assert numbers == {None, *range(1, 9)}
    clauses = [clause for one in items.EIGHT_ACTIONS for clause in one.clauses]
    assert len(set(clauses)) == len(clauses)


def test_FM_ACT_02_an_instant_is_none_of_them() -> None:
    quick = replace(SPARK, timing=Timing.INSTANT)
    people = (replace(PEOPLE[MIA], abilities=(quick,)), *PEOPLE[ANN:])
    state = replace(START, setup=replace(SETUP, combatants=people))
    menu = turns.Actions(state, MIA)
    assert items.number_of(menu, magic.Use("spark", "Ben")) is None


def test_FM_ACT_02_nobody_acts_who_is_not_able() -> None:
    for state in (START.hurt(MIA, 20), START.gains(MIA, abilities.ASLEEP)):
        assert not turns.Actions(state, MIA).any()


def test_battles_with_items_come_to_an_end() -> None:
    frame = tk.simulate(SETUP, battles=8, policy=tk.random_legal, seed=3)
    assert frame.height == 8
