/* One sowing told stone by stone, for pages that show it. Nothing here is in a hurry, so it says the rules once more,
 * plainly, without the tables of kg_sow; tests hold the two, and both to the reference in Python. */
#include "rules.h"

enum { OTHER_STORE = KG_STORE + 1, PLACES };

/* The stones of all places as numbers, the mover's side first. */
static void spread(const kg_position *position, unsigned *stones) {
    for (unsigned hole = 0; hole < KG_MAX_HOLES; hole++) {
        stones[hole] = kg_own_stones(position, hole);
        stones[KG_MAX_HOLES + hole] = kg_other_stones(position, hole);
    }
    stones[KG_STORE] = kg_own_store(position);
    stones[OTHER_STORE] = kg_other_store(position);
}

static kg_position gathered(const unsigned *stones, unsigned won, unsigned lost) {
    kg_position position = {0, 0, 0};
    for (unsigned hole = 0; hole < 8; hole++) {
        position.own |= (uint64_t)stones[hole] << (8 * hole);
        position.other |= (uint64_t)stones[KG_MAX_HOLES + hole] << (8 * hole);
    }
    const unsigned rest[] = {stones[8], stones[17], stones[KG_STORE], stones[OTHER_STORE], won, lost};
    for (unsigned at = 0; at < 6; at++)
        position.rest |= (uint64_t)rest[at] << (8 * at);
    return position;
}

/* Where a stone that falls into a place comes to lie: in the store of the owner of a tuz. */
static unsigned passed_on(unsigned place, unsigned won, unsigned lost) {
    if (won && place == KG_MAX_HOLES + won - 1)
        return KG_STORE;
    return lost && place == lost - 1 ? OTHER_STORE : place;
}

static int may_win(const kg_rules *rules, unsigned number, unsigned won, unsigned lost) {
    return rules->tuz && !won && (rules->tuz_last_hole || (int)number != rules->holes) &&
           (rules->tuz_same_number || number != lost);
}

static void take(kg_sowing *told, unsigned *stones, unsigned place) {
    told->captured[told->captures] = (uint8_t)place;
    told->taken[told->captures++] = (uint8_t)stones[place];
    stones[KG_STORE] += stones[place];
    stones[place] = 0;
}

KG_API int32_t kg_tell(const kg_kernel *kernel, const kg_position *position, int32_t hole, kg_sowing *told) {
    const kg_rules *rules = &kernel->rules;
    const unsigned holes = (unsigned)rules->holes;
    if (kg_ending(rules, position) != KG_ONGOING)
        return KG_OVER;
    if (hole < 0 || hole >= rules->holes)
        return KG_NO_SUCH_HOLE;
    unsigned stones[PLACES], ring[PLACES], length = 0;
    spread(position, stones);
    if (stones[hole] == 0)
        return KG_EMPTY_HOLE;
    for (unsigned place = 0; place < holes; place++)
        ring[length++] = place;
    if (rules->store_sown)
        ring[length++] = KG_STORE;
    for (unsigned place = 0; place < holes; place++)
        ring[length++] = KG_MAX_HOLES + place;

    unsigned won = kg_byte(position->rest, 4);
    const unsigned lost = kg_byte(position->rest, 5), lifted = stones[hole];
    *told = (kg_sowing){.lifted = (int32_t)lifted};
    stones[hole] = 0;
    unsigned last = 0, lies = 0;
    for (unsigned step = 0; step < lifted; step++) {
        last = ring[((unsigned)hole + kg_first_step(rules, lifted) + step) % length];
        lies = passed_on(last, won, lost);
        stones[lies]++;
        told->drops[step] = (uint8_t)last;
        told->lies[step] = (uint8_t)lies;
    }

    if (lies == last && last < KG_STORE) {
        const unsigned count = stones[last], opposite = KG_MAX_HOLES + holes - 1 - last;
        if (last >= KG_MAX_HOLES && kg_captures(rules, count)) {
            take(told, stones, last);
        } else if (last >= KG_MAX_HOLES && count == 3 && may_win(rules, last - KG_MAX_HOLES + 1, won, lost)) {
            won = last - KG_MAX_HOLES + 1;
            told->tuz = (int32_t)won;
            if (rules->tuz_takes)
                take(told, stones, last);
        } else if (last < KG_MAX_HOLES && count == 1 && rules->empty_capture && stones[opposite]) {
            take(told, stones, last);
            take(told, stones, opposite);
        }
    }
    const int again = last == KG_STORE && rules->extra_turn && (lifted > 1 || rules->extra_turn_single);
    const kg_position after = gathered(stones, won, lost);
    told->after = again ? after : kg_turned(after);
    told->extra_turn = kg_outcome_of(kernel, &told->after, &told->outcome) == KG_ONGOING && again;
    return again;
}
