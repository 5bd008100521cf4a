/* Lines followed sowing by sowing, and moves counted. */
#include "prospects.h"
#include "rules.h"

void kg_follow(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
               kg_course *course) {
    kg_position at = *position;
    int mine = 1;
    *course = (kg_course){0};
    for (int32_t ply = 0; ply < length && course->rounds < KG_ROUNDS && !course->over; ply++) {
        kg_sowing told;
        const int again = kg_tell(kernel, &at, line[ply], &told);
        if (again < 0)
            return;
        if (ply <= KG_BEFORE) {
            int stones = 0;
            for (int one = 0; one < told.captures; one++)
                stones += told.taken[one];
            course->holes[ply] = (uint8_t)(line[ply] + 1);
            course->mine[ply] = (uint8_t)mine;
            course->taken[ply] = (uint8_t)stones;
            course->tuz[ply] = (uint8_t)told.tuz;
            course->plies = ply + 1;
        }
        at = told.after;
        const int next = again ? mine : !mine; /* outcome and stores speak to the next player */
        course->over = told.outcome.termination != KG_ONGOING;
        if (course->over || next > mine) {
            const int lead = course->over ? told.outcome.stores[0] - told.outcome.stores[1]
                                          : (int)kg_own_store(&at) - (int)kg_other_store(&at);
            course->balance[course->rounds++] = next ? lead : -lead;
        }
        mine = next;
    }
}

int kg_largest(const kg_course *course, int mine, int from) {
    int best = -1;
    for (int ply = from; ply < course->plies; ply++)
        if (course->mine[ply] == mine && course->taken[ply] > (best < 0 ? 0 : course->taken[best]))
            best = ply;
    return best;
}

int kg_first_tuz(const kg_course *course, int mine, int from) {
    for (int ply = from; ply < course->plies; ply++)
        if (course->mine[ply] == mine && course->tuz[ply])
            return ply;
    return -1;
}

int kg_returned(const kg_course *course) {
    int ply = 1;
    while (ply < course->plies && !(course->mine[ply] && !course->mine[ply - 1]))
        ply++;
    return ply;
}

static int balance(const kg_course *course, int round) {
    return course->balance[round < course->rounds ? round : course->rounds - 1];
}

int kg_gain(const kg_course *course, const kg_course *other) {
    /* A line that has ended keeps its balance; one that breaks off is not known beyond. */
    const int longer = course->rounds > other->rounds ? course->rounds : other->rounds;
    const int to = course->over && !other->over ? other->rounds
                   : other->over && !course->over ? course->rounds
                   : course->over ? longer : course->rounds + other->rounds - longer;
    if (!course->rounds || !other->rounds)
        return 0;
    int most = 0;
    for (int round = 0; round < to; round++) {
        const int gain = balance(course, round) - balance(other, round);
        if (gain > most)
            most = gain;
    }
    return most;
}

int kg_moves_left(const kg_kernel *kernel, const kg_position *position, int home) {
    /* A tuz of the opponent is a wall at home. Where all moves are counted it is left out: then there are more, not fewer. */
    const int holes = kernel->rules.holes, wall = home ? (int)kg_byte(position->rest, 5) - 1 : -1;
    int stones[KG_MAX_HOLES], moves = 0;
    for (int hole = 0; hole < holes; hole++)
        stones[hole] = hole == wall ? 0 : (int)kg_own_stones(position, (unsigned)hole);
    /* The last hole that can be sown first: stones that meet in a hole would lose moves. */
    for (int hole = holes - 1; hole >= 0;) {
        const int lifted = stones[hole], first = hole + (int)kg_first_step(&kernel->rules, (unsigned)lifted);
        const int last = first + lifted - 1;
        if (!lifted || (home && (last >= holes || (hole <= wall && wall <= last)))) {
            hole--;
            continue;
        }
        stones[hole] = 0;
        for (int to = first; to <= last && to < holes; to++)
            stones[to] += to != wall;
        moves++;
        hole = holes - 1;
    }
    return moves;
}
