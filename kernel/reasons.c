/* Facts about a move, each found by sowing. */
#include "reasons.h"
#include "prospects.h"
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
} facts;

/* Puts a fact behind those that weigh as much; what is returned holds until the next one comes. */
static kg_reason *add(facts *found, int kind, int weight, int stones, int hole) {
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

static void tell_sowing(const kg_position *before, const kg_sowing *told, int again, facts *found) {
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
static void tell_defence(const outlook *danger, const outlook *now, facts *found) {
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
                         facts *found) {
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
                      facts *found) {
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

/* The sowings of a line before a ply. */
static void set_line(kg_reason *reason, const kg_course *course, int plies) {
    for (int ply = 0; ply < plies; ply++)
        reason->line[ply] = course->holes[ply];
}

/* What the mover wins in the line later than with the next sowing. */
static void tell_later(const kg_course *course, facts *found) {
    const int next = kg_returned(course), largest = kg_largest(course, 1, next), tuz = kg_first_tuz(course, 1, next);
    if (largest > next)
        set_line(add(found, KG_WHY_LATER, course->taken[largest], course->taken[largest], course->holes[largest]), course,
                 largest);
    if (tuz > next)
        set_line(add(found, KG_WHY_LATER_TUZ, 12, course->taken[tuz], course->tuz[tuz]), course, tuz);
}

/* The moves that both sides have left, where the board has grown thin. */
typedef struct {
    int counted, home, all, their_home, their_all;
} supply;

static supply count_moves(const kg_kernel *kernel, const kg_position *after) {
    const kg_position own = kg_turned(*after);
    if (kernel->rules.store_sown || (int)(kg_own_board(after) + kg_other_board(after)) > 6 * kernel->rules.holes)
        return (supply){0};
    return (supply){1, kg_moves_left(kernel, &own, 1), kg_moves_left(kernel, &own, 0),
                    kg_moves_left(kernel, after, 1), kg_moves_left(kernel, after, 0)};
}

static void tell_supply(const supply *left, facts *found) {
    if (left->home && left->home >= left->their_home)
        add(found, KG_WHY_TEMPO, 2 + left->home - left->their_home, left->home, 0)->left = left->their_home;
    if (left->home && left->home >= left->their_all)
        add(found, KG_WHY_STARVING, 5, left->home, 0)->left = left->their_all;
}

/* Facts about a move by itself. */
static void tell_all(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
                     const kg_sowing *told, int again, const kg_course *course, facts *found) {
    tell_sowing(position, told, again, found);
    if (over(told))
        return;
    if (again) {
        const outlook next = look(kernel, &told->after);
        add(found, KG_WHY_TURN, 6 + 2 * next.stones, 0, 0);
        if (next.stones)
            add(found, KG_WHY_FOLLOWS, 2 * next.stones, next.stones, next.hole);
    } else {
        const kg_position passed = kg_turned(*position);
        const outlook danger = look(kernel, &passed), now = look(kernel, &told->after);
        tell_defence(&danger, &now, found);
        tell_threats(kernel, position, line[0], &told->after, found);
        tell_line(kernel, &told->after, line + 1, length - 1, found);
        const supply left = count_moves(kernel, &told->after);
        tell_supply(&left, found);
    }
    tell_later(course, found);
}

/* What the opponent could do after the other move, and cannot do now. What a pass would allow as well is told already. */
static void tell_avoided(const kg_kernel *kernel, const kg_position *position, const kg_sowing *told, int passes,
                         const kg_course *course, const kg_sowing *instead, int instead_passes, const kg_course *other,
                         facts *found) {
    int captured = 0, tuz = 0;
    if (passes && instead_passes) {
        const kg_position passed = kg_turned(*position);
        const outlook danger = look(kernel, &passed), now = look(kernel, &told->after);
        const outlook then = look(kernel, &instead->after);
        if (then.wins && !now.wins && !danger.wins)
            set_line(add(found, KG_WHY_AVOIDS_WIN, 900, 0, then.wins), other, 1);
        tuz = then.tuz && !now.tuz;
        if (tuz && !danger.tuz)
            set_line(add(found, KG_WHY_AVOIDS_TUZ, 30, 0, lowest(then.tuz)), other, 1);
        captured = then.stones > now.stones;
        if (captured && then.stones != danger.stones)
            set_line(add(found, KG_WHY_AVOIDS, 2 * (then.stones - now.stones), then.stones, then.hole), other, 1);
    }
    const int later = kg_largest(other, 0, 2), own = kg_largest(course, 0, 1), later_tuz = kg_first_tuz(other, 0, 2);
    const int fewer = later < 0 ? 0 : other->taken[later] - (own < 0 ? 0 : course->taken[own]);
    if (!captured && fewer > 0)
        set_line(add(found, KG_WHY_AVOIDS, fewer, other->taken[later], other->holes[later]), other, later);
    if (!tuz && later_tuz >= 0 && kg_first_tuz(course, 0, 1) < 0)
        set_line(add(found, KG_WHY_AVOIDS_TUZ, 12, 0, other->tuz[later_tuz]), other, later_tuz);
}

/* 1 where a fact about the other move says at least as much. */
static int as_much(const kg_reason *one, const kg_reason *other) {
    if (one->kind == KG_WHY_REDUCES && other->kind == KG_WHY_SAVES)
        return 1;
    return one->kind == other->kind && other->stones >= one->stones && other->left <= one->left;
}

/* Marks what holds as well for the other move, and weighs the rest by what it says more. */
static void compare(facts *found, const kg_reason *others, int count) {
    for (int at = 0; at < found->count; at++) {
        kg_reason *one = found->list + at;
        int known = 0;
        for (int other = 0; other < count; other++) {
            one->shared |= as_much(one, others + other);
            if (others[other].kind == one->kind && others[other].weight < one->weight)
                known = others[other].weight;
        }
        if (!one->shared)
            one->weight -= known;
    }
}

/* Puts first the heaviest fact that is not shared, the others behind it by weight, and last that all stones stay at home. */
static void sort(facts *found) {
    for (int at = 1; at < found->count; at++) {
        const kg_reason one = found->list[at];
        int to = at;
        for (; to > 0; to--) {
            const kg_reason *before = found->list + to - 1;
            if (one.kind == KG_WHY_HOME || (before->kind != KG_WHY_HOME && before->weight >= one.weight))
                break;
            found->list[to] = *before;
        }
        found->list[to] = one;
    }
    for (int at = 0; at < found->count; at++) {
        const kg_reason one = found->list[at];
        if (one.shared || one.kind == KG_WHY_HOME)
            continue;
        for (int to = at; to > 0; to--)
            found->list[to] = found->list[to - 1];
        found->list[0] = one;
        return;
    }
}

KG_API int32_t kg_reasons(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
                          const uint8_t *other, int32_t other_length, kg_reason *reasons) {
    facts found = {reasons, 0};
    kg_sowing told, instead;
    kg_course course, another;
    const int again = kg_tell(kernel, position, line[0], &told);
    if (again < 0)
        return again;
    kg_follow(kernel, position, line, length, &course);
    tell_all(kernel, position, line, length, &told, again, &course, &found);
    if (other_length > 0) {
        const int goes_on = kg_tell(kernel, position, other[0], &instead);
        if (goes_on < 0)
            return goes_on;
        kg_reason list[KG_MAX_REASONS];
        facts against = {list, 0};
        kg_follow(kernel, position, other, other_length, &another);
        tell_all(kernel, position, other, other_length, &instead, goes_on, &another, &against);
        compare(&found, list, against.count);
        const int passes = !again && !over(&told), instead_passes = !goes_on && !over(&instead);
        tell_avoided(kernel, position, &told, passes, &course, &instead, instead_passes, &another, &found);
        /* The sum of it all, behind each part. */
        const int gain = over(&told) ? 0 : kg_gain(&course, &another);
        if (gain)
            add(&found, KG_WHY_AHEAD, 1, gain, other[0] + 1);
    }
    sort(&found);
    return found.count;
}

/* What the lines bring later. allowed: what the opponent can capture at once, where it is told. */
static void tell_lines(const kg_course *course, const kg_course *better, int allowed, int allowed_tuz, int missed_tuz,
                       facts *found) {
    const int theirs = kg_largest(course, 0, 2), theirs_then = kg_largest(better, 0, 1);
    const int more = theirs < 0 ? 0 : course->taken[theirs] - (theirs_then < 0 ? 0 : better->taken[theirs_then]);
    if (more > 0 && course->taken[theirs] > allowed)
        set_line(add(found, KG_WHY_ALLOWS_LATER, more, course->taken[theirs], course->holes[theirs]), course, theirs);
    const int their_tuz = kg_first_tuz(course, 0, 2);
    if (their_tuz >= 0 && !allowed_tuz && kg_first_tuz(better, 0, 1) < 0)
        set_line(add(found, KG_WHY_ALLOWS_TUZ_LATER, 12, 0, course->tuz[their_tuz]), course, their_tuz);
    const int next = kg_returned(better), ours = kg_largest(better, 1, next), ours_now = kg_largest(course, 1, 0);
    const int fewer = ours < 0 ? 0 : better->taken[ours] - (ours_now < 0 ? 0 : course->taken[ours_now]);
    if (fewer > 0)
        set_line(add(found, KG_WHY_MISSES_LATER, fewer, better->taken[ours], better->holes[ours]), better, ours);
    const int our_tuz = kg_first_tuz(better, 1, next);
    if (our_tuz >= 0 && !missed_tuz && kg_first_tuz(course, 1, 0) < 0)
        set_line(add(found, KG_WHY_MISSES_TUZ_LATER, 12, 0, better->tuz[our_tuz]), better, our_tuz);
    const int behind = kg_gain(better, course);
    if (behind)
        add(found, KG_WHY_BEHIND, (behind + 1) / 2, behind, 0);
}

KG_API int32_t kg_faults(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
                         const uint8_t *better, int32_t better_length, kg_reason *faults) {
    facts found = {faults, 0};
    kg_sowing told, best;
    kg_course course, instead_course;
    const int again = kg_tell(kernel, position, line[0], &told);
    if (again < 0)
        return again;
    const int goes_on = kg_tell(kernel, position, better[0], &best);
    if (goes_on < 0)
        return goes_on;
    kg_follow(kernel, position, line, length, &course);
    kg_follow(kernel, position, better, better_length, &instead_course);
    const int result = over(&told) ? won(&told, again) : 0, wins = over(&best) && won(&best, goes_on) > 0;
    if (result < 0) {
        const int lead = told.outcome.stores[0] - told.outcome.stores[1];
        add(&found, KG_WHY_LOSES, 1000, again ? -lead : lead, 0);
    }
    if (wins && result <= 0)
        add(&found, KG_WHY_MISSES_WIN, 900, 0, 0);
    const int missed_tuz = best.tuz && !told.tuz;
    if (missed_tuz)
        add(&found, KG_WHY_MISSES_TUZ, 40, 0, best.tuz);
    else if (taken(&best) > taken(&told))
        add(&found, KG_WHY_MISSES, 2 * (taken(&best) - taken(&told)), taken(&best), 0);
    if (best.extra_turn && !told.extra_turn)
        add(&found, KG_WHY_MISSES_TURN, 6, 0, 0);
    const int given = fed(&told, KG_STORE + 1);
    if (given > fed(&best, KG_STORE + 1))
        add(&found, KG_WHY_FEEDS_OTHER, 2 * given, given, (int)kg_byte(position->rest, 5));
    int allowed = 0, allowed_tuz = 0;
    /* What the opponent may do now can be compared only where both moves pass the turn. */
    if (!again && !goes_on && !over(&told)) {
        const outlook now = look(kernel, &told.after), instead = look(kernel, &best.after);
        allowed_tuz = now.tuz && !instead.tuz;
        if (now.wins && !instead.wins)
            add(&found, KG_WHY_ALLOWS_WIN, 950, 0, now.wins);
        if (allowed_tuz)
            add(&found, KG_WHY_ALLOWS_TUZ, 40, 0, lowest(now.tuz));
        if (now.stones > instead.stones) {
            add(&found, KG_WHY_ALLOWS, 2 * (now.stones - instead.stones), now.stones, now.hole);
            allowed = now.stones;
        }
        const supply left = count_moves(kernel, &told.after), then = count_moves(kernel, &best.after);
        const int slower = then.home - then.their_home - (left.home - left.their_home);
        if (left.counted && then.counted && left.home < left.their_home && slower > 0)
            add(&found, KG_WHY_RUNS_OUT, slower, left.home, 0)->left = left.their_home;
        const int given_moves = left.their_all - then.their_all;
        if (left.counted && then.counted && given_moves > 0)
            add(&found, KG_WHY_GIVES_MOVES, given_moves, given_moves, 0);
        if (left.counted && then.counted && left.all < left.their_home && then.all >= then.their_home)
            add(&found, KG_WHY_STARVED, 8, left.all, 0)->left = left.their_home;
    }
    tell_lines(&course, &instead_course, allowed, allowed_tuz, missed_tuz, &found);
    return found.count;
}
