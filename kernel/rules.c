/* The sowing table, and the rules one ply at a time for callers outside. */
#include "rules.h"

static void put(kg_row *row, unsigned place) {
    if (place == KG_STORE)
        row->rest += UINT64_C(1) << 16;
    else if (place < 8)
        row->own += UINT64_C(1) << (8 * place);
    else if (place == 8)
        row->rest += 1;
    else if (place < 17)
        row->other += UINT64_C(1) << (8 * (place - 9));
    else
        row->rest += UINT64_C(1) << 8;
}

static void build_rows(kg_row *rows, const kg_rules *rules) {
    const unsigned holes = (unsigned)rules->holes;
    unsigned ring[2 * KG_MAX_HOLES + 1], length = 0;
    for (unsigned hole = 0; hole < holes; hole++)
        ring[length++] = hole;
    if (rules->store_sown)
        ring[length++] = KG_STORE;
    for (unsigned hole = 0; hole < holes; hole++)
        ring[length++] = KG_MAX_HOLES + hole;
    for (unsigned hole = 0; hole < holes; hole++) {
        for (unsigned count = 1; count <= KG_MAX_STONES; count++) {
            kg_row *row = rows + hole * (KG_MAX_STONES + 1) + count;
            *row = (kg_row){0};
            /* Taken off as one number: a borrow between bytes is undone when the position is added. */
            if (hole < 8)
                row->own -= (uint64_t)count << (8 * hole);
            else
                row->rest -= count;
            unsigned place = 0;
            for (unsigned step = 0; step < count; step++) {
                place = ring[(hole + kg_first_step(rules, count) + step) % length];
                put(row, place);
            }
            row->place = (uint8_t)place;
            if (place >= KG_MAX_HOLES && place < 17) {
                row->shift = (uint8_t)(8 * (place - KG_MAX_HOLES));
                row->mask = 255;
            }
            row->mask8 = place == 17 ? 255 : 0;
        }
    }
}

kg_rules kg_bare_rules(const kg_rules *rules) {
    kg_rules bare = *rules;
    bare.stones = bare.goal = bare.threefold = bare.recurrence = bare.drawn_position = 0;
    if (!bare.tuz)
        bare.tuz_last_hole = bare.tuz_same_number = bare.tuz_takes = 0;
    if (!bare.store_sown)
        bare.extra_turn = 0;
    if (!bare.extra_turn)
        bare.extra_turn_single = 0;
    return bare;
}

int kg_same_rules(const kg_rules *a, const kg_rules *b) {
    const int32_t *one = &a->holes, *other = &b->holes;
    for (int at = 0; at < KG_CHOICES; at++)
        if (one[at] != other[at])
            return 0;
    return 1;
}

kg_stored_rules kg_write_rules(const kg_rules *rules, uint32_t *later) {
    kg_stored_rules stored;
    int32_t *to = &stored.holes;
    const int32_t *from = &rules->holes;
    *later = 0;
    for (int at = 0; at < KG_CHOICES; at++) {
        if (at < KG_FIRST_CHOICES)
            to[at] = from[at];
        else
            *later |= (uint32_t)from[at] << (4 * (at - KG_FIRST_CHOICES));
    }
    return stored;
}

kg_rules kg_read_rules(const kg_stored_rules *stored, uint32_t later) {
    kg_rules rules;
    int32_t *to = &rules.holes;
    const int32_t *from = &stored->holes;
    for (int at = 0; at < KG_CHOICES; at++)
        to[at] = at < KG_FIRST_CHOICES ? from[at] : (int32_t)(later >> (4 * (at - KG_FIRST_CHOICES)) & 15);
    return rules;
}

/* Whether two records move alike and end alike. */
static int alike(const kg_rules *a, const kg_rules *b) {
    const kg_rules one = kg_bare_rules(a), other = kg_bare_rules(b);
    return a->goal == b->goal && kg_same_rules(&one, &other);
}

KG_API uint32_t kg_version(void) {
    return KG_VERSION;
}

KG_API uint64_t kg_kernel_bytes(void) {
    return sizeof(kg_kernel);
}

KG_API int32_t kg_kernel_init(kg_kernel *kernel, const kg_rules *rules) {
    const int32_t *choice = &rules->holes;
    for (int at = 0; at < KG_CHOICES; at++)
        if (choice[at] < 0 || choice[at] > kg_most_of_choice[at])
            return KG_BAD_RULES;
    if (rules->holes < 1 || 2 * rules->holes * rules->stones > KG_MAX_STONES)
        return KG_BAD_RULES;
    kernel->rules = *rules;
    kernel->variant = 0;
    while (kernel->variant < KG_ANY && !alike(rules, kg_rules_of[kernel->variant]))
        kernel->variant++;
    build_rows(kernel->rows, rules);
    return 0;
}

KG_API void kg_start(const kg_kernel *kernel, kg_position *position) {
    const uint64_t stones = (uint64_t)kernel->rules.stones;
    *position = (kg_position){0, 0, 0};
    for (int hole = 0; hole < kernel->rules.holes && hole < 8; hole++)
        position->own |= stones << (8 * hole);
    position->other = position->own;
    if (kernel->rules.holes > 8)
        position->rest = stones | stones << 8;
}

KG_API int32_t kg_check(const kg_kernel *kernel, const kg_position *position) {
    const kg_rules *rules = &kernel->rules;
    unsigned total = kg_own_store(position) + kg_other_store(position);
    for (unsigned hole = 0; hole < KG_MAX_HOLES; hole++) {
        const unsigned own = kg_own_stones(position, hole), other = kg_other_stones(position, hole);
        if (own + other && (int)hole >= rules->holes)
            return KG_BAD_POSITION;
        total += own + other;
    }
    const unsigned won = kg_byte(position->rest, 4), lost = kg_byte(position->rest, 5);
    const unsigned farthest = (unsigned)rules->holes - (rules->tuz_last_hole ? 0 : 1);
    if (total > KG_MAX_STONES || position->rest >> 48 || ((won || lost) && !rules->tuz) || won > farthest ||
        lost > farthest || (won && won == lost && !rules->tuz_same_number))
        return KG_BAD_POSITION;
    if (rules->tuz_takes &&
        ((won && kg_other_stones(position, won - 1)) || (lost && kg_own_stones(position, lost - 1))))
        return KG_BAD_POSITION;
    return 0;
}

KG_API uint32_t kg_legal(const kg_kernel *kernel, const kg_position *position) {
    if (kg_ending(&kernel->rules, position) != KG_ONGOING)
        return 0;
    uint32_t legal = 0;
    for (unsigned hole = 0; hole < (unsigned)kernel->rules.holes; hole++)
        legal |= (uint32_t)(kg_own_stones(position, hole) != 0) << hole;
    return legal;
}

KG_API int32_t kg_play(const kg_kernel *kernel, const kg_position *position, int32_t hole, kg_position *after) {
    if (kg_ending(&kernel->rules, position) != KG_ONGOING)
        return KG_OVER;
    if (hole < 0 || hole >= kernel->rules.holes)
        return KG_NO_SUCH_HOLE;
    if (kg_own_stones(position, (unsigned)hole) == 0)
        return KG_EMPTY_HOLE;
    return kg_sow(&kernel->rules, kernel->rows, position, (unsigned)hole, after);
}

KG_API int32_t kg_outcome_of(const kg_kernel *kernel, const kg_position *position, kg_outcome *outcome) {
    const kg_rules *rules = &kernel->rules;
    const int termination = kg_ending(rules, position);
    if (outcome == 0)
        return termination;
    int stores[2] = {(int)kg_own_store(position), (int)kg_other_store(position)}, swept[2] = {0, 0};
    if ((termination == KG_NO_MOVE || termination == KG_SIDE_EMPTY) && rules->sweep != KG_SWEEP_NOBODY) {
        const int emptied = rules->sweep == KG_SWEEP_EMPTIED;
        swept[emptied] = (int)kg_own_board(position);
        swept[!emptied] = (int)kg_other_board(position);
    }
    *outcome = (kg_outcome){.termination = termination};
    if (termination == KG_ONGOING)
        return termination;
    for (int side = 0; side < 2; side++) {
        outcome->swept[side] = swept[side];
        outcome->stores[side] = stores[side] + swept[side];
    }
    outcome->winner = (outcome->stores[0] > outcome->stores[1]) - (outcome->stores[0] < outcome->stores[1]);
    return termination;
}

KG_API int32_t kg_trace(const kg_kernel *kernel, const kg_position *start, const uint8_t *holes, int32_t count,
                        kg_position *positions, uint16_t *legal, uint8_t *extra, kg_outcome *outcomes) {
    kg_position position = *start;
    for (int32_t ply = 0; ply < count; ply++) {
        const int32_t again = kg_play(kernel, &position, holes[ply], positions + ply);
        if (again < 0)
            return ply;
        position = positions[ply];
        legal[ply] = (uint16_t)kg_legal(kernel, &position);
        extra[ply] = (uint8_t)again;
        kg_outcome_of(kernel, &position, outcomes + ply);
    }
    return count;
}
