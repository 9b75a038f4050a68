"""Entering rows: what closes one, how far one gets, sharing, and closing up."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.core.menus import Menu
from tabletop_kit.formation import (
    Attack,
    Defend,
    Slot,
    State,
    Step,
    Variant,
    abilities,
    attacks,
    entering,
    magic,
    measures,
    rows,
    states,
    turns,
)
from tabletop_kit.formation.entering import Enter, Entered, Return, Returned

BRIDGE = formation.samples["footbridge"]
AKI, REN, MIO, BRUTE, WOLF, SLINGER = range(6)
READY = tk.play(turns.prepare, states.opening(BRIDGE)).result
EMPTIED = READY.hurt(BRUTE, 14).hurt(WOLF, 8)
PC_BACK, PC_FRONT, ENEMY_FRONT, ENEMY_BACK = Slot
ROWS = ("PC back", "PC front", "enemy front", "enemy back")


def codes(state: State, who: int, answer: Any) -> list[str]:
    return [one.code for one in turns.Actions(state, who).why_not(answer)]


def goes(state: State, who: int, answer: Any) -> State:
    result: State = tk.play(turns.act, state, who, answers=[answer]).result
    return result


def offered(state: State, who: int) -> list[str]:
    return [answer.row for answer in turns.Actions(state, who).values(Enter)]


def ruled(state: State, **rules: Any) -> State:
    return replace(state, setup=replace(state.setup, variant=Variant(**rules)))


def fall(state: State, who: int) -> State:
    result: State = tk.play(attacks.fell, state.hurt(who, 99), who).result
    return result


# ---- going in ----------------------------------------------------------------------


def test_FM_EDGE_30_a_sleeper_holds_a_row_and_the_fallen_do_not() -> None:
    dozing = READY.hurt(BRUTE, 14).gains(WOLF, abilities.ASLEEP)
    assert codes(dozing, AKI, Enter("enemy front")) == ["row_held"]
    assert offered(dozing, AKI) == []
    assert offered(dozing.hurt(WOLF, 8), AKI) == ["enemy front"]
    assert offered(READY.hurt(WOLF, 8).gains(BRUTE, abilities.STOPPED), AKI) == []


def test_FM_INV_02_the_reason_names_who_holds_the_row() -> None:
    (reason,) = turns.Actions(READY.hurt(BRUTE, 14), AKI).why_not(Enter("enemy front"))
    assert (reason.clause, reason.sentence) == ("FM-INV-02", "Wolf holds that row.")


def test_rows_are_called_by_the_names_of_their_sides() -> None:
    own = replace(BRIDGE, pcs="Wayfarers", enemies="Toll gang")
    menu = turns.Actions(replace(EMPTIED, setup=own), AKI)
    assert menu.words(Enter("enemy front")) == "enter the front row of Toll gang"
    assert (
        menu.words(magic.Use("blast", "PC back"))
        == "use blast on the back row of Wayfarers"
    )
    assert menu.words(magic.Use("blast", "Mio")) == "use blast on Mio"
    game = tk.Game(own, at=replace(EMPTIED, setup=own)).answer(Enter("enemy front"))
    assert "Aki enters the front row of Toll gang." in game.words()
    replay = tk.Replay(game)
    assert "Aki enters the front row of Toll gang." in replay.words().splitlines()
    film = tk.study(tk.Game(own, at=replace(EMPTIED, setup=own))).frames
    bound = [
        option["bound"]
        for kind in film[-1]["question"]["kinds"]
        for option in kind["options"]
        if option["key"] == '{"type":"enter","row":"enemy front"}'
    ]
    assert bound == [[["the front row of Toll gang"]]]
    homonym = replace(own.combatants[AKI], name="enemy front")
    own = replace(own, combatants=(homonym, *own.combatants[1:]))
    assert own.name_of("enemy front") == "enemy front"


def test_FM_EDGE_31_distances_go_on_along_the_line() -> None:
    inside = goes(EMPTIED, AKI, Enter("enemy front"))
    assert inside.slots[AKI] == ENEMY_FRONT and inside.acted == (AKI,)
    assert rows.distance(inside.slots[AKI], inside.slots[SLINGER]) == 1
    assert rows.distance(inside.slots[REN], inside.slots[SLINGER]) == 3
    fresh = replace(inside, acted=())
    assert codes(fresh, AKI, Attack("Slinger")) == []
    assert codes(fresh, SLINGER, Attack("Aki")) == []
    assert codes(EMPTIED, AKI, Attack("Slinger")) == ["too_far"]


@pytest.mark.parametrize(
    ("here", "open_to"),
    [
        (PC_BACK, []),
        (PC_FRONT, ["enemy front"]),
        (ENEMY_FRONT, ["enemy back"]),
        (ENEMY_BACK, ["enemy front"]),
    ],
)
def test_FM_INV_01_one_step_along_the_line(here: Slot, open_to: list[str]) -> None:
    empty = EMPTIED.hurt(SLINGER, 9).moved(AKI, here)
    assert offered(empty, AKI) == open_to
    legal = [row for row in ROWS if not codes(empty, AKI, Enter(row))]
    assert legal == open_to


@pytest.mark.parametrize(
    ("here", "open_to"),
    [
        (ENEMY_BACK, []),
        (ENEMY_FRONT, ["PC front"]),
        (PC_FRONT, ["PC back"]),
        (PC_BACK, ["PC front"]),
    ],
)
def test_FM_INV_03_the_same_for_enemies(here: Slot, open_to: list[str]) -> None:
    empty = READY.hurt(AKI, 16).hurt(REN, 12).hurt(MIO, 10).moved(WOLF, here)
    assert offered(empty, WOLF) == open_to
    assert [row for row in ROWS if not codes(empty, WOLF, Enter(row))] == open_to


def test_FM_INV_03_each_row_by_itself() -> None:
    door = READY.hurt(AKI, 16)
    assert offered(door, BRUTE) == offered(door, WOLF) == ["PC front"]
    played = tk.play(turns.act, door, WOLF, answers=[Enter("PC front")])
    assert played.events == [Entered(WOLF, "PC front", under=("FM-INV-03",))]
    within = replace(played.result, acted=())
    assert codes(within, WOLF, Enter("PC back")) == ["row_held"]
    assert codes(within, WOLF, Attack("Mio")) == []
    assert offered(within, BRUTE) == ["PC front"]  # a friend closes nothing


def test_FM_INV_01_reasons_against_entering() -> None:
    assert codes(EMPTIED, AKI, Enter("enemy back")) == ["not_next", "row_held"]
    (far, _) = turns.Actions(EMPTIED, AKI).why_not(Enter("enemy back"))
    assert far.sentence == "Too far: 2 steps, you can make 1."
    assert codes(EMPTIED, AKI, Enter("PC back")) == ["no_such_row"]
    inside = goes(EMPTIED, AKI, Enter("enemy front"))
    assert codes(inside, AKI, Enter("enemy front")) == [
        "already_acted",
        "already_there",
    ]
    assert codes(EMPTIED.hurt(AKI, 16), AKI, Enter("enemy front")) == ["unconscious"]
    asleep = EMPTIED.gains(AKI, abilities.ASLEEP)
    assert codes(asleep, AKI, Enter("enemy front")) == ["unable"]


def test_FM_INV_01_a_row_never_used_and_one_that_was_left() -> None:
    gate = tk.play(
        turns.prepare, states.opening(formation.samples["gate_ambush"])
    ).result
    assert offered(gate.moved(0, ENEMY_FRONT), 0) == ["enemy back"]
    assert offered(READY.left(BRUTE).left(WOLF), AKI) == ["enemy front"]
    assert offered(READY.moved(BRUTE, ENEMY_BACK).hurt(WOLF, 8), AKI) == ["enemy front"]


@pytest.mark.parametrize("rule", ["auto_advance", "off"])
def test_only_invade_lets_rows_be_entered(rule: str) -> None:
    state = ruled(EMPTIED, empty_row_rule=rule)
    assert offered(state, AKI) == []
    (reason,) = turns.Actions(state, AKI).why_not(Enter("enemy front"))
    assert reason.code == "not_played"
    assert reason.sentence == f"Nobody enters: you play {rule}."


# ---- one's own rows ----------------------------------------------------------------


def test_FM_INV_02_an_invader_closes_your_own_row() -> None:
    within = READY.hurt(AKI, 16).moved(WOLF, PC_FRONT)
    (reason,) = turns.Actions(within, REN).why_not(Step())
    assert (reason.clause, reason.sentence) == ("FM-INV-02", "Wolf holds that row.")
    assert list(turns.Actions(within, REN).values(Step)) == []
    for gone in (within.hurt(WOLF, 8), within.left(WOLF)):
        assert list(turns.Actions(gone, REN).values(Step)) == [Step()]
    asleep = within.gains(WOLF, abilities.ASLEEP)
    assert codes(asleep, REN, Step()) == ["row_held"]
    held_back = READY.moved(AKI, ENEMY_BACK).moved(SLINGER, ENEMY_FRONT)
    assert codes(held_back, BRUTE, Step()) == ["row_held"]


def test_no_step_within_their_rows() -> None:
    for here in (ENEMY_FRONT, ENEMY_BACK):
        inside = EMPTIED.hurt(SLINGER, 9).moved(AKI, here)
        assert codes(inside, AKI, Step()) == ["away"]
    assert codes(EMPTIED.moved(AKI, ENEMY_FRONT), AKI, Step()) == ["away"]  # no more
    assert codes(READY.moved(WOLF, PC_FRONT), WOLF, Step()) == ["away"]
    assert codes(READY, AKI, Step()) == codes(READY, WOLF, Step()) == []
    assert codes(READY, REN, Step()) == codes(READY, SLINGER, Step()) == []


# ---- sharing and going back --------------------------------------------------------

DAWN = abilities.Ability(
    name="dawn",
    target=abilities.Target.ALLY,
    value=abilities.Amount(constant=5),
    effects=(abilities.Revive(),),
)
BLAST = abilities.Ability(
    name="blast",
    target=abilities.Target.ROW,
    element=measures.Element.FIRE,
    damage=abilities.Damage.FIXED,
    value=abilities.Amount(constant=2),
)


def having(state: State, who: int, ability: abilities.Ability) -> State:
    people = list(state.setup.combatants)
    people[who] = replace(people[who], abilities=(ability,))
    return replace(state, setup=replace(state.setup, combatants=tuple(people)))


def shared() -> State:
    """Aki in the enemy front row, where the wolf has stood up again beside her."""
    inside = having(EMPTIED.moved(AKI, ENEMY_FRONT), SLINGER, DAWN)
    return replace(goes(inside, SLINGER, magic.Use("dawn", "Wolf")), acted=())


def test_FM_INV_04_who_is_revived_stands_up_where_they_fell() -> None:
    state = shared()
    assert state.hp[WOLF] == 5
    assert state.slots[WOLF] == state.slots[AKI] == ENEMY_FRONT
    assert rows.distance(state.slots[WOLF], state.slots[AKI]) == 1
    assert codes(state, AKI, Attack("Wolf")) == codes(state, WOLF, Attack("Aki")) == []
    mirrored = having(READY.hurt(AKI, 16).moved(WOLF, PC_FRONT), MIO, DAWN)
    both = replace(goes(mirrored, MIO, magic.Use("dawn", "Aki")), acted=())
    assert both.slots[AKI] == both.slots[WOLF] == PC_FRONT
    assert codes(both, AKI, Attack("Wolf")) == codes(both, WOLF, Attack("Aki")) == []


def test_FM_EDGE_32_range_2_in_a_shared_row() -> None:
    state = shared().moved(REN, ENEMY_FRONT)
    assert state.weapon(REN).range == measures.Range(2)
    assert codes(state, REN, Attack("Wolf")) == []
    assert codes(ruled(state, range_rule="band"), REN, Attack("Wolf")) == ["too_near"]


def test_FM_EDGE_21_a_row_of_enemies_is_not_who_stands_among_them() -> None:
    state = having(shared(), MIO, BLAST)
    struck = goes(state, MIO, magic.Use("blast", "enemy front"))
    assert struck.hp[WOLF] == 5 - 2 and struck.hp[AKI] == 16
    theirs = having(shared(), SLINGER, BLAST)
    back = goes(theirs, SLINGER, magic.Use("blast", "enemy front"))
    assert back.hp[AKI] == 16 - 2 and back.hp[WOLF] == 5


@pytest.mark.parametrize("here", [ENEMY_FRONT, ENEMY_BACK])
def test_FM_INV_05_back_from_either_row_in_one_action(here: Slot) -> None:
    played = tk.play(turns.act, EMPTIED.moved(AKI, here), AKI, answers=[Return()])
    assert played.result.slots[AKI] == PC_FRONT and played.result.acted == (AKI,)
    assert played.events == [Returned(AKI)]
    assert played.told == [played.result]


def test_FM_INV_05_when_there_is_no_going_back() -> None:
    assert codes(shared(), AKI, Return()) == []
    barred = shared().moved(BRUTE, PC_FRONT)
    assert codes(barred, AKI, Return()) == []  # the brute is down
    assert codes(barred.healed(BRUTE, 1), AKI, Return()) == ["row_held"]
    assert codes(barred.healed(BRUTE, 1).left(BRUTE), AKI, Return()) == []
    assert codes(shared(), REN, Return()) == ["not_away"]
    invaded = READY.hurt(AKI, 16).moved(WOLF, PC_FRONT)
    assert codes(invaded, REN, Return()) == ["not_away"]
    acted = shared().done(AKI)
    assert codes(acted, AKI, Return()) == ["already_acted"]
    asleep = shared().gains(AKI, abilities.ASLEEP)
    assert codes(asleep, AKI, Return()) == ["unable"]
    wolf_inside = READY.moved(WOLF, PC_BACK)
    assert goes(wolf_inside, WOLF, Return()).slots[WOLF] == ENEMY_FRONT
    closed = wolf_inside.moved(AKI, ENEMY_FRONT)
    assert codes(closed, WOLF, Return()) == ["row_held"]


def test_what_is_offered_and_what_is_refused_are_one() -> None:
    menus: list[Menu[Any]] = [
        turns.Actions(state.moved(who, slot), who)
        for state in (READY, EMPTIED, shared(), READY.hurt(AKI, 16))
        for who in range(6)
        for slot in Slot
    ]
    for menu in menus:
        kinds = (Enter, Return, Step)
        legal = list(menu.values(*kinds))
        thinkable = [one for one in menu.thinkable() if isinstance(one, kinds)]
        assert len(thinkable) == 4
        assert legal == [one for one in thinkable if not menu.why_not(one)]


# ---- the back row moves up ---------------------------------------------------------

CLOSING = ruled(READY, empty_row_rule="auto_advance")


def test_FM_INV_06_a_lost_front_row_is_filled_at_once() -> None:
    one_left = fall(CLOSING, BRUTE)
    assert one_left.slots[SLINGER] == ENEMY_BACK
    played = tk.play(attacks.fell, one_left.hurt(WOLF, 8), WOLF)
    assert played.result.slots[SLINGER] == ENEMY_FRONT
    assert played.events[-1] == entering.ClosedUp((SLINGER,))
    assert played.told[-1] == played.result and played.result.acted == ()
    names = played.words()[-1]
    assert names == "Slinger closed up to the front."


def test_FM_INV_06_all_of_the_back_row_asleep_and_fallen_too() -> None:
    state = CLOSING.hurt(MIO, 10).gains(REN, abilities.ASLEEP)
    moved = fall(state, AKI)
    assert moved.slots[REN] == moved.slots[MIO] == PC_FRONT
    revived = moved.healed(MIO, 1)
    assert revived.slots[MIO] == PC_FRONT
    left = fall(CLOSING.left(MIO), AKI)
    assert left.slots[REN] == PC_FRONT and left.slots[MIO] == PC_BACK


def test_FM_INV_06_what_loses_no_front_row() -> None:
    assert fall(CLOSING, REN).slots == CLOSING.slots
    assert fall(fall(CLOSING, REN), MIO).slots == CLOSING.slots
    for rule in ("invade", "off"):
        assert fall(ruled(READY, empty_row_rule=rule), AKI).slots == READY.slots
    nobody_left = fall(CLOSING.hurt(REN, 12).hurt(MIO, 10), AKI)
    assert nobody_left.slots == CLOSING.slots


def test_FM_EDGE_33_a_step_back_brings_nobody_up() -> None:
    one_left = fall(CLOSING, BRUTE)
    stepped = goes(one_left, WOLF, Step())
    assert stepped.slots[WOLF] == stepped.slots[SLINGER] == ENEMY_BACK
    assert fall(stepped, WOLF).slots[SLINGER] == ENEMY_BACK
    assert goes(stepped, SLINGER, Defend()).slots[SLINGER] == ENEMY_BACK
