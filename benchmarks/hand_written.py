"""The straight loop of Formation's rules, for one policy.

Mutable lists, no questions, no events, no reasons: the yardstick for autoplay. Its dice
come in the same order as the kit's, so every battle ends the same way.
"""

from tabletop_kit.core.asking import dice_stream, policy_number
from tabletop_kit.formation import Element, Encounter, Side

PLAYS = ("footbridge", "gate_ambush", "duel", "twins", "market_street", "long_hall")
"""The samples it can play: those of blows, steps and guards alone."""


def battle(encounter: Encounter, seed: int | str) -> str:
    """The ending of a battle that `formation.sensible` plays on both sides."""
    random = dice_stream(seed)
    sheets = encounter.combatants
    everyone = range(len(sheets))
    row = [int(slot) for slot in encounter.placement]
    hp = [sheet.hp_max for sheet in sheets]
    hp_max, power = hp[:], [sheet.attack_power for sheet in sheets]
    band = encounter.variant.range_rule == "band"
    spans = [sheet.weapon.range for sheet in sheets]
    near = [span.min or (span.max if band else 1) for span in spans]
    far = [span.max for span in spans]
    pcs = [who for who in everyone if sheets[who].side == Side.PC]
    enemies = [who for who in everyone if sheets[who].side == Side.ENEMY]
    friends = [pcs if sheet.side == Side.PC else enemies for sheet in sheets]
    foes = [enemies if sheet.side == Side.PC else pcs for sheet in sheets]
    element = dict(encounter.imbued)
    physical = [
        element.get(sheet.name, Element.PHYSICAL) == Element.PHYSICAL
        for sheet in sheets
    ]
    hard = [sheet.physical_defense for sheet in sheets]
    warded = [sheet.magic_defense for sheet in sheets]
    defending = [False] * len(sheets)

    def settle(tied: list[int]) -> list[int]:
        if len(tied) == 1:
            return tied
        totals = {who: 2 + int(random() * 6) + int(random() * 6) for who in tied}
        order: list[int] = []
        for total in sorted(set(totals.values()), reverse=True):
            order += settle([who for who in tied if totals[who] == total])
        return order

    def hurt(who: int) -> bool:
        return 0 < 4 * hp[who] <= hp_max[who]

    def strike(who: int, target: int) -> None:
        total = rolled = 2 + int(random() * 6) + int(random() * 6)
        if rolled == 2:
            return
        while rolled == 12:
            rolled = 2 + int(random() * 6) + int(random() * 6)
            total += rolled
        defense = hard[target] if physical[who] else warded[target]
        damage = max(0, power[who] + total - defense)
        if defending[target]:
            damage //= 2
        hp[target] = max(0, hp[target] - damage)

    def act(who: int, acts: int) -> None:
        if hurt(who):
            for friend in friends[who]:
                if friend != who and hp[friend] and not hurt(friend):
                    defending[who] = True
                    return
        here, least, most = row[who], near[who], far[who]
        target = -1
        for foe in foes[who]:
            if hp[foe] and least <= max(1, abs(here - row[foe])) <= most:
                if target < 0 or hp[foe] < hp[target]:
                    target = foe
        if target >= 0:
            strike(who, target)
            return
        there = here ^ 1
        steps = any(
            hp[foe] and least <= max(1, abs(there - row[foe])) <= most
            for foe in foes[who]
        )
        if not steps:
            steps = policy_number(seed, "", acts) < 0.5 if band else here in (0, 3)
        if steps:
            row[who] = there
        else:
            defending[who] = True

    order: list[int] = []
    quick = {who: (sheets[who].agility, sheets[who].intelligence) for who in everyone}
    for pace in sorted(set(quick.values()), reverse=True):
        order += settle([who for who in everyone if quick[who] == pace])
    acts = 0
    while True:
        for who in order:
            if hp[who]:
                act(who, acts)
                acts += 1
                if not any(hp[foe] for foe in foes[who]):
                    return "PCs win" if foes[who] is enemies else "enemies win"
        for who in everyone:
            defending[who] = False
