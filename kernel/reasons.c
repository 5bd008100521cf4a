/* Facts about a move, each found by sowing. */
#include "reasons.h"
#include "rules.h"

/* The most that the side to move can do with one sowing. Holes are numbers, 0 for none. */
typedef struct {
    int stones, hole;          /* the largest capture, and what is sown for it */
    int wins;                  /* what is sown to end the game, won */
    unsigned tuz;              /* a bit for each hole of the opponent that can be won */
    int gains[KG_MAX_HOLES];   /* what each hole captures */
} outlook;

typedef struct {
    kg_reason *list;
    int count;
} found;

/* Puts a fact behind those that weigh as much; what is returned holds until the next one comes. */
static kg_reason *add(found *found, int kind, int weight, int stones, int hole) {
    int at = found->count++;
    for (; at > 0 && found->list[at - 1].weight < weight; at--)
        found->list[at] = found->list[at - 1];
    found->list[at] = (kg_reason){.kind = kind, .weight = weight, .stones = stones, .hole = hole};
    return found->list + at;
}

static int taken(const kg_sowing *told) {
    int stones = 0;
    for (int at = 0; at < told->captures; at++)
        stones += told->taken[at];
    return stones;
}

/* 1 when the mover has won by this sowing, -1 when lost, 0 for a draw; again tells who the outcome speaks to. */
static int won(const kg_sowing *told, int again) {
    return again ? told->outcome.winner : -told->outcome.winner;
}

static int over(const kg_sowing *told) {
    return told->outcome.termination != KG_ONGOING;
}

/* Called in many places, and never in a hurry. */
static __attribute__((noinline)) outlook look(const kg_kernel *kernel, const kg_position *position) {
    outlook seen = {0};
    const uint32_t legal = kg_legal(kernel, position);
    for (int hole = 0; hole < kernel->rules.holes; hole++) {
        kg_sowing told;
        if (!(legal >> hole & 1))
            continue;
        const int again = kg_tell(kernel, position, hole, &told), stones = taken(&told);
        seen.gains[hole] = stones;
        if (stones > seen.stones) {
            seen.stones = stones;
            seen.hole = hole + 1;
        }
        if (told.tuz)
            seen.tuz |= 1u << (told.tuz - 1);
        if (!seen.wins && over(&told) && won(&told, again) > 0)
            seen.wins = hole + 1;
    }
    return seen;
}

static int lowest(unsigned holes) {
    int hole = 1;
    for (; holes && !(holes & 1); holes >>= 1)
        hole++;
    return holes ? hole : 0;
}

/* Stones that fell into the tuz of a side: KG_STORE for the mover's, the place after it for the opponent's. */
static int fed(const kg_sowing *told, int store) {
    int stones = 0;
    for (int at = 0; at < told->lifted; at++)
        stones += told->lies[at] == store && told->drops[at] != store;
    return stones;
}

static void tell_sowing(const kg_position *before, const kg_sowing *told, int again, found *found) {
    const int stones = taken(told);
    if (over(told)) {
        const int result = won(told, again), *stores = told->outcome.stores;
        const int lead = again ? stores[0] - stores[1] : stores[1] - stores[0];
        const int swept = told->outcome.swept[!again], goal = told->outcome.termination == KG_MAJORITY;
        if (result > 0)
            add(found, goal ? KG_WHY_GOAL : KG_WHY_WINS, 1000, goal ? stores[!again] : lead, 0);
        else if (result == 0)
            add(found, KG_WHY_DRAWS, 500, 0, 0);
        if (told->outcome.termination == KG_NO_MOVE && !again)
            add(found, KG_WHY_STARVES, 300, 0, 0);
        if (swept)
            add(found, KG_WHY_SWEEPS, 2 * swept, swept, 0);
    }
    if (told->tuz)
        add(found, KG_WHY_TUZ, 40, stones, told->tuz);
    else if (told->captures == 1)
        add(found, KG_WHY_CAPTURES, 2 * stones, stones, told->captured[0] - KG_MAX_HOLES + 1);
    else if (told->captures == 2)
        add(found, KG_WHY_OPPOSITE, 2 * stones, stones, told->captured[0] + 1);
    if (fed(told, KG_STORE))
        add(found, KG_WHY_FEEDS, 2 * fed(told, KG_STORE), fed(told, KG_STORE), (int)kg_byte(before->rest, 4));
    int home = 1;
    for (int at = 0; at < told->lifted; at++)
        home &= told->lies[at] < KG_MAX_HOLES;
    if (home)
        add(found, KG_WHY_HOME, 1, 0, 0);
}

/* What the opponent could do had the mover passed, against what is left of it. */
static void tell_defence(const outlook *danger, const outlook *now, found *found) {
    if (danger->wins && !now->wins)
        add(found, KG_WHY_STOPS_WIN, 900, 0, danger->wins);
    if (danger->tuz && !now->tuz)
        add(found, KG_WHY_STOPS_TUZ, 30, 0, lowest(danger->tuz));
    if (now->stones >= danger->stones)
        return;
    const int kind = now->stones ? KG_WHY_REDUCES : KG_WHY_SAVES, fewer = danger->stones - now->stones;
    add(found, kind, 2 * fewer - 1, danger->stones, 0)->left = now->stones;
}

/* The least that the mover can capture after an answer; 0 also where an answer ends the game. */
static int sure(const kg_kernel *kernel, const kg_position *after) {
    const uint32_t answers = kg_legal(kernel, after);
    int least = KG_MAX_STONES;
    for (int hole = 0; hole < kernel->rules.holes; hole++) {
        kg_position next;
        if (!(answers >> hole & 1))
            continue;
        kg_play(kernel, after, hole, &next);
        const outlook then = look(kernel, &next);
        least = then.stones < least ? then.stones : least;
    }
    return answers ? least : 0;
}

static void tell_threats(const kg_kernel *kernel, const kg_position *position, int sown, const kg_position *after,
                         found *found) {
    const kg_position passed = kg_turned(*after);
    const outlook before = look(kernel, position), then = look(kernel, &passed);
    if (then.wins && !before.wins)
        add(found, KG_WHY_THREATENS_WIN, 200, 0, then.wins);
    if (then.tuz & ~before.tuz)
        add(found, KG_WHY_THREATENS_TUZ, 14, 0, lowest(then.tuz & ~before.tuz));
    int best = 0, with = 0;
    for (int hole = 0; hole < kernel->rules.holes; hole++) {
        const int known = hole == sown ? 0 : before.gains[hole];
        if (then.gains[hole] > known && then.gains[hole] > best) {
            best = then.gains[hole];
            with = hole + 1;
        }
    }
    if (best)
        add(found, KG_WHY_THREATENS, best, best, with);
    /* Where a turn may have many plies, an answer is no single sowing. */
    const int least = kernel->rules.extra_turn ? 0 : sure(kernel, after);
    if (least)
        add(found, KG_WHY_SURE, 2 * least - 2, least, 0);
    const uint32_t answers = kg_legal(kernel, after);
    if (answers && !(answers & (answers - 1)))
        add(found, KG_WHY_FORCES, 4, 0, lowest(answers));
}

/* What the mover's next sowing wins in the line that is expected. */
static void tell_line(const kg_kernel *kernel, const kg_position *after, const uint8_t *line, int32_t length,
                      found *found) {
    kg_position at = *after;
    int answering = 1;
    for (int32_t ply = 0; ply < length; ply++) {
        kg_sowing told;
        const int again = kg_tell(kernel, &at, line[ply], &told);
        if (again < 0)
            return;
        if (!answering) {
            const int stones = taken(&told), hole = line[ply] + 1;
            for (int known = 0; known < found->count; known++) {
                const kg_reason *one = found->list + known;
                if ((one->kind == KG_WHY_THREATENS && one->stones == stones && one->hole == hole) ||
                    (one->kind == KG_WHY_THREATENS_TUZ && one->hole == told.tuz))
                    return;
            }
            if (told.tuz)
                add(found, KG_WHY_PREPARES_TUZ, 12, stones, told.tuz);
            else if (stones)
                add(found, KG_WHY_PREPARES, stones, stones, hole);
            return;
        }
        answering = again;
        at = told.after;
    }
}

KG_API int32_t kg_reasons(const kg_kernel *kernel, const kg_position *position, int32_t hole, const uint8_t *line,
                          int32_t length, kg_reason *reasons) {
    found found = {reasons, 0};
    kg_sowing told;
    const int again = kg_tell(kernel, position, hole, &told);
    if (again < 0)
        return again;
    tell_sowing(position, &told, again, &found);
    if (over(&told))
        return found.count;
    if (again) {
        const outlook next = look(kernel, &told.after);
        add(&found, KG_WHY_TURN, 6 + 2 * next.stones, 0, 0);
        if (next.stones)
            add(&found, KG_WHY_FOLLOWS, 2 * next.stones, next.stones, next.hole);
        return found.count;
    }
    const kg_position passed = kg_turned(*position);
    const outlook danger = look(kernel, &passed), now = look(kernel, &told.after);
    tell_defence(&danger, &now, &found);
    tell_threats(kernel, position, hole, &told.after, &found);
    tell_line(kernel, &told.after, line, length, &found);
    return found.count;
}

KG_API int32_t kg_faults(const kg_kernel *kernel, const kg_position *position, int32_t hole, int32_t better,
                         kg_reason *faults) {
    found found = {faults, 0};
    kg_sowing told, best;
    const int again = kg_tell(kernel, position, hole, &told);
    if (again < 0)
        return again;
    const int goes_on = kg_tell(kernel, position, better, &best);
    if (goes_on < 0)
        return goes_on;
    const int result = over(&told) ? won(&told, again) : 0, wins = over(&best) && won(&best, goes_on) > 0;
    if (result < 0) {
        const int lead = told.outcome.stores[0] - told.outcome.stores[1];
        add(&found, KG_WHY_LOSES, 1000, again ? -lead : lead, 0);
    }
    if (wins && result <= 0)
        add(&found, KG_WHY_MISSES_WIN, 900, 0, 0);
    if (best.tuz && !told.tuz)
        add(&found, KG_WHY_MISSES_TUZ, 40, 0, best.tuz);
    else if (taken(&best) > taken(&told))
        add(&found, KG_WHY_MISSES, 2 * (taken(&best) - taken(&told)), taken(&best), 0);
    if (best.extra_turn && !told.extra_turn)
        add(&found, KG_WHY_MISSES_TURN, 6, 0, 0);
    const int given = fed(&told, KG_STORE + 1);
    if (given > fed(&best, KG_STORE + 1))
        add(&found, KG_WHY_FEEDS_OTHER, 2 * given, given, (int)kg_byte(position->rest, 5));
    /* What the opponent may do now can be compared only where both moves pass the turn. */
    if (again || goes_on || over(&told))
        return found.count;
    const outlook now = look(kernel, &told.after), instead = look(kernel, &best.after);
    if (now.wins && !instead.wins)
        add(&found, KG_WHY_ALLOWS_WIN, 950, 0, now.wins);
    if (now.tuz && !instead.tuz)
        add(&found, KG_WHY_ALLOWS_TUZ, 40, 0, lowest(now.tuz));
    if (now.stones > instead.stones)
        add(&found, KG_WHY_ALLOWS, 2 * (now.stones - instead.stones), now.stones, now.hole);
    return found.count;
}
