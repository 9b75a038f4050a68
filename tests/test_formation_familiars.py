"""Familiars: what they have, and when they can act."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import tabletop_kit as tk
from tabletop_kit import formation
from tabletop_kit.formation import (
    Attack,
    Element,
    State,
    abilities,
    attacks,
    familiars,
    reactions,
    states,
    targets,
    turns,
)
from tabletop_kit.formation.abilities import (
    Ability,
    AbilityKind,
    Ailment,
    Amount,
    Buff,
    Damage,
    Familiar,
    FamiliarKind,
    Target,
    Timing,
)
from tabletop_kit.formation.magic import Use

AKI, REN, _, BRUTE, _, SLINGER = range(6)
BRIDGE = formation.samples["footbridge"]


def of_it(name: str, timing: Timing, **more: Any) -> Ability:
    """A familiar's skill."""
    kind = AbilityKind.FAMILIAR_SKILL
    return Ability(name=name, kind=kind, timing=timing, **more)


BLOW: dict[str, Any] = {
    "element": Element.AIR,
    "damage": Damage.NORMAL,
    "value": Amount(constant=4),
}
CAT = Familiar(
    FamiliarKind.ANIMALOID,
    (
        of_it("pounce", Timing.FOLLOW_UP, **BLOW),
        of_it("claw", Timing.STANDARD, **BLOW),
        of_it(
            "luck",
            Timing.ALWAYS,
            target=Target.SELF,
            effects=(Buff("magic_defense", 2),),
        ),
    ),
)


def with_cat() -> State:
    """Turn 1 on the footbridge, a cat beside Ren."""
    people = list(BRIDGE.combatants)
    own = Ability(name="hymn", effects=(Buff("agility", 1),), target=Target.ALLY)
    people[REN] = replace(people[REN], familiar=CAT, abilities=(own,))
    setup = replace(BRIDGE, combatants=tuple(people))
    return tk.play(turns.prepare, states.opening(setup)).result


def follow_ups(state: State) -> list[Any]:
    return list(reactions.FollowUps(state, REN, AKI).values(Use))


def test_FM_FAM_01_each_color_has_its_kind() -> None:
    kinds = {color: familiars.kind_of(color) for color in ("white", "black", "red")}
    assert list(kinds.values()) == list(FamiliarKind)
    assert set(familiars.COLORS) == set(FamiliarKind)
    with pytest.raises(ValueError, match=r"expected white, black, red, got 'green'"):
        familiars.kind_of("green")


def test_FM_FAM_02_a_familiar_is_nobody_of_its_own() -> None:
    state = with_cat()
    assert len(state.hp) == len(state.order) == len(state.slots) == 6
    assert familiars.skills(state, REN) == CAT.skills
    assert familiars.skills(state, AKI) == ()
    for who in range(6):
        for answer in turns.Actions(state, who).thinkable():
            assert getattr(answer, "target", "Ren") in {
                *BRIDGE.names,
                *targets.ROWS,
                "all",
            }


def test_FM_FAM_02_a_standard_skill_is_the_owners_action() -> None:
    state = with_cat()
    claw = Use("claw", "Brute")
    done = tk.play(turns.act, state, REN, answers=[claw]).result
    assert done.acted == (REN,) and done.hp[BRUTE] == 14 - (4 - 1)
    refused = turns.Actions(done, REN).why_not(claw)
    assert "already_acted" in [reason.code for reason in refused]


@pytest.mark.parametrize("able_while", [abilities.CONFUSED, Ailment("poison")])
def test_FM_FAM_03_it_acts_as_long_as_its_owner_can(able_while: Ailment) -> None:
    state = with_cat().gains(REN, able_while).hurt(REN, 11)
    assert familiars.is_able(state, REN) and len(follow_ups(state)) == 3
    pounce = Use("pounce", "Brute")
    answers = [(1, 1), pounce]
    struck = tk.play(attacks.attack_once, state, AKI, BRUTE, answers=answers).result
    assert struck.hp[BRUTE] == 14 - 3 and struck.acted == (AKI,)
    assert not familiars.is_able(with_cat(), AKI)  # nobody follows her


@pytest.mark.parametrize("ailment", [abilities.STOPPED, abilities.ASLEEP, None])
def test_FM_EDGE_37_it_stops_with_its_owner_but_for_what_is_always_in_force(
    ailment: Ailment | None,
) -> None:
    state = with_cat()
    state = state.hurt(REN, 12) if ailment is None else state.gains(REN, ailment)
    assert not familiars.is_able(state, REN)
    assert follow_ups(state) == []
    missed = tk.play(attacks.attack_once, state, AKI, BRUTE, answers=[(1, 1)])
    assert missed.result.hp[BRUTE] == 14  # nobody was asked
    assert state.total(REN, "magic_defense") == 3 + 2
    reasons = turns.Actions(state, REN).why_not(Use("claw", "Brute"))
    assert reasons[0].clause == "FM-TIME-13"
    for name in ("cat", "animaloid", "pounce"):
        (refused,) = attacks.Attacks(state, SLINGER).why_not(Attack(name))
        assert refused.code == "no_such_target"
