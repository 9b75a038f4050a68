"""The hand-written straight loop of the skirmish, for one policy.

Mutable lists, no questions, no events, no reasons: the yardstick for autoplay. Its dice
come in the same order, so every battle must end as the kit's does; tests say so.
"""

from collections.abc import Callable

from skirmish import Encounter


def battle(e: Encounter, random: Callable[[], float], limit: int = 400) -> str:
    """The ending of a battle that `skirmish.sensible` plays."""
    sheets = e.sheets
    n = len(sheets)
    hp, mp, row = (
        [s.hp for s in sheets],
        [s.mp for s in sheets],
        [s.row for s in sheets],
    )
    acted, guarded = [False] * n, [False] * n
    defending, poison = [False] * n, [0] * n
    side_of, power = [s.side for s in sheets], [s.power for s in sheets]
    armour, reach = [s.armour for s in sheets], [s.reach for s in sheets]
    ward = ["ward" in s.skills for s in sheets]
    guard = ["guard" in s.skills for s in sheets]
    ripostes = ["riposte" in s.skills for s in sheets]
    venom = ["venom" in s.skills for s in sheets]
    bolt = ["firebolt" in s.skills for s in sheets]
    teams = (
        [i for i in range(n) if side_of[i] == 0],
        [i for i in range(n) if side_of[i] == 1],
    )
    unknown = [1000 * s.hidden for s in sheets]
    chain = e.variant.riposte_chain

    def throw() -> int:
        first = got = 2 + int(random() * 6) + int(random() * 6)
        while got == 12:
            got = 2 + int(random() * 6) + int(random() * 6)
            first += got
        return 0 if first == 2 else first

    def fell(t: int) -> None:
        poison[t], defending[t], mp[t] = 0, False, 0

    def hit(me: int, t: int, dealt: int, warded: bool, poisons: bool) -> None:
        taken = max(0, dealt - armour[t] - (3 if warded else 0))
        if defending[t]:
            taken //= 2
        hp[t] = max(0, hp[t] - taken)
        if not hp[t]:
            fell(t)
        elif poisons and venom[me]:
            poison[t] = 3

    def apart(a: int, b: int) -> int:
        return max(1, abs(row[a] - row[b]))

    def attack(me: int, t: int, counter: bool) -> None:
        warded = False
        if ward[t] and mp[t] >= 1:
            mp[t] -= 1
            warded = True
        total = throw()
        if total == 0:
            if (chain or not counter) and ripostes[t] and apart(me, t) <= reach[t]:
                attack(t, me, True)
            return
        for g in teams[side_of[t]]:
            if g in (t, me) or hp[g] <= 0 or guarded[g] or not guard[g]:
                continue
            if row[g] == row[t] and hp[t] < hp[g]:
                guarded[g] = True
                t, warded = g, False
                break
        hit(me, t, power[me] + total, warded, total > 12)

    def up(side: int) -> bool:
        return any(hp[i] > 0 for i in teams[side])

    def ending() -> str:
        if up(0) and up(1):
            return "open"
        return "side 0 wins" if up(0) else "side 1 wins" if up(1) else "draw"

    def turn(me: int, side: int) -> None:
        defending[me] = False
        foes = [f for f in teams[1 - side] if hp[f] > 0]
        if not any(apart(me, f) <= reach[me] for f in foes):
            to = row[me] + (1 if side == 0 else -1)
            if 0 <= to < 4 and not any(row[f] == to for f in foes):
                row[me] = to
        best, least = -1, 10**9
        for f in foes:
            if apart(me, f) <= reach[me] and hp[f] + unknown[f] < least:
                best, least = f, hp[f] + unknown[f]
        if best >= 0:
            attack(me, best, False)
        elif bolt[me] and mp[me] >= 2:
            mp[me] -= 2
            total = throw()
            if total:
                hit(me, foes[0], power[me] + total + 4, False, False)
        else:
            defending[me] = True
        acted[me] = hp[me] > 0

    for _ in range(limit):
        for i in range(n):
            if poison[i] and hp[i] > 0:
                hp[i] = max(0, hp[i] - 2)
                poison[i] -= 1
                if not hp[i]:
                    fell(i)
        first = 0 if 1 + int(random() * 6) >= 4 else 1
        for i in range(n):
            acted[i] = guarded[i] = False
        if not (up(0) and up(1)):
            break
        for side in (first, 1 - first):
            for me in teams[side]:
                if hp[me] <= 0 or acted[me]:
                    continue
                turn(me, side)
                if not (up(0) and up(1)):
                    return ending()
    return ending()
