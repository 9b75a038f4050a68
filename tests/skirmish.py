"""A two-side system of our own making that has all the hard parts.

Rows, reaction windows that chain, a hidden sheet, a crit chain, statuses that count down
or end at somebody's turn, a move-then-act turn, sides that pick who acts, surrender at
any turn. Its clause ids are its own and stand in no ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace

from tabletop_kit.core import systems
from tabletop_kit.core.asking import Ask, procedure
from tabletop_kit.core.dice import dice
from tabletop_kit.core.events import Event, Said, Who
from tabletop_kit.core.menus import Condition, Field, Kind, Menu, Reason, Refusal
from tabletop_kit.core.policies import picks_from_the_menu
from tabletop_kit.core.scenes import Badge, Look, Rect, Scene, Token, Zone

TWO, ONE = dice(2, 6), dice(1, 6)
UNKNOWN = -1
ROWS = ("back", "front", "front", "back")
SIDES = ("side 0", "side 1")
SECRET_FROM = 100
"""Numbers from here on are told from the others wherever they are found."""

Skill = Literal["ward", "guard", "riposte", "firebolt", "venom"]

# ---- what is fixed -----------------------------------------------------------------


class Sheet(Struct, frozen=True):
    """What a fighter can do; row 0 is side 0's back, 3 is side 1's."""

    name: str
    side: Literal[0, 1]
    hp: int
    power: int
    armour: int
    reach: int = 1
    wit: int = 0
    mp: int = 0
    row: int = 1
    skills: tuple[Skill, ...] = ()
    hidden: bool = False

    def problems(self) -> Iterator[str]:
        """What is wrong with it: place, what was expected, what stands there."""
        least = {"hp": 1, "power": 0, "armour": 0, "reach": 1, "wit": 0, "mp": 0}
        for field, low in least.items():
            if (value := getattr(self, field)) < low:
                yield f"{self.name}, {field}: expected {low} or more, got {value}"
        if not 0 <= self.row < len(ROWS):
            yield f"{self.name}, row: expected 0 to {len(ROWS) - 1}, got {self.row}"


class Variant(Struct, frozen=True):
    """House rules: may a riposte that fumbles be answered by a riposte?"""

    riposte_chain: bool = True


class Encounter(systems.Encounter, frozen=True, eq=False, dict=True):
    """Who fights, and by which house rules."""

    system_name = "skirmish"
    sheets: tuple[Sheet, ...]
    variant: Variant = Variant()

    def __post_init__(self) -> None:
        problems = [problem for sheet in self.sheets for problem in sheet.problems()]
        for name in sorted({name for name in self.names if self.names.count(name) > 1}):
            problems.append(f"{name!r}: expected one combatant of this name")
        for side in (0, 1):
            if not any(sheet.side == side for sheet in self.sheets):
                problems.append(f"side {side}: expected somebody, got nobody")
        if problems:
            raise ValueError("encounter: " + "; ".join(problems))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple([sheet.name for sheet in self.sheets])

    def name_of(self, who: int | str) -> str:
        return who if isinstance(who, str) else self.sheets[who].name

    def side_of(self, who: int) -> str:
        return SIDES[self.sheets[who].side]

    # Kept with the encounter and gone with it: no cache of the module's.

    @cached_property
    def members(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        first = tuple(i for i, sheet in enumerate(self.sheets) if sheet.side == 0)
        return first, tuple(i for i in range(len(self.sheets)) if i not in first)

    @cached_property
    def hidden(self) -> tuple[int, ...]:
        return tuple(i for i, sheet in enumerate(self.sheets) if sheet.hidden)

    @cached_property
    def masks(self) -> dict[tuple[int, ...], Encounter]:
        return {}

    def masked(self, hide: tuple[int, ...]) -> Encounter:
        """The encounter as somebody sees it who may not see these sheets."""
        if hide not in self.masks:
            sheets = [blank(s) if i in hide else s for i, s in enumerate(self.sheets)]
            self.masks[hide] = Masked(tuple(sheets), self.variant)
        return self.masks[hide]


class Masked(Encounter, frozen=True, eq=False, dict=True):
    """An encounter with sheets blotted out."""

    def __post_init__(self) -> None:
        """Nothing is refused: the original was not."""


def blank(sheet: Sheet) -> Sheet:
    """The sheet for whoever may not look at it."""
    numbers = ("hp", "power", "armour", "wit", "mp")
    return replace(sheet, skills=(), **dict.fromkeys(numbers, UNKNOWN))


# ---- what moves --------------------------------------------------------------------


class Fighter(Struct, frozen=True, cache_hash=True):
    """What changes about a fighter; `poison` is the number of rounds left."""

    hp: int
    mp: int
    row: int
    acted: bool = False
    guarded: bool = False
    defending: bool = False
    poison: int = 0


Side = Literal[-1, 0, 1]


class Skirmish(systems.State, frozen=True, cache_hash=True):
    """The state; UNKNOWN as `side` means that a round is to be opened.

    `known` are the hidden sheets that were found out, sorted.
    """

    setup: Encounter
    who: tuple[Fighter, ...]
    side: Side = -1
    first: Literal[0, 1] = 0
    known: tuple[int, ...] = ()
    gave_up: Side = -1

    def sheet(self, i: int) -> Sheet:
        return self.setup.sheets[i]

    def stands(self, i: int) -> bool:
        return self.who[i].hp > 0

    def team(self, side: int) -> list[int]:
        return [i for i in self.setup.members[side] if self.who[i].hp > 0]

    def foes(self, me: int) -> list[int]:
        return self.team(1 - self.setup.sheets[me].side)

    def distance(self, a: int, b: int) -> int:
        return max(1, abs(self.who[a].row - self.who[b].row))

    def with_(self, i: int, **changes: int | bool) -> Skirmish:
        who = self.who
        return replace(self, who=(*who[:i], replace(who[i], **changes), *who[i + 1 :]))

    def unseen(self, viewer: Who) -> tuple[int, ...]:
        """The fighters whose sheets this viewer may not look at."""
        if not self.setup.hidden or viewer == "gm":
            return ()
        if isinstance(viewer, int):
            viewer = self.setup.side_of(viewer)
        return tuple(
            i
            for i in self.setup.hidden
            if i not in self.known and self.setup.side_of(i) != viewer
        )

    def knower(self, viewer: Who) -> Callable[[Who], bool]:
        unseen = self.unseen(viewer)
        return lambda who: who not in unseen

    def seen_by(self, viewer: Who) -> Skirmish:
        hide = self.unseen(viewer)
        if not hide:
            return self
        who = [
            replace(f, hp=min(f.hp, 1), mp=UNKNOWN) if i in hide else f
            for i, f in enumerate(self.who)
        ]
        return replace(self, setup=self.setup.masked(hide), who=tuple(who))

    def hidden_from(self, viewer: Who) -> str | None:
        return "SK-HID-01" if self.unseen(viewer) else None

    def secrets(self, viewer: Who) -> tuple[int, ...]:
        numbers = []
        for i in self.unseen(viewer):
            sheet, fighter = self.sheet(i), self.who[i]
            numbers += [sheet.hp, sheet.power, sheet.armour, sheet.wit, sheet.mp]
            numbers += [fighter.hp, fighter.mp]
        return tuple(number for number in numbers if number >= SECRET_FROM)


# ---- answers -----------------------------------------------------------------------


class Answer(Said, frozen=True, gc=False, cache_hash=True, tag=True):
    """An answer to one of the questions below."""


class Take(Answer, frozen=True, tag="take"):
    who: str
    says = "{who} acts next"


class Go(Answer, frozen=True, tag="go"):
    row: int
    says = "to row {row}"


class Stay(Answer, frozen=True, tag="stay"):
    says = "stay"


class Strike(Answer, frozen=True, tag="strike"):
    target: str
    says = "strike {target}"


class Firebolt(Answer, frozen=True, tag="firebolt"):
    target: str
    says = "firebolt at {target}"


class Study(Answer, frozen=True, tag="study"):
    target: str
    says = "study {target}"


class Defend(Answer, frozen=True, tag="defend"):
    says = "defend"


class Wait(Answer, frozen=True, tag="wait"):
    says = "wait"


class React(Answer, frozen=True, tag="react"):
    says = "do it"


class Pass(Answer, frozen=True, tag="pass"):
    says = "pass"


class GiveUp(Answer, frozen=True, tag="give_up"):
    says = "surrender"


# ---- events ------------------------------------------------------------------------


class RoundOpened(Event, frozen=True):
    first: int
    says = "A round begins; side {first} acts first."
    clauses = ("SK-RND-01",)
    opens, counts = "Round", True


class Moved(Event, frozen=True):
    who: int
    row: int
    says = "{who} goes to row {row}."
    clauses = ("SK-MOVE-01",)


class Attacked(Event, frozen=True):
    who: int
    target: int
    says = "{who} attacks {target}."
    clauses = ("SK-ATK-01",)


class Warded(Event, frozen=True):
    who: int
    says = "{who} raises a ward."
    clauses = ("SK-WARD-01",)


class Missed(Event, frozen=True):
    who: int
    target: int
    says = "{who} fumbles and misses {target}."
    clauses = ("SK-ATK-02",)


class Riposted(Event, frozen=True):
    who: int
    target: int
    says = "{who} strikes back at {target}."
    clauses = ("SK-RIP-01",)


class Guarded(Event, frozen=True):
    who: int
    target: int
    says = "{who} steps in front of {target}."
    clauses = ("SK-GRD-01",)


class Hit(Event, frozen=True):
    who: int
    target: int
    dealt: int
    armour: int | None
    taken: int | None
    left: int | None
    says = "{who} hits {target}: {dealt} against armour {armour}, {taken} taken, {left} left."
    clauses = ("SK-ATK-03", "SK-ATK-04")
    secrets = {"armour": "target", "taken": "target", "left": "target"}
    adds = (("", "dealt", "dealt"), ("−", "armour", "armour"))
    comes_to = ("taken", "taken")


class Poisoned(Event, frozen=True):
    target: int
    rounds: int
    says = "{target} is poisoned for {rounds} rounds."
    clauses = ("SK-VEN-01",)


class PoisonBit(Event, frozen=True):
    who: int
    says = "{who} suffers from poison."
    clauses = ("SK-VEN-02",)


class Fell(Event, frozen=True):
    who: int
    says = "{who} falls."
    clauses = ("SK-END-01",)


class Studied(Event, frozen=True):
    who: int
    target: int
    found: bool
    says = "{who} studies {target}: {found}."
    clauses = ("SK-HID-02",)


class Surrendered(Event, frozen=True):
    side: int
    says = "Side {side} surrenders."
    clauses = ("SK-END-02",)


class Defended(Event, frozen=True):
    who: int
    says = "{who} is on guard until its next turn."
    clauses = ("SK-DEF-01",)


# ---- refusals and questions --------------------------------------------------------

CANNOT_ACT = Refusal("cannot_act_now", "SK-TURN-01", "It cannot act now.")
NOT_A_FOE = Refusal("not_a_foe", "SK-ATK-01", "That is one of your own side.")
DOWN = Refusal("down", "SK-ATK-01", "It has fallen already.")
OUT_OF_REACH = Refusal(
    "out_of_reach", "SK-RNG-01", "Too far: {distance} away, reach {reach}."
)
NO_SKILL = Refusal("no_such_skill", "SK-FIRE-01", "Firebolt is not among its skills.")
NO_MP = Refusal(
    "not_enough_mp", "SK-FIRE-01", "A firebolt costs {cost} MP, it has {mp}."
)
KNOWN = Refusal("known_already", "SK-HID-02", "There is nothing hidden about it.")
CUNNING = Refusal(
    "too_cunning", "SK-HID-03", "Its wit is {theirs}, yours {mine}: no throw is enough."
)
ONE_STEP = Refusal("one_step", "SK-MOVE-01", "A step goes 1 row; that is {steps}.")
HELD = Refusal("held_by_foes", "SK-MOVE-02", "Foes hold that row: {foes}.")


def members_asked(m: Menu[Any]) -> tuple[int, ...]:
    return tuple(m.state.setup.members[SIDES.index(str(m.who))])


def everyone(m: Menu[Any], *_: object) -> range:
    return range(len(m.state.who))


def standing_foes(m: Menu[Any]) -> list[int]:
    return list(m.state.foes(m.who))


def foes(m: Menu[Any]) -> list[int]:
    return list(m.once(standing_foes))


def rows(m: Menu[Any]) -> range:
    return range(len(ROWS))


def may_take(m: Menu[Any], i: int) -> Reason | None:
    return None if m.state.stands(i) and not m.state.who[i].acted else CANNOT_ACT()


def is_foe(m: Menu[Any], t: int) -> Reason | None:
    return None if m.state.sheet(t).side != m.state.sheet(m.who).side else NOT_A_FOE()


def standing(m: Menu[Any], t: int) -> Reason | None:
    return None if m.state.stands(t) else DOWN()


def in_reach(m: Menu[Any], t: int) -> Reason | None:
    far, reach = m.state.distance(m.who, t), m.state.sheet(m.who).reach
    return None if far <= reach else OUT_OF_REACH(distance=far, reach=reach)


def knows_firebolt(m: Menu[Any]) -> Reason | None:
    return None if "firebolt" in m.state.sheet(m.who).skills else NO_SKILL()


def has_mp(m: Menu[Any]) -> Reason | None:
    mp = m.state.who[m.who].mp
    return None if mp >= 2 else NO_MP(mp=mp, cost=2)


def is_hidden(m: Menu[Any], t: int) -> Reason | None:
    return None if t in m.state.unseen(m.who) else KNOWN()


def can_be_seen_through(m: Menu[Any], t: int) -> Reason | None:
    mine, theirs = m.state.sheet(m.who).wit, m.state.sheet(t).wit
    if 12 + mine >= 7 + theirs or is_hidden(m, t):
        return None
    return CUNNING(secret_of=t, theirs=theirs, mine=mine)


def next_row(m: Menu[Any], row: int) -> Reason | None:
    far = abs(row - m.state.who[m.who].row)
    return None if far == 1 else ONE_STEP(steps=far)


def free_row(m: Menu[Any], row: int) -> Reason | None:
    held = sum(m.state.who[f].row == row for f in m.state.foes(m.who))
    return None if not held else HELD(foes=held)


TARGET = Field("target", everyone, foes, people=True)
AIM: tuple[Condition, ...] = (is_foe, standing)
MAGIC: tuple[Condition, ...] = (knows_firebolt, has_mp)


class WhoActs(Menu[Take]):
    name, clause, asks = "skirmish.who_acts", "SK-TURN-01", "Who acts next?"
    kinds = (
        Kind(Take, (Field("who", members_asked, people=True),), ((), (may_take,))),
    )


class Movement(Menu[Go | Stay]):
    name, clause, asks = "skirmish.movement", "SK-MOVE-01", "Where do you go?"
    kinds = (Kind(Stay), Kind(Go, (Field("row", rows),), ((), (next_row, free_row))))


class Action(Menu[Strike | Firebolt | Study | Defend | Wait]):
    name, clause, asks = "skirmish.action", "SK-ACT-01", "What do you do?"
    kinds: ClassVar[tuple[Kind, ...]] = (
        Kind(Strike, (TARGET,), ((), (*AIM, in_reach)), "Strike", "sword"),
        Kind(Firebolt, (TARGET,), (MAGIC, AIM), "Firebolt", "flame"),
        Kind(Study, (TARGET,), ((), (*AIM, is_hidden, can_be_seen_through))),
        Kind(Defend),
        Kind(Wait),
    )


class Ward(Menu[React | Pass]):
    name, clause, asks = "skirmish.ward", "SK-WARD-01", "Raise a ward?"
    kinds = (Kind(Pass), Kind(React))


class Riposte(Menu[React | Pass]):
    name, clause, asks = "skirmish.riposte", "SK-RIP-01", "Strike back?"
    kinds = (Kind(Pass), Kind(React))


class Guard(Menu[React | Pass]):
    name, clause, asks = "skirmish.guard", "SK-GRD-01", "Step in front?"
    kinds = (Kind(Pass), Kind(React))


class Surrender(Menu[GiveUp]):
    name, clause, asks = "skirmish.surrender", "SK-END-02", "Surrender?"
    kinds = (Kind(GiveUp),)


# ---- rules -------------------------------------------------------------------------


@procedure
def attack_dice(ask: Ask, enough: int, *, by: Who = "") -> int:
    """2D6; double six is thrown again and added, without end; double one is 0.

    Above `enough` it makes no difference.
    """
    total: int = ask.roll(TWO, by, "attack", "SK-ATK-02")
    got = total
    while got == 12:
        got = ask.roll(TWO, by, "critical", "SK-CRIT-01")
        total += got
    return 0 if total == 2 else ask.lump(total, enough)


def enough(b: Skirmish, me: int, targets: list[int]) -> int:
    """The total that fells any of these for sure; at least 14, that of a critical."""
    needed = [14]
    for t in targets:
        hp = 2 * b.who[t].hp + 1 if b.who[t].defending else b.who[t].hp
        needed.append(b.sheet(t).armour + 3 + hp - b.sheet(me).power)
    return max(needed)


def attack(
    ask: Ask, b: Skirmish, me: int, target: int, counter: bool = False
) -> Skirmish:
    ask.tell(b, Attacked(me, target))
    warded = False
    if "ward" in b.sheet(target).skills and b.who[target].mp >= 1:
        warded = ask.choose(Ward(b, target, me)) == React()
        if warded:
            b = b.with_(target, mp=b.who[target].mp - 1)
            ask.tell(b, Warded(target))
    total = attack_dice(ask, enough(b, me, [target, *guards(b, target, me)]), by=me)
    if total == 0:
        ask.tell(b, Missed(me, target))
        chains = b.setup.variant.riposte_chain or not counter
        return riposte(ask, b, target, me) if chains else b
    for ally in guards(b, target, me):
        if ask.choose(Guard(b, ally, target)) == React():
            b = b.with_(ally, guarded=True)
            ask.tell(b, Guarded(ally, target))
            target, warded = ally, False
            break
    return hit(ask, b, me, target, b.sheet(me).power + total, warded, venom=total > 12)


def riposte(ask: Ask, b: Skirmish, me: int, target: int) -> Skirmish:
    sheet = b.sheet(me)
    if "riposte" not in sheet.skills or b.distance(me, target) > sheet.reach:
        return b
    if ask.choose(Riposte(b, me, target)) == Pass():
        return b
    ask.tell(b, Riposted(me, target))
    return attack(ask, b, me, target, counter=True)


def guards(b: Skirmish, target: int, attacker: int) -> Iterator[int]:
    for i in b.setup.members[b.sheet(target).side]:
        f = b.who[i]
        if i in (target, attacker) or f.hp <= 0 or f.guarded:
            continue
        if f.row == b.who[target].row and "guard" in b.sheet(i).skills:
            yield i


def hit(
    ask: Ask, b: Skirmish, me: int, target: int, dealt: int, warded: bool, venom: bool
) -> Skirmish:
    t, armour = b.who[target], b.sheet(target).armour
    taken = max(0, dealt - armour - (3 if warded else 0))
    if t.defending:
        taken //= 2
    left = max(0, t.hp - taken)
    b = b.with_(target, hp=left)
    ask.tell(b, Hit(me, target, dealt, armour, taken, left))
    if venom and left and "venom" in b.sheet(me).skills:
        b = b.with_(target, poison=3)
        ask.tell(b, Poisoned(target, 3))
    if not left:
        b = fall(ask, b, target)
    return b


def fall(ask: Ask, b: Skirmish, who: int) -> Skirmish:
    """Nothing of it is read again."""
    b = b.with_(who, poison=0, defending=False, acted=False, guarded=False, mp=0)
    ask.tell(b, Fell(who))
    return b


def turn(ask: Ask, b: Skirmish, side: int) -> Skirmish:
    for loser in (0, 1):
        if ask.offer(Surrender, b, SIDES[loser]) is not None:
            b = replace(b, gave_up=loser)
            ask.tell(b, Surrendered(loser))
            return b
    me = b.setup.number_of(ask.choose(WhoActs(b, SIDES[side])).who)
    assert me is not None
    if b.who[me].defending:
        b = b.with_(me, defending=False)
    step = ask.choose(Movement(b, me))
    if isinstance(step, Go):
        b = b.with_(me, row=step.row)
        ask.tell(b, Moved(me, step.row))
    b = act(ask, b, me)
    return b.with_(me, acted=True) if b.stands(me) else b


def act(ask: Ask, b: Skirmish, me: int) -> Skirmish:
    action = ask.choose(Action(b, me))
    if isinstance(action, Strike | Firebolt | Study):
        target = b.setup.number_of(action.target)
        assert target is not None
        if isinstance(action, Strike):
            return attack(ask, b, me, target)
        if isinstance(action, Study):
            return study(ask, b, me, target)
        return firebolt(ask, b, me, target)
    if isinstance(action, Defend):
        b = b.with_(me, defending=True)
        ask.tell(b, Defended(me))
    return b


def firebolt(ask: Ask, b: Skirmish, me: int, target: int) -> Skirmish:
    b = b.with_(me, mp=b.who[me].mp - 2)
    ask.tell(b, Attacked(me, target))
    total = attack_dice(ask, enough(b, me, [target]), by=me)
    if not total:
        return b
    dealt = b.sheet(me).power + total + 4
    return hit(ask, b, me, target, dealt, warded=False, venom=False)


def study(ask: Ask, b: Skirmish, me: int, target: int) -> Skirmish:
    total = ask.roll(TWO, me, "study", "SK-HID-02") + b.sheet(me).wit
    found = total >= 7 + b.sheet(target).wit
    if found:
        b = replace(b, known=tuple(sorted((*b.known, target))))
    ask.tell(b, Studied(me, target, found))
    return b


def open_round(ask: Ask, b: Skirmish) -> Skirmish:
    """Poison bites, everyone may act again, and one die says which side begins."""
    for i in range(len(b.who)):
        if b.who[i].poison and b.stands(i):
            left = b.who[i].hp - 2
            b = b.with_(i, hp=max(0, left), poison=b.who[i].poison - 1)
            ask.tell(b, PoisonBit(i))
            if left <= 0:
                b = fall(ask, b, i)
    first: Literal[0, 1] = (
        0 if ask.roll(ONE, "side 0", "initiative", "SK-RND-02") >= 4 else 1
    )
    who = [replace(f, acted=False, guarded=False) if f.hp else f for f in b.who]
    b = replace(b, side=first, first=first, who=tuple(who))
    ask.tell(b, RoundOpened(first))
    return b


@picks_from_the_menu
def sensible(menu: Menu[Any]) -> object:
    """Weakest foe in reach (unknown ones last), a step forward if nobody is.

    Ward always, guard whoever is weaker, strike back.
    """
    b = menu.seen
    match menu.name:
        case "skirmish.action":
            number_of = b.setup.number_of

            def weakness(strike: Strike) -> tuple[bool, int]:
                target = number_of(strike.target)
                return b.sheet(target).hp == UNKNOWN, b.who[target].hp

            best = min(menu.values(Strike), key=weakness, default=None)
            return best or next(menu.values(Firebolt), None) or Defend()
        case "skirmish.movement":
            me, reach = menu.who, b.sheet(menu.who).reach
            if any(b.distance(me, f) <= reach for f in b.foes(me)):
                return Stay()
            step = Go(b.who[me].row + (1 if b.sheet(me).side == 0 else -1))
            return step if menu.allows(step) else Stay()
        case "skirmish.who_acts":
            return next(menu.values())
        case "skirmish.guard":
            weaker = b.who[menu.about].hp < b.who[menu.who].hp
            return React() if weaker else Pass()
    return React()


# ---- the system --------------------------------------------------------------------


class SkirmishSystem(systems.System):
    name, title, rules, encounter, state = (
        "skirmish",
        "Skirmish",
        1,
        Encounter,
        Skirmish,
    )

    def start(self, encounter: Encounter) -> Skirmish:
        who = tuple([Fighter(s.hp, s.mp, s.row) for s in encounter.sheets])
        return Skirmish(encounter, who)

    def advance(self, ask: Ask, b: Skirmish) -> Skirmish:
        if b.side == UNKNOWN:
            return open_round(ask, b)
        b = turn(ask, b, b.side)
        if b.gave_up != UNKNOWN:
            return b
        for side in (b.side, 1 - b.first):
            if any(not b.who[i].acted for i in b.team(side)):
                return replace(b, side=side)
        return replace(b, side=UNKNOWN)

    def ending(self, b: Skirmish) -> str | None:
        if b.gave_up != UNKNOWN:
            return f"side {1 - b.gave_up} wins"
        up = [bool(b.team(0)), bool(b.team(1))]
        if all(up):
            return None
        return "side 0 wins" if up[0] else "side 1 wins" if up[1] else "draw"

    def check(self, b: Skirmish) -> None:
        people = range(len(b.setup.sheets))
        if len(b.who) != len(people):
            raise ValueError(f"who: expected {len(people)} fighters, got {len(b.who)}")
        for i, (f, sheet) in enumerate(zip(b.who, b.setup.sheets, strict=True)):
            limits = {"hp": sheet.hp, "mp": sheet.mp, "row": 3, "poison": 3}
            for field, most in limits.items():
                if not 0 <= (value := getattr(f, field)) <= most:
                    raise ValueError(
                        f"who[{i}].{field}: expected 0 to {most}, got {value}"
                    )
        if not set(b.known) <= set(people):
            raise ValueError(f"known: expected numbers of fighters, got {b.known}")
        waiting = [i for i in b.team(b.side) if not b.who[i].acted]
        if b.side != UNKNOWN and not waiting and self.ending(b) is None:
            raise ValueError(f"side: expected one with a turn left, got {b.side}")

    def scene(self, b: Skirmish, look: Look = Look()) -> Scene:  # noqa: B008
        items: list[Zone | Token] = [
            Zone(
                f"row{r}",
                Rect(170 * r, 0, 160, 320),
                "lane",
                "ab"[r // 2],
                label=f"{label} of side {r // 2}",
            )
            for r, label in enumerate(ROWS)
        ]
        for row in range(len(ROWS)):
            here = [i for i, f in enumerate(b.who) if f.row == row]
            items += [self._token(b, i, n, look) for n, i in enumerate(here)]
        alt = f"{len(b.who)} fighters in a line of four rows."
        return Scene("Skirmish", alt, 680, 330, tuple(items))

    def _token(self, b: Skirmish, i: int, place: int, look: Look) -> Token:
        f, sheet = b.who[i], b.sheet(i)
        states = {
            "active": look.active == i,
            "acted": f.acted,
            "down": f.hp == 0,
            "target": i in look.targets,
        }
        icons = {"poison": f.poison, "shield": f.defending, "lens": sheet.hp == UNKNOWN}
        hidden = sheet.hp == UNKNOWN
        return Token(
            i,
            f"row{f.row}",
            (170 * f.row + 30, 70 + 60 * place),
            "ab"[sheet.side],
            sheet.name,
            states=tuple(state for state, on in states.items() if on),
            hp=(None, None) if hidden else (f.hp, sheet.hp),
            badges=tuple(Badge(icon=icon) for icon, on in icons.items() if on),
        )

    def hit_points(self, b: Skirmish, who: int) -> tuple[int | None, int | None]:
        if b.sheet(who).hp == UNKNOWN:
            return None, None
        return b.who[who].hp, b.sheet(who).hp

    def sides(self, encounter: Encounter) -> dict[str, str]:
        return {"a": "side 0", "b": "side 1"}

    def letter(self, encounter: Encounter, who: int) -> str:
        return "ab"[encounter.sheets[who].side]

    def viewers(self, encounter: Encounter) -> tuple[Who, ...]:
        return (*SIDES, *range(len(encounter.sheets)))

    def samples(self) -> Mapping[str, Encounter]:
        return SAMPLES

    def policy(self) -> Callable[[Menu[Any]], Any]:
        return sensible


SKIRMISH = SkirmishSystem()
systems.register(SKIRMISH)

ANN = Sheet("Ann", 0, 16, 2, 4, mp=1, skills=("ward", "riposte"))
BEN = Sheet("Ben", 0, 14, 1, 5, row=0, reach=2, skills=("guard",))
CAT = Sheet("Cat", 0, 12, 1, 2, row=0, reach=3, mp=6, wit=2, skills=("firebolt",))
IMP = Sheet("Imp", 1, 15, 2, 4, row=2, skills=("riposte", "venom"))
OGRE = Sheet("Ogre", 1, 18, 4, 3, row=2)
MASK = Sheet(
    "Mask", 1, 15, 2, 6, row=3, reach=2, mp=1, skills=("ward", "guard"), hidden=True
)
SECRET = Sheet(
    "Mask",
    1,
    7717,
    7,
    6,
    row=2,
    reach=2,
    mp=3301,
    wit=8123,
    skills=("ward", "guard", "riposte"),
    hidden=True,
)
"""Its numbers are found again wherever they leak."""

SAMPLES: dict[str, Encounter] = {
    "duel": Encounter(
        (replace(ANN, hp=14, skills=("ward",)), replace(IMP, hp=12, armour=3))
    ),
    "two": Encounter((ANN, BEN, IMP, OGRE)),
    "three": Encounter(
        (
            replace(ANN, hp=18, power=3, mp=2),
            replace(BEN, hp=20, power=2, row=1, reach=1),
            CAT,
            replace(IMP, hp=14, armour=3),
            replace(OGRE, hp=24),
            MASK,
        )
    ),
    "secret": Encounter(
        (
            Sheet("Ann", 0, 60, 950, 4, skills=("riposte",)),
            Sheet("Ben", 0, 60, 950, 4),
            SECRET,
            Sheet("Imp", 1, 30, 2, 2, row=2),
        )
    ),
}
PLAIN = ("duel", "two", "three")
"""Those in which the hand-written loop plays too."""
