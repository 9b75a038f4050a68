"""The straight loop of Labyrinth Battle's rules, for one policy, and that policy.

Mutable lists, no questions, no events, no reasons: the yardstick for autoplay. Its dice
come in the same order as the kit's, so every battle ends the same way. It plays battles
of PCs and monsters without skills, traps and hidden data, by the standard tables.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from tabletop_kit.core.asking import dice_stream
from tabletop_kit.core.menus import Menu
from tabletop_kit.labyrinth_battle import (
    BadStatus,
    CharacterKind,
    Encounter,
    Item,
    Side,
    State,
    WeaponKind,
    attacks,
    damage,
    moving,
    rounds,
    targets,
)
from tabletop_kit.labyrinth_battle.result_tables import TREASURE_ROWS

PLAYS = ("kitchen_stairs",)
"""The samples it can play."""


class Result(NamedTuple):
    """How a battle has ended; `loot` in words, in the order in which it was found."""

    ending: str
    hp: tuple[int, ...]
    dead: tuple[int, ...]
    loot: tuple[str, ...]


# ---- the policy --------------------------------------------------------------------


Ready = tuple[tuple[str, targets.Use, targets.Arm], ...]


@cache
def ready(items: tuple[Item, ...]) -> Ready:
    """What somebody fights with: every weapon, else anything at hand."""
    weapons = tuple([one for one in items if one.weapon is not None])
    use = targets.Use.AS_ITSELF if weapons else targets.Use.IMPROVISED
    arms = [(one.name, targets.as_weapon(one, use)) for one in weapons or items]
    return tuple([(name, use, arm) for name, arm in arms if arm is not None])


def reached(state: State, who: int, arm: targets.Arm, fallen: bool) -> list[int]:
    """The enemies in range of a weapon.

    Args:
        fallen: whether whoever lies there counts, too: chance picks.
    """
    areas, here = state.areas, state.areas[who]
    enemies = state.members(state.side(who).other)
    near = [foe for foe in enemies if abs(areas[foe] - here) <= arm.range]
    if not near:
        return near
    gone = state.dead if fallen else (*state.dead, *state.incapacitated)
    if gone:
        near = [foe for foe in near if foe not in gone]
    if arm.kind == WeaponKind.RANGED:
        lit = state.lit()
        near = [foe for foe in near if areas[foe] in lit]
    return near


def steps(menu: Menu[Any]) -> Any:
    """Toward the nearest when nobody is in range and nothing blocks."""
    state, who = menu.seen, int(menu.who)
    answer: Any = moving.Stay()
    for _, _, arm in ready(state.items(who)):
        if reached(state, who, arm, False):
            break
    else:
        side, here = state.side(who), state.areas[who]
        ways = [(state.areas[f] - here) * side.forward for f in state.up(side.other)]
        way = min(ways, key=lambda way: (abs(way), -way))
        if way < 0:
            answer = moving.Back()
        elif way > 0 and moving.blockade(state, who) is None:
            answer = moving.Forward()
    if state.has(who, BadStatus.FOOLISH) and not menu.allows(answer):
        return next(menu.values())
    return answer


def acts(menu: Menu[Any]) -> Any:
    """The first weapon that reaches somebody, at whoever of them has the fewest HP."""
    state, who = menu.seen, int(menu.who)
    is_foolish = state.has(who, BadStatus.FOOLISH)
    for name, use, arm in ready(state.items(who)):
        there = reached(state, who, arm, is_foolish)
        if there and is_foolish:
            return attacks.AttackAtRandom(name, use)
        if there:
            weakest = min(there, key=state.hp.__getitem__)
            return attacks.Attack(name, use, menu.name_of(weakest))
    return rounds.Pass()


def hopes(menu: Menu[Any]) -> Any:
    """All that is allowed."""
    state, who = menu.seen, int(menu.who)
    return damage.SpendHope(min(state.hope[who], state.sheet(who).valor))


ANSWERS: dict[type[Menu[Any]], Callable[[Menu[Any]], Any]] = {
    moving.Moves: steps,
    rounds.Actions: acts,
    damage.Hopes: hopes,
}
"""What is answered to which question; to any other the first legal answer."""


def plain(menu: Menu[Any]) -> Any:
    """Goes to the nearest enemy and strikes the weakest."""
    answer = ANSWERS.get(type(menu))
    return answer(menu) if answer is not None else next(menu.values())


# ---- the loop ----------------------------------------------------------------------


def battle(encounter: Encounter, seed: int | str) -> Result:
    """The end of a battle that `plain` plays on both sides."""
    random = dice_stream(seed)
    sheets = list(encounter.combatants)
    first_late = len(sheets)
    things = encounter.things
    owned: list[list[int]] = [[] for _ in sheets]
    for number, thing in enumerate(things):
        owned[thing.owner].append(number)
    carried = [held[:] for held in owned]
    hp = [sheet.hp_now for sheet in sheets]
    areas, hope = list(encounter.placement), [sheet.hope for sheet in sheets]
    followers = [sheet.followers for sheet in sheets]
    is_pc = [sheet.kind == CharacterKind.PC for sheet in sheets]
    court, foes = (list(encounter.members[side]) for side in Side)
    friends = [court if sheet.side == Side.COURT else foes for sheet in sheets]
    enemies = [foes if sheet.side == Side.COURT else court for sheet in sheets]
    forward = [sheet.side.forward for sheet in sheets]
    hostility = encounter.hostility
    up, dead, acted = [True] * first_late, [False] * first_late, [False] * first_late
    poisoned, distracted, obese, cursed, asleep, foolish = (
        set[int]() for _ in range(6)
    )
    ailing = (poisoned, distracted, obese, cursed, asleep, foolish)
    for who, sheet in enumerate(sheets):
        for status, sufferers in zip(BadStatus, ailing, strict=True):
            if status in sheet.statuses:
                sufferers.add(who)
                acted[who] = acted[who] or sufferers is asleep
    doomed, shot = set[int](), WeaponKind.RANGED
    joined: list[int] = []
    ended = ""

    # what is carried

    def armed(who: int) -> list[tuple[int, int, bool, int]]:
        held = carried[who]
        names = [things[number].item.name for number in held]
        return [
            (arm.range, arm.power, arm.kind == shot, held[names.index(name)])
            for name, _, arm in ready(tuple([things[n].item for n in held]))
        ]

    def armoured(who: int) -> int:
        best: dict[str, int] = {}
        for number in carried[who]:
            item = things[number].item
            best[item.name] = max(item.reduction, best.get(item.name, 0))
        return sum(best.values())

    def breakable(who: int) -> list[int]:
        return [n for n in carried[who] if things[n].item.breakable]

    def lose(who: int, number: int) -> None:
        carried[who].remove(number)
        arms[who], armour[who] = armed(who), armoured(who)

    def lit() -> set[int]:
        found = set(encounter.lit)
        for who, held in enumerate(carried):
            for number in held:
                light = things[number].item.light
                if light is not None:
                    here = areas[who]
                    found.update(range(here - light, here + light + 1))
        return found

    arms = [armed(who) for who in range(first_late)]
    armour = [armoured(who) for who in range(first_late)]

    # dice

    def throw(count: int) -> int:
        total = count
        for _ in range(count):
            total += int(random() * 6)
        return total

    def one_of(several: list[int]) -> int:
        if len(several) == 1:
            return several[0]
        return several[int(random() * len(several))]

    def check(who: int, score: int, difficulty: int) -> int:
        """2 and -2 are absolute, 1 is a success, -1 a failure."""
        total = 2 + int(random() * 6) + int(random() * 6)
        if total == 12 or total <= (3 if who in cursed else 2):
            distracted.discard(who)
            return 2 if total == 12 else -2
        return 1 if total + score >= difficulty else -1

    # how they are

    def decided() -> bool:
        if ended:
            return True
        for side in (court, foes):
            for who in side:
                if up[who]:
                    break
            else:
                return True
        return False

    def standing() -> str:
        if any(up[who] for who in court):
            return "the court wins"
        return "the foes win" if any(up[who] for who in foes) else "draw"

    def fall(who: int) -> None:
        up[who], acted[who] = False, True

    def die(who: int) -> None:
        up[who], dead[who], acted[who] = False, True, True
        doomed.discard(who)
        for sufferers in ailing:
            sufferers.discard(who)

    def inflict(who: int, sufferers: set[int]) -> None:
        if sufferers is asleep and who not in asleep:
            acted[who] = True
        sufferers.add(who)

    def hurt(who: int, points: int) -> int:
        taken = points - armour[who]
        if taken <= 0 or dead[who]:
            return 0
        hp[who] -= taken
        asleep.discard(who)
        return taken

    def take(who: int, points: int) -> None:
        was_up = up[who]
        after(who, hurt(who, points), was_up)

    def after(who: int, taken: int, was_up: bool) -> None:
        if taken and not dead[who]:
            if was_up:
                at_zero(who, taken)
            else:
                die(who)

    def at_zero(who: int, taken: int) -> None:
        if hp[who] <= 0:
            if is_pc[who]:
                fatal_wound(who, taken)
            else:
                die(who)

    def set_hp(who: int, points: int) -> None:
        if dead[who]:
            return
        was_up = hp[who] > 0
        hp[who] = min(points, sheets[who].hp_max)
        if was_up:
            at_zero(who, 0)
        elif hp[who] > 0 and not up[who]:
            up[who] = True
            doomed.discard(who)

    def fatal_wound(who: int, taken: int) -> None:
        row, sheet = throw(2), sheets[who]
        if row == 2 or (row == 3 and check(who, sheet.search, taken + 5) < 0):
            die(who)
        elif row == 4:
            doomed.add(who)
        elif row == 6:
            throw(1)
        elif row == 8:
            if several := breakable(who):
                lose(who, one_of(several))
                hp[who] += taken
        elif row == 9:
            if followers[who]:
                followers[who] = max(0, followers[who] - throw(2))
                hp[who] += taken
        elif row == 10 or row == 11:
            score = sheet.search if row == 10 else sheet.valor
            if check(who, score, 9 - hp[who]) > 0:
                hp[who] = 1
        elif row == 12:
            status = ailing[int(random() * 6)]
            hp[who] += taken
            inflict(who, status)
        if hp[who] <= 0 and not dead[who]:
            fall(who)

    # an attack

    def attack(who: int, target: int, number: int, power: int) -> bool:
        sheet, own_power = sheets[who], power
        here = areas[who]
        score = sheet.valor + (2 if here == (6 if forward[who] > 0 else 1) else 0)
        is_easy = not up[target] or target in asleep
        result = check(who, score, 7 if is_easy else sheets[target].evasion)
        if result == -2:
            fumble(who, number, own_power)
        if result < 0:
            return False
        again = False
        if result == 2:
            row = throw(2)
            if row == 3:
                again = True
            elif row == 4:
                cursed.add(target)
            elif row == 5:
                power *= 2
            elif row == 7 or row == 11:
                power += throw(1 if row == 7 else 2)
            elif row == 8:
                power += sheets[target].level
            elif row == 12 and hp[target] > 0:
                set_hp(target, 0)
                return False
        points = min(hope[who], sheet.valor) if is_pc[who] else 0
        if points:
            hope[who] -= points
            power += throw(points)
        if who < first_late:
            power += hostility[who].get(like(target), 0)
        else:
            power += hostility[like(who)].get(like(target), 0)
        take(target, max(0, power))
        return again

    def like(who: int) -> int:
        return who if who < first_late else joined[who - first_late]

    def fumble(who: int, number: int, own_power: int) -> None:
        row, near = throw(2), areas[who]
        if row == 2:
            if is_pc[who]:
                reinforce()
            elif takers := [one for one in court if is_pc[one] and not dead[one]]:
                followers[takers[0]] += throw(1)
        elif row == 3:
            home = 1 if forward[who] > 0 else 6
            for one in friends[who]:
                if areas[one] != home:
                    areas[one] -= forward[who]
        elif row == 4:
            there = [o for o in friends[who] if o != who and areas[o] == near]
            if there := [one for one in there if not dead[one]]:
                take(one_of(there), own_power)
        elif row == 5:
            waiting = [o for o in friends[who] if o != who and not acted[o]]
            if waiting := [one for one in waiting if up[one] and one not in asleep]:
                acted[one_of(waiting)] = True
        elif row == 7 or (row in (9, 11) and not is_pc[who]):
            take(who, throw(1))
        elif row == 8:
            if hp[who] > 1:
                set_hp(who, (hp[who] + 1) // 2)
        elif row == 9:
            if several := breakable(who):
                lose(who, one_of(several))
        elif row == 12:
            if not is_pc[who]:
                take(who, throw(1))
            elif things[number].item.breakable:
                lose(who, number)
            if not decided():
                set_hp(one_of([one for one in (*court, *foes) if not dead[one]]), 1)

    def reinforce() -> None:
        alive = [foe for foe in foes if not dead[foe] and not is_pc[foe]]
        room = 6 - len(joined)
        if not alive or not room:
            return
        weakest = like(min(alive, key=lambda foe: sheets[foe].level))
        for _ in range(min(room, throw(1))):
            who = len(sheets)
            sheets.append(sheets[weakest])
            joined.append(weakest)
            foes.append(who)
            friends.append(foes)
            enemies.append(court)
            hp.append(sheets[weakest].hp_max)
            carried.append(owned[weakest][:])
            areas.append(4)
            hope.append(0)
            followers.append(0)
            forward.append(-1)
            for flags, flag in (
                (is_pc, False),
                (up, True),
                (dead, False),
                (acted, False),
            ):
                flags.append(flag)
            arms.append(armed(who))
            armour.append(armoured(who))

    # a turn

    def aim(who: int, strikes_anybody: bool) -> tuple[int, int, int, bool] | None:
        here, best = areas[who], -1
        for span, power, is_shot, number in arms[who]:
            light = lit() if is_shot else None
            for foe in enemies[who]:
                if abs(areas[foe] - here) <= span:
                    if not up[foe] and (dead[foe] or not strikes_anybody):
                        continue
                    if light is not None and areas[foe] not in light:
                        continue
                    if best < 0 or hp[foe] < hp[best]:
                        best = foe
            if best >= 0:
                return best, number, power, is_shot
        return None

    def drawn(who: int, span: int, is_shot: bool) -> int:
        here, light = areas[who], lit() if is_shot else None
        there = [f for f in enemies[who] if abs(areas[f] - here) <= span]
        if light is not None:
            there = [foe for foe in there if areas[foe] in light]
        return one_of([foe for foe in there if not dead[foe]])

    def blocked(who: int) -> bool:
        here, heads, valor = areas[who], 0, 0
        for foe in enemies[who]:
            if up[foe] and areas[foe] == here:
                valor += sheets[foe].valor
        for friend in friends[who]:
            if up[friend] and areas[friend] == here:
                heads += 1
        return heads < valor

    def move(who: int) -> None:
        here, ahead, way = areas[who], forward[who], 0
        if aim(who, False) is None:
            nearest = 9
            for foe in enemies[who]:
                if up[foe]:
                    away = (areas[foe] - here) * ahead
                    if abs(away) < nearest or (abs(away) == nearest and away > 0):
                        nearest, way = abs(away), 1 if away > 0 else -1 if away else 0
            if way > 0 and blocked(who):
                way = 0
        if who in foolish:
            way = driven(who, way)
        areas[who] += way * ahead

    def driven(who: int, way: int) -> int:
        here, ahead = areas[who], forward[who]
        aways = [(areas[foe] - here) * ahead for foe in enemies[who] if not dead[foe]]
        nearest = min(map(abs, aways), default=0)
        items = [things[number].item for number in carried[who]]
        longest = max([item.range for item in items if item.weapon], default=0)
        if nearest <= longest:
            return way
        is_barred = blocked(who)
        payers = any(up[one] and followers[one] for one in friends[who])
        ways = [one for one in (1, -1) if one * nearest in aways]
        if is_barred and not payers:
            ways = [one for one in ways if one < 0]
        if way not in ways:
            way = ways[0] if ways else 0
        return 0 if way > 0 and is_barred else way

    def turn(who: int) -> None:
        nonlocal ended
        move(who)
        while True:
            is_foolish = who in foolish
            found = aim(who, is_foolish)
            if found is None:
                break
            target, number, power, is_shot = found
            if is_foolish:
                span = next(span for span, _, _, n in arms[who] if n == number)
                target = drawn(who, span, is_shot)
            again = attack(who, target, number, power)
            if not again:
                acted[who] = True
            if who in obese:
                if decided():
                    ended = ended or standing()
                take(who, 1)
            if not again or not up[who] or who in asleep or decided():
                break
        acted[who] = True

    def turns(side: list[int]) -> bool:
        while True:
            for who in side:
                if up[who] and not acted[who] and who not in asleep:
                    turn(who)
                    break
            else:
                return False
            if decided():
                return True

    # the battle

    def tactics() -> bool:
        needed = 0
        for foe in foes:
            if not dead[foe]:
                is_easy = not up[foe] or foe in asleep
                needed = max(needed, 7 if is_easy else sheets[foe].evasion)
        who = next(who for who in court if up[who])
        return check(who, sheets[who].wit, needed) > 0

    def round_end() -> None:
        nonlocal ended
        ill = [who for who in (*court, *foes) if who in poisoned]
        before, taken = up[:], {who: hurt(who, 1) for who in ill}
        for who in ill:
            after(who, taken[who], before[who])
        if not decided():
            ours, theirs = (
                [who for who in side if up[who] and who not in asleep]
                for side in (court, foes)
            )
            awake = ours + theirs
            if not (ours and theirs) and not any(carried[who] for who in awake):
                ended = "draw"
            for who in range(len(acted)):
                acted[who] = acted[who] and who in asleep

    while not decided():
        ours = tactics()
        if not turns(court if ours else foes) and not turns(foes if ours else court):
            round_end()

    ended = ended or standing()
    for who in [*doomed]:
        if hp[who] < 1:
            die(who)
    loot: list[str] = []
    if ended == "the court wins":
        for foe in [foe for foe in foes if not up[foe] and not is_pc[foe]]:
            rows = TREASURE_ROWS[min(max(sheets[foe].level, 1), 5) - 1]
            shown = throw(1)
            loot.append(next(r.words for r in rows if r.low <= shown <= r.high))
    late = (0,) * (len(encounter.names) - len(hp))
    fallen = tuple([who for who, is_dead in enumerate(dead) if is_dead])
    return Result(ended, (*hp, *late), fallen, tuple(loot))
