/* The search itself, with search_leaf.h included by search.c once for each game. */
#include "search_leaf.h"


/* One child of an inner node. */
typedef struct {
    kg_position position;
    uint64_t key;
    int32_t order;
    int16_t gain;
    uint8_t hole, again;
} KG_GAME(child);

/* Sows every hole at once, so that the table entries of the children are on their way while they are put in order. */
static inline int KG_GAME(expand)(kg_engine *engine, const kg_position *position, int table_move, int ply,
                                  KG_GAME(child) * children) {
    const kg_rules *rules = KG_GAME_RULES;
    const int stored = (int)kg_own_store(position);
    int count = 0;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        const unsigned stones = kg_own_stones(position, hole);
        if (stones == 0)
            continue;
        KG_GAME(child) *child = children + count++;
        child->hole = (uint8_t)hole;
        child->again = (uint8_t)kg_sow(rules, engine->kernel->rows, position, hole, &child->position);
        child->key = kg_hash(&child->position, engine->salt);
        if (engine->clusters)
            __builtin_prefetch(kg_cluster(engine, child->key));
        const int store = (int)(child->again ? kg_own_store(&child->position) : kg_other_store(&child->position));
        child->gain = (int16_t)(store - stored);
        child->order = child->gain * 4096 + child->again * 6144 + *kg_experience(engine, hole, stones);
        if (engine->killers[ply][0] == hole + 1 || engine->killers[ply][1] == hole + 1)
            child->order += 4096;
        if ((int)hole == table_move)
            child->order += 1 << 28;
    }
    return count;
}

/* Brings the best of the children from index on to that place. */
static inline void KG_GAME(pick)(KG_GAME(child) * children, int index, int count) {
    int best = index;
    for (int other = index + 1; other < count; other++)
        if (children[other].order > children[best].order)
            best = other;
    if (best != index) {
        const KG_GAME(child) swap = children[index];
        children[index] = children[best];
        children[best] = swap;
    }
}

static int KG_GAME(node)(kg_engine *engine, const kg_position *position, uint64_t key, int depth, int alpha, int beta,
                         int ply);

/* The value of a child for its parent, within the window. depth is what is left for the child. */
static int KG_GAME(visit)(kg_engine *engine, const KG_GAME(child) * child, int depth, int alpha, int beta, int ply) {
    const int side = engine->path[engine->top].side;
    const int next = child->again ? side : !side;
    int value;
    engine->pv_length[ply + 1] = 0;
    if (!KG_GAME(settled)(engine, &child->position, &value)) {
        if (kg_repeats(engine, &child->position, next)) {
            engine->unproven++;
            value = KG_GAME(repeated)(engine, &child->position);
        } else if (KG_GAME(tabled)(engine, &child->position, &value)) {
            /* the table has said it */
        } else if (depth <= 0 || ply >= KG_DEEPEST - 1) {
            value = KG_GAME(leaf)(engine, &child->position);
        } else {
            kg_push(engine, &child->position, next);
            value = child->again ? KG_GAME(node)(engine, &child->position, child->key, depth, alpha, beta, ply + 1)
                                 : KG_GAME(node)(engine, &child->position, child->key, depth, -beta, -alpha, ply + 1);
            engine->top--;
        }
    }
    return child->again ? value : -value;
}

static inline void KG_GAME(keep_line)(kg_engine *engine, int hole, int ply) {
    const int length = engine->pv_length[ply + 1];
    engine->pv[ply][0] = (uint8_t)hole;
    for (int at = 0; at < length; at++)
        engine->pv[ply][at + 1] = engine->pv[ply + 1][at];
    engine->pv_length[ply] = length + 1;
}

/* Principal variation search of children[0..count): the first with the whole window, the others with an empty one that
 * only asks whether they are better, late ones not so deep at first. Answers the best value, and its hole in *move. A
 * cutoff rests on its one child: when that is proven, what was guessed of the others is forgotten. */
static int KG_GAME(search_children)(kg_engine *engine, KG_GAME(child) * children, int count, int depth, int alpha,
                                    int beta, int ply, int seen, int *move) {
    const uint64_t entered = engine->unproven;
    /* Several lines are to be comparable: their first moves are all searched as deep. */
    const int reduces = engine->pruning && (ply || engine->limits.lines == 1);
    int best = -KG_INFINITE;
    for (int index = 0; index < count; index++) {
        KG_GAME(pick)(children, index, count);
        const KG_GAME(child) *child = children + index;
        const uint64_t unproven = engine->unproven;
        if (index && !child->again && kg_futile(seen, child->gain, depth, alpha, &best)) {
            engine->unproven++;
            continue;
        }
        if (kg_spend(engine)) {
            engine->aborted = 1;
            break;
        }
        int value;
        if (index == 0) {
            value = KG_GAME(visit)(engine, child, depth - 1, alpha, beta, ply);
        } else {
            const int less = reduces ? kg_reduction(depth, index) : 0;
            value = KG_GAME(visit)(engine, child, depth - 1 - less, alpha, alpha + 1, ply);
            if (less && value > alpha && !engine->aborted)
                value = KG_GAME(visit)(engine, child, depth - 1, alpha, alpha + 1, ply);
            if (value > alpha && value < beta && !engine->aborted)
                value = KG_GAME(visit)(engine, child, depth - 1, alpha, beta, ply);
        }
        if (engine->aborted)
            break;
        if (value > best) {
            best = value;
            *move = child->hole;
            if (value > alpha) {
                alpha = value;
                KG_GAME(keep_line)(engine, child->hole, ply);
            }
            if (alpha >= beta) {
                if (engine->unproven == unproven)
                    engine->unproven = entered;
                break;
            }
        }
    }
    return best;
}

static int KG_GAME(node)(kg_engine *engine, const kg_position *position, uint64_t key, int depth, int alpha, int beta,
                         int ply) {
    const uint64_t unproven = engine->unproven;
    const uint64_t data = kg_probe(engine, key);
    if (data) {
        const int at = kg_entry_depth(data), value = kg_entry_value(data), bound = kg_entry_bound(data);
        const int proven = kg_entry_proven(data);
        const int fits = engine->limits.exact_depth ? at == depth || (proven && at < depth) : at >= depth || proven;
        const int cuts = bound == KG_EXACT || (bound == KG_LOWER ? value >= beta : value <= alpha);
        if (fits && cuts && beta - alpha == 1) {
            engine->unproven += !proven;
            engine->pv_length[ply] = 0;
            return value;
        }
    }
    if (engine->pruning && depth > 1) {
        const int most = KG_GAME(most)(engine, position, 1), least = KG_GAME(most)(engine, position, -1);
        engine->pv_length[ply] = 0;
        if (most <= alpha)
            return most;
        if (least >= beta)
            return least;
    }
    int seen = KG_UNSEEN;
    if (depth <= KG_STATIC_DEPTH) {
        seen = KG_GAME(seen)(engine, position, alpha, beta);
        if (seen - kg_margin(depth) >= beta)
            return KG_GAME(guessed)(engine, seen - kg_margin(depth), ply);
    }
    if (engine->pruning && depth >= KG_UNKNOWN_DEPTH && (!data || kg_entry_move(data) < 0))
        depth -= 2; /* not looked at before: the next iteration goes on from what is found now */
    KG_GAME(child) children[KG_MAX_HOLES];
    int best, move = -1;
    if (depth == 1) {
        best = KG_GAME(horizon)(engine, position, alpha, beta, ply, seen);
        move = engine->pv_length[ply] ? engine->pv[ply][0] : -1;
    } else {
        const int count = KG_GAME(expand)(engine, position, data ? kg_entry_move(data) : -1, ply, children);
        engine->pv_length[ply] = 0;
        best = KG_GAME(search_children)(engine, children, count, depth, alpha, beta, ply, seen, &move);
    }
    if (engine->aborted)
        return 0;
    if (best >= beta && depth > 1) {
        kg_learn(engine, position, (unsigned)move, depth * depth);
        /* Those tried before it stand in front of it. */
        for (int index = 0; children[index].hole != move; index++)
            kg_learn(engine, position, children[index].hole, -depth * depth);
        if (engine->killers[ply][0] != move + 1) {
            engine->killers[ply][1] = engine->killers[ply][0];
            engine->killers[ply][0] = (uint8_t)(move + 1);
        }
    }
    const int bound = best >= beta ? KG_LOWER : best > alpha ? KG_EXACT : KG_UPPER;
    /* Where nothing was good enough, the move with the highest bound says little: the one that was good before stays. */
    if (bound == KG_UPPER && data && kg_entry_move(data) >= 0)
        move = kg_entry_move(data);
    kg_save(engine, key, kg_packed(best, depth, move, bound, engine->unproven == unproven, engine->age));
    return best;
}

/* One iteration for the line after those whose first moves are excluded. Answers whether it has a value. The window is
 * narrow around the value before, and opens where the value leaves it. */
static int KG_GAME(root)(kg_engine *engine, int depth, uint32_t excluded, kg_line *line) {
    const kg_position *position = &engine->path[engine->root_at].position;
    KG_GAME(child) children[KG_MAX_HOLES], kept[KG_MAX_HOLES];
    const int before = line->value;
    int low = -KG_INFINITE, high = KG_INFINITE, delta = KG_WINDOW, known = 0;
    if (engine->pruning && depth >= KG_WINDOW_DEPTH) {
        low = before - delta;
        high = before + delta;
    }
    for (;;) {
        const uint64_t unproven = engine->unproven;
        const int all = KG_GAME(expand)(engine, position, line->move, 0, children);
        int count = 0, move = -1;
        for (int index = 0; index < all; index++)
            if (!(excluded >> children[index].hole & 1))
                kept[count++] = children[index];
        engine->pv_length[0] = 0;
        engine->top = engine->root_at;
        const int value = KG_GAME(search_children)(engine, kept, count, depth, low, high, 0, KG_UNSEEN, &move);
        if (move >= 0 && value > low) {
            known = 1;
            line->move = move;
            line->value = value;
            line->depth = depth;
            line->exact = engine->unproven == unproven && !engine->aborted;
            line->length = engine->pv_length[0] < KG_MAX_DEPTH ? engine->pv_length[0] : KG_MAX_DEPTH;
            for (int at = 0; at < line->length; at++)
                line->pv[at] = engine->pv[0][at];
        }
        if (engine->aborted || (value > low && value < high))
            return known;
        delta *= 4;
        if (value <= low)
            low = delta > KG_WIN / 8 ? -KG_INFINITE : value - delta;
        else
            high = delta > KG_WIN / 8 ? KG_INFINITE : value + delta;
    }
}
