"""A system on top of another: two captains march on a line of rooms and fight.

The battle is not called like a function. It is part of the state, and the campaign's
unit is the battle's unit: so undo, saving, merging and odds reach through it, and nothing
about the inner system is written again. In the battle each captain has an escort, so a
fighter's number there is another than in the campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal

from msgspec.structs import replace
from skirmish import (
    SIDES,
    SKIRMISH,
    Answer,
    Encounter,
    Fighter,
    Sheet,
    Skirmish,
    blank,
    sensible,
)

from tabletop_kit.core import systems
from tabletop_kit.core.asking import Ask, Within
from tabletop_kit.core.dice import dice
from tabletop_kit.core.events import Event, Who
from tabletop_kit.core.menus import Field, Kind, Menu, Reason, Refusal
from tabletop_kit.core.scenes import Look, Rect, Scene, Token, Zone

MOST_ROOMS, QUARTERS = 12, 12


class War(systems.Encounter, frozen=True, eq=False, dict=True):
    """One captain a side, who alone march; escorts fight in every battle afresh."""

    system_name = "campaign"
    captains: tuple[Sheet, Sheet]
    rooms: int = 5
    escorts: tuple[Sheet, ...] = ()

    def __post_init__(self) -> None:
        if not 2 <= self.rooms <= MOST_ROOMS:
            raise ValueError(f"rooms: expected 2 to {MOST_ROOMS}, got {self.rooms}")
        for side, captain in enumerate(self.captains):
            if captain.side != side or captain.hidden:
                raise ValueError(f"captains: expected an open sheet of side {side}")
        self.battle  # noqa: B018  (refuses sheets that cannot fight)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([sheet.name for sheet in self.captains])

    def side_of(self, who: int) -> str:
        return SIDES[who]

    @cached_property
    def battle(self) -> Encounter:
        """One object for equal battles, or equal states would not merge."""
        return Encounter((*self.escorts, *self.captains))

    @cached_property
    def veils(self) -> dict[str, War]:
        return {}

    def veiled(self, viewer: str) -> War:
        """The war as somebody sees it who may not see the other side's hidden escorts."""
        if viewer not in self.veils:
            self.veils[viewer] = self._veiled(viewer)
        return self.veils[viewer]

    def _veiled(self, viewer: str) -> War:
        hide = [s.hidden and SIDES[s.side] != viewer for s in self.escorts]
        if viewer == "gm" or not any(hide):
            return self
        pairs = zip(self.escorts, hide, strict=True)
        escorts = tuple(blank(sheet) if hidden else sheet for sheet, hidden in pairs)
        return Veiled(self.captains, self.rooms, escorts)


class Veiled(War, frozen=True, eq=False, dict=True):
    """A war with sheets blotted out."""

    def __post_init__(self) -> None:
        """Nothing is refused: the original was not."""


class Campaign(systems.State, frozen=True, cache_hash=True):
    """Where the captains are; `quarters` are left; `battle` is the one under way."""

    setup: War
    at: tuple[int, int]
    hp: tuple[int, int]
    side: Literal[0, 1] = 0
    quarters: int = QUARTERS
    battle: Skirmish | None = None

    def seen_by(self, viewer: Who) -> Campaign:
        side = _side(viewer)
        setup = self.setup.veiled(side)
        if setup is self.setup:
            return self
        battle = self.battle.seen_by(side) if self.battle else None
        return replace(self, setup=setup, battle=battle)

    def knower(self, viewer: Who) -> Callable[[Who], bool]:
        if self.battle is None:
            return super().knower(viewer)
        knows, number_of = (
            self.battle.knower(_side(viewer)),
            self.setup.battle.number_of,
        )

        def knows_inside(who: Who) -> bool:
            number = None if isinstance(who, int) else number_of(who)
            return number is None or knows(number)

        return knows_inside

    def hidden_from(self, viewer: Who) -> str | None:
        hides = self.setup.veiled(_side(viewer)) is not self.setup
        return "SK-HID-01" if hides else None

    def secrets(self, viewer: Who) -> tuple[int, ...]:
        if self.setup.veiled(_side(viewer)) is self.setup:
            return ()
        state = self.battle or SKIRMISH.start(self.setup.battle)
        return state.secrets(_side(viewer))


def _side(viewer: Who) -> str:
    """A captain looks on as its side."""
    return SIDES[viewer] if isinstance(viewer, int) else viewer


class March(Answer, frozen=True, tag="march"):
    room: int
    says = "march to room {room}"


class Rest(Answer, frozen=True, tag="rest"):
    says = "rest"


class Marched(Event, frozen=True):
    who: int
    room: int
    says = "{who} marches to room {room}."
    clauses = ("CP-MOVE-01",)


class Rested(Event, frozen=True):
    who: int
    hp: int
    says = "{who} rests, {hp} HP."
    clauses = ("CP-REST-01",)


class Met(Event, frozen=True):
    who: int
    target: int
    says = "{who} and {target} meet: a battle."
    clauses = ("CP-BTL-01",)
    opens, counts = "Battle", True


class Parted(Event, frozen=True):
    ending: str
    says = "The battle ends: {ending}."
    clauses = ("CP-BTL-02",)


ONE_ROOM = Refusal("one_room", "CP-MOVE-01", "A march goes 1 room; that is {rooms}.")


def rooms(m: Menu[Any]) -> range:
    return range(m.state.setup.rooms)


def next_room(m: Menu[Any], room: int) -> Reason | None:
    far = abs(room - m.state.at[m.who])
    return None if far == 1 else ONE_ROOM(rooms=far)


class Orders(Menu[March | Rest]):
    name, clause, asks = "campaign.orders", "CP-ORD-01", "March, or rest?"
    kinds = (Kind(March, (Field("room", rooms),), ((), (next_room,))), Kind(Rest))


def orders(ask: Ask, c: Campaign) -> Campaign:
    """One captain's quarter of a day."""
    me = c.side
    order = ask.choose(Orders(c, me))
    if isinstance(order, March):
        c = replace(c, at=_put(c.at, me, order.room))
        ask.tell(c, Marched(me, order.room))
    else:
        healed = c.hp[me] + ask.roll(dice(1, 6), me, "rest", "CP-REST-01")
        c = replace(c, hp=_put(c.hp, me, min(c.setup.captains[me].hp, healed)))
        ask.tell(c, Rested(me, c.hp[me]))
    if c.at[0] == c.at[1]:
        c = replace(c, battle=array(c))
        ask.tell(c, Met(0, 1))
    return replace(c, side=1 - me, quarters=c.quarters - me)


def array(c: Campaign) -> Skirmish:
    """The battle as it begins: captains with the HP they have, escorts fresh."""
    battle = SKIRMISH.start(c.setup.battle)
    own = len(c.setup.escorts)
    who = [
        Fighter(hp, sheet.mp, sheet.row)
        for hp, sheet in zip(c.hp, c.setup.captains, strict=True)
    ]
    return replace(battle, who=(*battle.who[:own], *who))


def fight_on(ask: Ask, c: Campaign, battle: Skirmish) -> Campaign:
    """One unit of the battle, and its end."""

    def lift(inner: Skirmish) -> Campaign:
        return replace(c, battle=inner)

    battle = SKIRMISH.advance(Within(ask, lift, battle.setup), battle)
    ending = SKIRMISH.ending(battle)
    if ending is None:
        return lift(battle)
    first, second = battle.who[-2:]
    c = replace(c, battle=None, hp=(first.hp, second.hp))
    ask.tell(c, Parted(ending))
    return c


def _put(pair: tuple[int, int], place: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if place == 0 else (pair[0], value)


class CampaignSystem(systems.System):
    name, title, rules, encounter, state = "campaign", "Campaign", 1, War, Campaign
    inner = {"battle": (SKIRMISH, attrgetter("battle"))}

    def start(self, war: War) -> Campaign:
        one, other = war.captains
        return Campaign(war, (0, war.rooms - 1), (one.hp, other.hp))

    def advance(self, ask: Ask, c: Campaign) -> Campaign:
        return orders(ask, c) if c.battle is None else fight_on(ask, c, c.battle)

    def ending(self, c: Campaign) -> str | None:
        if c.battle is not None:
            return None
        for side in (0, 1):
            if not c.hp[side]:
                return f"side {1 - side} wins"
        return "draw" if c.quarters == 0 else None

    def check(self, c: Campaign) -> None:
        if not all(0 <= room < c.setup.rooms for room in c.at):
            raise ValueError(f"at: expected 0 to {c.setup.rooms - 1}, got {c.at}")
        if not all(0 <= h <= s.hp for h, s in zip(c.hp, c.setup.captains, strict=True)):
            raise ValueError(f"hp: expected 0 to that of the sheets, got {c.hp}")
        if not 0 <= c.quarters <= QUARTERS:
            raise ValueError(f"quarters: expected 0 to {QUARTERS}, got {c.quarters}")

    # In pictures and lists everyone goes by the campaign's number, or by name.

    def scene(self, c: Campaign, look: Look = Look()) -> Scene:  # noqa: B008
        if c.battle is not None:
            inner = SKIRMISH.scene(c.battle)
            items = [
                replace(item, id=_token(c, item.name))
                if isinstance(item, Token)
                else item
                for item in inner.items
            ]
            return replace(inner, items=tuple(items))
        zones = [
            Zone(f"room{r}", Rect(56 * r, 0, 50, 90), label=str(r))
            for r in range(c.setup.rooms)
        ]
        tokens = [
            Token(
                i,
                f"room{c.at[i]}",
                (56 * c.at[i] + 25, 30 + 40 * i),
                "ab"[i],
                sheet.name,
                hp=(c.hp[i], sheet.hp),
            )
            for i, sheet in enumerate(c.setup.captains)
        ]
        alt = f"A line of {c.setup.rooms} rooms."
        return Scene("Campaign", alt, 680, 100, (*zones, *tokens))

    def marks(self, menu: Menu[Any], value: Any) -> dict[str, str]:
        if isinstance(menu.state, Campaign):
            return super().marks(menu, value)
        target = getattr(value, "target", None)
        return {f"token-{target}": "target"} if target else {}

    def hit_points(self, c: Campaign, who: int) -> tuple[int, int]:
        hp = c.hp[who] if c.battle is None else c.battle.who[who - 2].hp
        return hp, c.setup.captains[who].hp

    def sides(self, war: War) -> dict[str, str]:
        return SKIRMISH.sides(war.battle)

    def letter(self, war: War, who: int) -> str:
        return "ab"[who]

    def viewers(self, war: War) -> tuple[Who, ...]:
        return (*SIDES, 0, 1)

    def samples(self) -> Mapping[str, War]:
        return SAMPLES

    def policy(self) -> Callable[[Menu[Any]], Any]:
        return marching


def _token(c: Campaign, name: str) -> int | str:
    number = c.setup.number_of(name)
    return name if number is None else number


def marching(menu: Menu[Any]) -> Any:
    """Towards the other captain; in battle, sensibly."""
    if isinstance(menu, Orders) and isinstance(menu.who, int):
        here, there = menu.state.at[menu.who], menu.state.at[1 - menu.who]
        return March(here + (1 if there > here else -1))
    return sensible(menu)


CAMPAIGN = CampaignSystem()
systems.register(CAMPAIGN)

ANN = Sheet("Ann", 0, 12, 2, 4, mp=1, skills=("ward",))
IMP = Sheet("Imp", 1, 12, 2, 3, row=2, skills=("riposte", "venom"))
WAR = War((ANN, IMP))
ESCORTED = War(
    (replace(ANN, power=950), IMP),
    escorts=(
        Sheet(
            "Mask", 1, 7717, 3, 6, row=2, mp=3301, skills=("ward", "guard"), hidden=True
        ),
        Sheet("Squire", 0, 40, 950, 3),
    ),
)
SAMPLES: dict[str, War] = {"war": WAR, "escorted": ESCORTED}
