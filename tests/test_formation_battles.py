"""Formation Battle: the sample data, the encounters, and the policies that play them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import fields, replace

import tabletop_kit as tk
from benchmarks.hand_written import battle as by_hand
from tabletop_kit import formation
from tabletop_kit.core import frames
from tabletop_kit.core.asking import Mixed, Sampling
from tabletop_kit.core.playing import battle
from tabletop_kit.core.policies import by_side, random_legal
from tabletop_kit.formation import (
    Attack,
    Defend,
    Element,
    Side,
    State,
    Step,
    Variant,
    abilities,
    armory,
    battles,
    entering,
    getting_ready,
    guesses,
    items,
    magic,
    reactions,
    special_weapons,
    states,
    story_magic,
    tactics,
    talk_and_flee,
    turns,
)

PLAIN = ["footbridge", "gate_ambush", "duel", "twins", "market_street", "long_hall"]
WHOLE = [name for name in formation.samples if name not in PLAIN]


def ready(name: str, *dice: tuple[int, int], **changes: Any) -> State:
    """Before the first activation of an encounter; dice settle ties in the order."""
    setup = replace(formation.samples[name], **changes)
    found: State = tk.play(turns.prepare, states.opening(setup), answers=dice).result
    return found


def decides(state: State, who: int) -> Any:
    return tactics.sensible(turns.Actions(state, who))


def rated(state: State, who: int) -> dict[Any, float]:
    menu = turns.Actions(state, who)
    return {answer: guesses.worth(menu, answer) for answer in menu.values()}


# ---- sample data -------------------------------------------------------------------


def test_there_is_something_of_every_sort() -> None:
    known = armory.deeds.values()
    skills = [one for pet in armory.familiars.values() for one in pet.skills]
    assert {one.timing for one in known} == set(abilities.Timing)
    assert {one.element for one in known if one.is_attack} == set(Element)
    assert len(known) >= 12 and len(armory.foes) >= 8
    assert {one.target for one in known} == set(abilities.Target)
    assert any(one.damage == abilities.Damage.FIXED for one in known)
    effects = {type(effect) for one in known for effect in one.effects}
    effects |= {type(effect) for one in armory.items.values() for effect in one.effects}
    assert effects == set(abilities.EFFECTS)
    buffs = [e for one in known for e in one.effects if isinstance(e, abilities.Buff)]
    assert {one.amount > 0 for one in buffs} == {True, False}
    assert any(one.turns for one in buffs)
    assert len(skills) >= 3
    assert {one.kind for one in armory.familiars.values()} == set(
        abilities.FamiliarKind
    )
    assert [one.consumed_on_use for one in armory.items.values()].count(False) == 1


def test_weapons_of_every_range_and_the_three() -> None:
    spans = {str(weapon.range) for weapon in armory.weapons.values()}
    assert {"1", "2", "3", "1–3"} <= spans
    for weapon in (
        special_weapons.BAT,
        special_weapons.NAGINATA,
        special_weapons.TWIN_SWORDS,
    ):
        assert armory.weapons[weapon.name] is weapon


def test_the_formulas_that_are_the_rules() -> None:
    shot, strike = armory.deeds["mana shot"], armory.deeds["boosted strike"]
    assert shot.value == abilities.Amount(("magic_power",), 10, "2D6")
    assert shot.element == Element.NON_ELEMENTAL
    assert strike.value == abilities.Amount(("attack_power", "magic_power"), 0, "2D6")
    assert strike.element == Element.PHYSICAL
    star = armory.deeds["falling star"]
    assert (star.damage, star.value) == (
        abilities.Damage.FIXED,
        abilities.Amount(constant=7),
    )
    transfer = armory.deeds["body transfer"]
    assert not transfer.allowed_in_battle
    assert transfer.effects == (abilities.Escape(),)


def test_every_foe_has_its_line() -> None:
    assert set(armory.ways) == set(armory.foes)
    assert all(0 < len(line) <= 80 for line in armory.ways.values())
    assert all(name == one.name for name, one in armory.foes.items())


@pytest.mark.parametrize(
    "data", [armory.deeds, armory.items, armory.foes, formation.samples, battles.notes]
)
def test_samples_cannot_be_changed(data: Any) -> None:
    with pytest.raises(TypeError):
        data["footbridge"] = None


# ---- the encounters ----------------------------------------------------------------


def test_the_first_six_are_plain() -> None:
    assert list(formation.samples)[:6] == PLAIN
    for name, encounter in formation.samples.items():
        assert tactics.is_plain(encounter) == (name in PLAIN)
    assert len(WHOLE) >= 10 and set(battles.notes) == set(formation.samples)
    titles = [one.title for one in formation.samples.values()]
    assert len(set(titles)) == len(titles)


def test_what_is_not_plain() -> None:
    duel = formation.samples["duel"]
    sable, warden = duel.combatants
    for changed in (
        replace(sable, abilities=(armory.deeds["brace"],)),
        replace(sable, items=(armory.items["potion"],)),
        replace(sable, sub_weapon=armory.BOW),
        replace(sable, weapon=special_weapons.NAGINATA),
        replace(sable, weapon=special_weapons.TWIN_SWORDS),
        replace(sable, familiar=armory.EMBER_FOX),
    ):
        assert not tactics.is_plain(replace(duel, combatants=(changed, warden)))
    assert tactics.is_plain(duel)


def test_the_encounters_hold_what_they_promise() -> None:
    samples = formation.samples
    assert samples["night_raid"].ambush == Side.ENEMY
    assert samples["from_the_rocks"].ambush == Side.PC
    assert [len(side) for side in samples["six_thieves"].members.values()] == [4, 6]
    pets = [one.familiar for one in samples["familiars"].combatants if one.familiar]
    assert {pet.kind for pet in pets} == set(abilities.FamiliarKind)
    assert any(one.is_intelligent for one in samples["parley"].combatants)
    usual, other = Variant(), samples["other_table"].variant
    for rule in fields(Variant):
        assert getattr(usual, rule.name) != getattr(other, rule.name)


def test_the_drum_turns_the_order_round_and_quicken_turns_it_back() -> None:
    bell = formation.samples["bell"]
    drum = magic.Use("war drum", "all")
    opened = states.opening(bell)
    start = tk.play(turns.prepare, opened, answers=[drum]).result
    aki, ren, mio, ringer, troll = range(5)
    assert start.order == (aki, mio, ringer, ren, troll)

    def after(state: State) -> tuple[int, ...]:
        worn = replace(state, acted=tuple(sorted(state.order)))
        turned = tk.play(turns.end_turn, worn, answers=[(1, 2), (3, 4)]).result
        return turned.order

    drummed = tk.play(
        turns.end_turn, replace(start, acted=(0, 1, 2, 3, 4)), answers=[]
    ).result
    assert drummed.order == (ringer, aki, mio, troll, ren)  # 8, 7, 6 with wit 7, 6, 3
    quick = tk.play(turns.act, start, mio, answers=[magic.Use("quicken", "all")]).result
    assert [quick.total(who, "agility") for who in (aki, ren, mio)] == [11, 7, 10]
    worn = replace(quick, acted=(0, 1, 2, 3, 4))
    again = tk.play(turns.end_turn, worn).result
    assert again.order == (aki, mio, ringer, ren, troll)


def test_a_row_empties_and_is_entered() -> None:
    line = ready("broken_line")
    sable, imp = 0, 3
    assert not isinstance(decides(line, sable), entering.Enter)
    fallen = line.hurt(imp, line.hp[imp])
    assert decides(fallen, sable) == entering.Enter("enemy front")


def test_the_fallen_get_up_in_a_row_that_is_shared() -> None:
    chapel = ready("chapel", (3, 4), (2, 2))
    ilsa, first, second, singer = 0, 3, 4, 5
    down = chapel.hurt(first, 99).hurt(second, 99)
    inside = tk.play(turns.act, down, ilsa, answers=[decides(down, ilsa)]).result
    raised = tk.play(
        turns.act, inside, singer, answers=[decides(inside, singer)]
    ).result
    assert raised.slots[ilsa] == raised.slots[first] == formation.Slot.ENEMY_FRONT
    assert raised.hp[first] == 8


@pytest.mark.parametrize("name", WHOLE)
def test_each_side_can_win_and_it_ends(name: str) -> None:
    encounter, endings = formation.samples[name], Counter[str]()
    for seed in range(40):
        row = battle(encounter, formation.sensible, f"{name}/{seed}")
        endings[row["ending"]] += 1
        assert row["units"] < 400
    assert 6 <= endings["PCs win"] <= 34, endings


# ---- the policies ------------------------------------------------------------------


def test_plain_battles_end_as_the_straight_loop_ends_them() -> None:
    for name in PLAIN:
        for seed in range(40):
            ending = battle(formation.samples[name], formation.sensible, seed)["ending"]
            assert ending == by_hand(formation.samples[name], seed), (name, seed)


@pytest.mark.parametrize(
    "policy", [tactics.sensible, tactics.careful, tactics.reckless]
)
def test_policies_always_answer_legally(policy: Any) -> None:
    def checked(menu: Any) -> Any:
        return policy(menu)

    for encounter in formation.samples.values():
        for seed in range(3):
            assert battle(encounter, checked, seed) == battle(encounter, policy, seed)


def test_policies_answer_legally_after_anything() -> None:
    class Watching(Sampling):
        def choose(self, menu: Any) -> Any:
            for policy in (tactics.sensible, tactics.careful, tactics.reckless):
                answer = policy(menu)
                mixed = isinstance(answer, Mixed)
                for value, _ in answer.weights if mixed else ((answer, 1),):
                    assert menu.allows(value), (menu.name, value)
            return super().choose(menu)

    for name, encounter in formation.samples.items():
        for seed in range(3):
            ask = Watching(f"{name}/{seed}", random_legal)
            state = states.opening(encounter)
            while formation.ending(state) is None:
                state = formation.advance(ask, state)


def test_sensible_beats_the_reckless_and_the_random() -> None:
    def wins(policy: Any) -> int:
        both = by_side({"pc": policy}, tactics.sensible)
        found = 0
        for name in WHOLE:
            for seed in range(8):
                ending = battle(formation.samples[name], both, f"{name}/{seed}")
                found += ending["ending"] == "PCs win"
        return found

    own, bold, dice = map(wins, (tactics.sensible, tactics.reckless, random_legal))
    assert own > bold + 5 > dice + 5


def test_who_can_be_felled_is_struck_first() -> None:
    rocks = ready("from_the_rocks")
    captain, blade = 3, 4
    nearly = rocks.hurt(blade, rocks.hp[blade] - 4)
    assert decides(nearly, 0) == Attack("Twin Blade")
    assert decides(rocks.hurt(captain, rocks.hp[captain] - 4), 0) == Attack(
        "Gate Captain"
    )


def test_a_guard_makes_a_target_worth_less() -> None:
    rocks = ready("from_the_rocks")
    captain = Attack("Gate Captain")
    guarded = rated(rocks.defended(3), 0)[captain]
    assert 0 < guarded < rated(rocks, 0)[captain]


def test_an_instant_comes_before_the_action() -> None:
    rocks = ready("from_the_rocks")
    cry = magic.Use("war cry", "Ren")
    near = rocks.moved(1, formation.Slot.PC_FRONT)
    assert decides(rocks, 1) == cry  # spear, range 2: the front row is in reach
    after = near.gains(1, abilities.Buff("attack_power", 3, turns=0))
    assert not isinstance(decides(after, 1), magic.Use)
    back = formation.Slot.ENEMY_BACK
    out = rocks.hurt(3, 99).hurt(4, 99).moved(5, back).moved(6, back)
    assert decides(out, 1) == Step()  # nobody in reach: no cry


def test_a_potion_for_the_badly_hurt_and_a_guard_without() -> None:
    raid = ready("night_raid", (3, 4), (2, 2))
    mirel = 2
    hurt = replace(raid, held=False).hurt(mirel, raid.hp[mirel] - 4).paid(mirel, 10)
    assert decides(hurt, mirel) == items.UseItem("potion", "Mirel")
    out = hurt.consume(mirel, "potion").hurt(5, 99)
    assert decides(out, mirel) == Defend()
    assert decides(out.hurt(4, raid.hp[4] - 5), mirel) == Attack("Grey Wolf")


def test_sleep_is_for_who_can_still_act() -> None:
    line = ready("broken_line")
    witch, sable = 4, 0
    sleep = magic.Use("lullaby", "Sable")
    worth = rated(line, witch)
    assert worth[sleep] > worth[magic.Use("lullaby", "Petra")] > 0
    assert rated(line.gains(sable, armory.DROWSY), witch)[sleep] < 0
    assert rated(line.done(sable), witch)[sleep] < worth[sleep]
    assert rated(line.gains(sable, armory.ICEBOUND), witch)[sleep] < 0


def test_a_ward_is_used_against_what_it_helps_against() -> None:
    wands = ready("mage_duel")
    nadi, orsolo = range(2)
    attacked = reactions.Reactions(wands, nadi, reactions.Attacked(orsolo))
    assert tactics.sensible(attacked) == magic.Use("glass ward", "Nadi")
    star = replace(
        formation.samples["mage_duel"].combatants[1],
        abilities=(armory.deeds["falling star"],),
    )
    alone = ready("mage_duel", combatants=(wands.sheet(nadi), star))
    starred = reactions.Reactions(alone, nadi, reactions.Attacked(orsolo))
    assert tactics.sensible(starred) == getting_ready.Enough()


def test_mend_for_the_badly_hurt_alone() -> None:
    wands = ready("mage_duel")
    assert decides(wands.hurt(0, wands.hp[0] - 9), 0) == magic.Use("mend", "Nadi")
    assert decides(wands.hurt(0, 12), 0).ability == "spark"


def test_the_second_weapon_is_taken_when_nobody_is_in_reach() -> None:
    ties = ((3, 4), (2, 2), (1, 3), (4, 4))[:2]
    table = ready("other_table", *ties, ambush=None, variant=Variant())
    petra = 1
    far = table.hurt(5, 99).hurt(6, 99).paid(petra, 8)
    assert decides(far, petra) in (
        special_weapons.Swap(),
        entering.Enter("enemy front"),
    )
    off = ready(
        "other_table", *ties, ambush=None, variant=Variant(empty_row_rule="off")
    )
    assert decides(off.hurt(5, 99).hurt(6, 99), petra) == special_weapons.Swap()


def test_who_runs() -> None:
    gate = ready("parley")
    lio, lua, captain, watchman = range(4)
    flee = talk_and_flee.Flee()
    hurt = gate.hurt(watchman, 36)
    assert decides(hurt, watchman) != flee  # two against two
    assert decides(hurt.hurt(captain, 99), watchman) == flee
    slow = replace(
        formation.samples["parley"].combatants[watchman], agility=0, abilities=()
    )
    people = (*formation.samples["parley"].combatants[:watchman], slow)
    behind = ready("parley", combatants=people).hurt(watchman, 36).hurt(captain, 99)
    assert decides(behind, watchman) != flee  # 0 + 7 is less than 9 + 5
    assert decides(gate.hurt(lio, 99).hurt(lua, gate.hp[lua] - 3), lua) == flee
    assert decides(gate.hurt(lio, 99), lua) != flee


def test_it_never_talks_or_pleads() -> None:
    for name in WHOLE:
        state = replace(states.opening(formation.samples[name]), held=False)
        for who in range(len(state.hp)):
            for answer, worth in rated(state, who).items():
                if isinstance(
                    answer, talk_and_flee.Talk | story_magic.Plea | formation.Pass
                ):
                    assert worth == -1


def test_the_game_master_lets_happen_what_happens() -> None:
    gate = ready("parley")
    ruling = talk_and_flee.FleeRulings(gate, "gm", 1)
    assert tactics.sensible(ruling) == next(ruling.values())
    assert tactics.reckless(ruling) == tactics.careful(ruling) == next(ruling.values())


def test_an_intruder_comes_back_where_plain_weapons_fight() -> None:
    bridge = ready("footbridge")
    inside = bridge.hurt(3, 99).hurt(4, 99).moved(0, formation.Slot.ENEMY_FRONT)
    assert decides(inside, 0) == Attack("Slinger")
    lost = inside.moved(0, formation.Slot.ENEMY_FRONT).hurt(5, 99)
    assert decides(lost, 0) == entering.Return()


def test_careful_guards_from_half_on() -> None:
    bridge = ready("footbridge")
    half = bridge.hurt(0, 8)
    assert tactics.careful(turns.Actions(half, 0)) == Defend()
    assert decides(half, 0) == Attack("Wolf")
    assert tactics.careful(turns.Actions(bridge.hurt(0, 7), 0)) == Attack("Wolf")
    tired = half.hurt(1, 6).hurt(2, 5)
    assert tactics.careful(turns.Actions(tired, 0)) == Attack("Wolf")


def test_reckless_strikes_or_goes_where_somebody_is() -> None:
    bridge = ready("footbridge")
    assert tactics.reckless(turns.Actions(bridge, 0)) == Attack("Brute")
    assert (
        tactics.reckless(turns.Actions(bridge.moved(0, formation.Slot.PC_BACK), 0))
        == Step()
    )
    emptied = bridge.hurt(3, 99).hurt(4, 99)
    assert tactics.reckless(turns.Actions(emptied, 0)) == entering.Enter("enemy front")
    wands = ready("mage_duel")
    attacked = reactions.Reactions(wands, 0, reactions.Attacked(1))
    assert tactics.reckless(attacked) == getting_ready.Enough()


@pytest.mark.parametrize("name", formation.samples)
@pytest.mark.parametrize("seed", range(4))
def test_every_step_of_a_sample_has_its_picture(name: str, seed: int) -> None:
    game = tk.Game(formation.samples[name], seed=seed)
    film = frames.Film(tk.autoplay(game, formation.sensible))
    shown, _ = film.new()
    assert len(shown) > len(game.events())


def test_a_row_of_the_fallen_of_both_sides_has_its_picture() -> None:
    encounter = formation.samples["chapel"]
    state = formation.opening(encounter)
    for who in range(len(encounter.names)):
        state = state.moved(who, formation.Slot.ENEMY_FRONT)
        state = state.hurt(who, 99) if who else state
    state = state.moved(0, formation.Slot.PC_FRONT)
    assert tk.Board(state).text().count("down") == len(encounter.names) - 1
