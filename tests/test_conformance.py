"""Every system keeps its word, and one that does not is found out."""

from __future__ import annotations

import random
from typing import Any

import campaign
import conformance
import pytest
import skirmish
import smallest
from msgspec.structs import replace
from skirmish import SAMPLES, SKIRMISH, Action, Hit, SkirmishSystem, Study

from tabletop_kit import formation
from tabletop_kit.core import systems
from tabletop_kit.core.conformance import NotASystem, check_system
from tabletop_kit.core.events import Who
from tabletop_kit.core.menus import Field, Kind, Menu, Reason

SECRET, TWO = [SAMPLES["secret"]], [SAMPLES["two"]]
tiny: Any = smallest.load()


BATTLES = {"labyrinth_battle": 13}
"""How many random battles of a system are played here; of the others, 200."""


@pytest.mark.parametrize("system", conformance.checked_systems(), ids=lambda s: s.name)
def test_random_battles(system: systems.System) -> None:
    battles = BATTLES.get(system.name, 200)
    checked = check_system(
        system,
        conformance.encounters_of(system),
        battles=battles,
        games=min(10, battles // 4),
        units=conformance.LONGEST,
    )
    assert checked.battles == battles and checked.questions > 200


@pytest.fixture(autouse=True)
def put_back() -> Any:
    """A broken system registers itself: put the sound ones back."""
    yield
    for system in (SKIRMISH, campaign.CAMPAIGN, tiny.Tiny()):
        systems.register(system)


def broken(system: systems.System, encounters: Any = None, battles: int = 3) -> str:
    """What the check says against a system."""
    with pytest.raises(NotASystem) as found:
        check_system(system, encounters, battles=battles, units=500)
    return str(found.value)


# ---- answers -----------------------------------------------------------------------


def with_action(monkeypatch: pytest.MonkeyPatch, action: type) -> str:
    monkeypatch.setattr(skirmish, "Action", action)
    return broken(SKIRMISH, TWO)


def test_a_legal_answer_that_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    first = Field(
        "target", skirmish.everyone, lambda m: m.state.foes(m.who)[:1], people=True
    )

    class Deaf(Action):
        strike = Action.kinds[0]
        kinds = (Kind(strike.make, (first,), strike.conditions), *Action.kinds[1:])

    said = with_action(monkeypatch, Deaf)
    assert said.startswith(
        "skirmish, battle 0: skirmish.action: what is offered is not"
    )


def test_an_illegal_answer_that_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    class Generous(Action):
        def values(self, *types: type) -> Any:
            yield from super().values(*types)
            yield skirmish.Strike(self.name_of(int(self.who)))

    assert "skirmish.action offers what it refuses" in with_action(
        monkeypatch, Generous
    )


def test_an_answer_that_is_offered_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stutter(Action):
        kinds = (*Action.kinds, Kind(skirmish.Wait))

    assert "offers an answer twice" in with_action(monkeypatch, Stutter)


def test_a_question_without_a_legal_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute(Action):
        kinds = tuple(k for k in Action.kinds if k.make is skirmish.Firebolt)

    assert "skirmish.action offers nothing" in with_action(monkeypatch, Mute)


def test_a_reason_without_a_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    class Curt(Action):
        kinds = (
            *Action.kinds[:-1],
            Kind(skirmish.Wait, (), ((lambda m: Reason("no", ""),),)),
        )

    said = with_action(monkeypatch, Curt)
    assert "skirmish.action: a reason without clause or words" in said


def test_an_offered_answer_whose_rule_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any) -> Any:
        raise ZeroDivisionError("no wits")

    monkeypatch.setattr(skirmish, "study", failing)
    said = broken(SKIRMISH, [SAMPLES["three"]], battles=1)
    assert "a rule failed with ZeroDivisionError: no wits" in said
    assert skirmish.Study is Study


# ---- states ------------------------------------------------------------------------


class Noted(tiny.Bout, frozen=True, cache_hash=True):  # type: ignore[misc,call-arg]
    """A state with a field that is not what it should be."""

    note: Any = None


class Noting(tiny.Tiny):  # type: ignore[misc]
    state = Noted
    note_kept: Any = None

    def start(self, encounter: Any) -> Any:
        points = encounter.points
        return Noted(encounter, (points, points), note=self.note_kept)


def test_a_state_that_json_changes() -> None:
    class Tuples(Noting):
        note_kept = (1, 2)

    assert "JSON changes the state" in broken(Tuples())

    class Objects(Noting):
        note_kept = ("x", object())

    assert "JSON changes the state: " in broken(Objects())


def test_a_state_that_cannot_be_a_key() -> None:
    class Lists(Noting):
        note_kept = [1, 2]

    assert "a state that cannot be a key: unhashable type: 'list'" in broken(Lists())


def test_a_canonical_state_that_is_not_settled() -> None:
    class Restless(tiny.Tiny):  # type: ignore[misc]
        def canonical(self, state: Any) -> Any:
            one, other = state.points
            return replace(state, points=(other, one))

    assert "canonical is not settled" in broken(Restless(), [tiny.Duel()], battles=20)


def test_a_battle_that_never_ends() -> None:
    class Endless(tiny.Tiny):  # type: ignore[misc]
        def ending(self, bout: Any) -> None:
            return None

    assert "battle 0: the battle does not end in 500 units" in broken(Endless())


def test_dice_of_its_own() -> None:
    class Cheating(tiny.Tiny):  # type: ignore[misc]
        def advance(self, ask: Any, bout: Any) -> Any:
            if random.random() < 0.5:
                ask.roll(skirmish.ONE, 0, "bout", "TY-BOUT-01")
            return super().advance(ask, bout)

    said = broken(Cheating(), battles=10)
    assert "other events" in said or "other questions" in said


def test_memory_of_its_own() -> None:
    class Remembering(tiny.Tiny):  # type: ignore[misc]
        turns = 0

        def advance(self, ask: Any, bout: Any) -> Any:
            Remembering.turns += 1
            after = super().advance(ask, bout)
            if Remembering.turns % 3 == 0 and min(after.points) > 1:
                after = replace(after, points=(after.points[0] - 1, after.points[1]))
            return after

    broken(Remembering(), [tiny.Duel(points=9)], battles=10)


def test_a_picture_that_cannot_be_drawn() -> None:
    class Blind(tiny.Tiny):  # type: ignore[misc]
        def scene(self, bout: Any, look: Any = None) -> Any:
            raise LookupError("no paint")

    assert "a rule failed with LookupError: no paint" in broken(Blind())


# ---- what is hidden ----------------------------------------------------------------


def hiding(**changes: Any) -> str:
    """What is said against a skirmish whose states hide in another way."""
    state = type("Leaky", (skirmish.Skirmish,), {**changes, "__module__": __name__})

    class Leaking(SkirmishSystem):
        pass

    Leaking.state = state  # type: ignore[assignment]

    def start(self: Any, encounter: Any) -> Any:
        sound = SkirmishSystem.start(self, encounter)
        return state(sound.setup, sound.who)

    Leaking.start = start  # type: ignore[method-assign]
    return broken(Leaking(), SECRET)


def test_a_state_that_shows_everything() -> None:
    said = hiding(seen_by=lambda self, viewer: self)
    assert "the state as side 0 sees it holds a hidden number" in said


def test_a_state_that_hides_without_a_clause() -> None:
    said = hiding(hidden_from=lambda self, viewer: None)
    assert "side 0 may not know all, and no clause says so" in said


def test_a_state_whose_sheets_everybody_knows() -> None:
    def knower(self: Any, viewer: Who) -> Any:
        return lambda who: True

    assert "side 0 can read the hidden number" in hiding(knower=knower)


def test_an_event_that_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hit, "secrets", {})
    said = broken(SKIRMISH, SECRET, battles=10)
    assert "side 0 can read the hidden number" in said


def test_a_reason_that_tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    def telling(m: Menu[Any], t: int) -> Reason | None:
        reason = skirmish.can_be_seen_through(m, t)
        return None if reason is None else replace(reason, secret_of=None)

    class Telling(Action):
        kinds = tuple(
            Kind(
                kind.make,
                kind.fields,
                ((), (*skirmish.AIM, skirmish.is_hidden, telling)),
            )
            if kind.make is Study
            else kind
            for kind in Action.kinds
        )

    monkeypatch.setattr(skirmish, "Action", Telling)
    said = broken(SKIRMISH, SECRET, battles=10)
    assert "can read the hidden number 8123" in said


def test_a_picture_that_shows_too_much() -> None:
    class Showing(SkirmishSystem):
        def note(self, state: Any, who: int) -> str:
            return f"{SAMPLES['secret'].sheets[who].hp} HP"

    said = broken(Showing(), SECRET, battles=2)
    assert "side 0 can read the hidden number 7717" in said


def test_a_campaign_that_forgets_its_inner_battle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def knower(self: Any, viewer: Who) -> Any:
        return lambda who: True

    monkeypatch.setattr(campaign.Campaign, "knower", knower)
    said = broken(campaign.CAMPAIGN, [campaign.ESCORTED], battles=10)
    assert "side 0 can read the hidden number" in said


# ---- what is no system at all, and what is left behind --------------------------------


@pytest.mark.parametrize("system", [tiny.Tiny, "tiny", None, systems.System()])
def test_what_is_no_system(system: Any) -> None:
    with pytest.raises(NotASystem, match="expected a System with a name, got"):
        check_system(system)


def test_no_battles() -> None:
    with pytest.raises(ValueError, match="battles: expected 1 or more, got 0"):
        check_system(tiny.Tiny(), battles=0)


def test_a_checked_system_is_known_only_while_it_is_checked() -> None:
    class Other(tiny.Tiny):  # type: ignore[misc]
        name = "other"

        def samples(self) -> Any:
            return {}

    with pytest.raises(NotASystem):
        check_system(Other())
    assert "other" not in systems.systems()
    known = systems.systems()["tiny"]
    check_system(tiny.Tiny(), battles=1)
    assert systems.systems()["tiny"] is known


def test_two_of_one_name() -> None:
    twins = [tiny.Duel(("Ann", "Ann"))]
    assert "two combatants are called ['Ann']" in broken(tiny.Tiny(), twins)


def test_what_is_no_ending_and_no_state() -> None:
    class Vague(tiny.Tiny):  # type: ignore[misc]
        def ending(self, bout: Any) -> Any:
            return super().ending(bout) is not None or None

    class Lost(tiny.Tiny):  # type: ignore[misc]
        def advance(self, ask: Any, bout: Any) -> Any:
            super().advance(ask, bout)

    assert "ending: expected None or words, got True" in broken(Vague())
    assert "expected a state (Bout), got None" in broken(Lost())


@pytest.mark.parametrize("answer", [None, "run", tiny.Fight])
def test_a_policy_of_its_own_that_answers_illegally(answer: Any) -> None:
    class Shy(tiny.Tiny):  # type: ignore[misc]
        def policy(self) -> Any:
            return lambda menu: answer

    assert "its own policy answers illegally: tiny.nerve" in broken(Shy())


def test_many_tied_combatants_are_checked_in_good_time() -> None:
    duel = formation.samples["duel"]
    goblins = tuple(
        replace(duel.combatants[n // 4], name=f"Goblin {n}", agility=8)
        for n in range(8)
    )
    rows = (duel.placement[0],) * 4 + (duel.placement[1],) * 4
    tied = replace(duel, combatants=goblins, placement=rows)
    found = check_system(formation.FORMATION, [tied], battles=1, games=0)
    assert found.uncounted == 1
