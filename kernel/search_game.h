/* The search itself, included by search.c once for each game: KG_GAME(name) gives the names their ending and
 * KG_GAME_RULES is the rules record, a constant for the default games. */

/* Whether the game is settled in the position, with its value for the side to move. Past the goal the winner is known:
 * few stones are played on for the exact difference, else it is estimated. */
static inline int KG_GAME(settled)(kg_engine *engine, const kg_position *position, int *value) {
    const kg_rules *rules = KG_GAME_RULES;
    const int ending = kg_ending(rules, position);
    if (ending == KG_ONGOING)
        return 0;
    if (ending == KG_EQUAL) {
        *value = 0;
        return 1;
    }
    int own = (int)kg_own_store(position), other = (int)kg_other_store(position);
    if (ending == KG_MAJORITY) {
        kg_rules on = *rules;
        on.goal = 0;
        const int goes_on = kg_ending(&on, position) == KG_ONGOING;
        if (goes_on && engine->playout)
            return 0;
        if (goes_on || !engine->decisive) {
            engine->unproven++;
            const int estimate = kg_value(engine, rules, position);
            *value = own > other ? KG_WIN + (estimate > 0 ? estimate : 0)
                                 : own < other ? -KG_WIN + (estimate < 0 ? estimate : 0) : 0;
            return 1;
        }
    }
    if (rules->sweep != KG_SWEEP_NOBODY) {
        const int mine = (int)kg_own_board(position), theirs = (int)kg_other_board(position);
        own += rules->sweep == KG_SWEEP_OWNER ? mine : theirs;
        other += rules->sweep == KG_SWEEP_OWNER ? theirs : mine;
    }
    const int difference = own - other;
    *value = difference * KG_UNIT + (difference > 0 ? KG_WIN : difference < 0 ? -KG_WIN : 0);
    return 1;
}

/* Whether endgame tables know the value of a position that is not settled. */
static inline int KG_GAME(tabled)(kg_engine *engine, const kg_position *position, int *value) {
    int difference;
    if (!engine->tables)
        return 0;
    const int known = kg_tables_value(engine->tables, position, &difference);
    if (known == KG_TABLE_UNKNOWN)
        return 0;
    if (known != KG_TABLE_EXACT)
        engine->unproven++; /* of the size of the win */
    *value = difference * KG_UNIT + (difference > 0 ? KG_WIN : difference < 0 ? -KG_WIN : 0);
    return 1;
}

/* What the evaluation thinks of a position in which the game goes on. */
static inline int KG_GAME(estimate)(const kg_engine *engine, const kg_position *position) {
    const kg_rules *rules = KG_GAME_RULES;
    const int value = kg_value(engine, rules, position) + KG_TEMPO;
    if (!rules->goal || !engine->playout)
        return value;
    if ((int)kg_own_store(position) >= rules->goal)
        return value + KG_WIN;
    return (int)kg_other_store(position) >= rules->goal ? value - KG_WIN : value;
}

/* The value of a position beyond which nobody looks. */
static inline int KG_GAME(leaf)(kg_engine *engine, const kg_position *position) {
    engine->unproven++;
    return KG_GAME(estimate)(engine, position);
}

#if KG_QS
/* A leaf where the side to move may take something: its best capture is looked at, and the answer to it. */
static int KG_GAME(quiet)(kg_engine *engine, const kg_position *position, int alpha, int beta, int left) {
    const kg_rules *rules = KG_GAME_RULES;
    const int seen = KG_GAME(leaf)(engine, position);
    if (seen >= beta || !engine->pruning || left == 0)
        return seen;
    const int stored = (int)kg_own_store(position);
    int most = 0;
    kg_position best = *position;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (kg_own_stones(position, hole) == 0)
            continue;
        kg_position child;
        const int again = kg_sow(rules, engine->kernel->rows, position, hole, &child);
        int gain = (int)(again ? kg_own_store(&child) : kg_other_store(&child)) - stored;
        if (rules->tuz && (child.rest >> 32 & 0xff00) && !(position->rest >> 32 & 0xff))
            gain += KG_QS_TUZ;
        if (!again && gain > most) {
            most = gain;
            best = child;
        }
    }
    if (most < KG_QS || seen + (most + KG_QS_MARGIN) * KG_UNIT <= alpha || kg_spend(engine))
        return seen;
    int value;
    if (!KG_GAME(settled)(engine, &best, &value) && !KG_GAME(tabled)(engine, &best, &value))
        value = KG_GAME(quiet)(engine, &best, -beta, seen > alpha ? -seen : -alpha, left - 1);
    return -value > seen ? -value : seen;
}
#endif

/* A bound that pruning guessed. */
static inline int KG_GAME(guessed)(kg_engine *engine, int value, int ply) {
    engine->unproven++;
    engine->pv_length[ply] = 0;
    return value;
}

/* Stones are conserved: what the side to move ends with at most, or with its opponent's view of it at least. A draw by
 * repetition may end also a game that is decided. */
static inline int KG_GAME(most)(const kg_engine *engine, const kg_position *position, int sign) {
    const int board = (int)(kg_own_board(position) + kg_other_board(position));
    const int most = board + sign * ((int)kg_own_store(position) - (int)kg_other_store(position));
    const int value = most * KG_UNIT + (most > 0 ? KG_WIN : most < 0 ? -KG_WIN : 0);
    return sign * (engine->repetition && value < 0 ? 0 : value);
}

/* The last ply: every child is valued where it stands, without a call or a look into the table. */
static int KG_GAME(horizon)(kg_engine *engine, const kg_position *position, int alpha, int beta, int ply) {
    const kg_rules *rules = KG_GAME_RULES;
    const int side = engine->path[engine->top].side;
    int best = -KG_INFINITE;
    (void)alpha;
    engine->pv_length[ply] = 0;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (kg_own_stones(position, hole) == 0)
            continue;
        if (kg_spend(engine))
            return 0;
        kg_position child;
        const int again = kg_sow(rules, engine->kernel->rows, position, hole, &child);
        int value;
        if (!KG_GAME(settled)(engine, &child, &value)) {
            if (kg_repeats(engine, &child, again ? side : !side)) {
                engine->unproven++;
                value = 0;
            } else if (!KG_GAME(tabled)(engine, &child, &value)) {
#if KG_QS
                if (!again) {
                    const int low = best > alpha ? best : alpha;
                    value = KG_GAME(quiet)(engine, &child, -beta, -low, KG_QS_PLIES);
                } else
#endif
                value = KG_GAME(leaf)(engine, &child);
            }
        }
        value = again ? value : -value;
        if (value > best) {
            best = value;
            engine->pv[ply][0] = (uint8_t)hole;
            engine->pv_length[ply] = 1;
            if (best >= beta)
                break;
        }
    }
    return best;
}

/* One child of an inner node. */
typedef struct {
    kg_position position;
    uint64_t key;
    int32_t order, gain, seen;
    uint8_t hole, again;
} KG_GAME(child);

/* Sows every hole at once, so that the table entries of the children are on their way while they are put in order. */
static inline int KG_GAME(expand)(kg_engine *engine, const kg_position *position, int table_move, int ply,
                                  int depth, KG_GAME(child) * children) {
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
        if (depth > 2) { /* others are not looked up */
            child->key = kg_hash(&child->position, engine->salt);
            if (engine->clusters)
                __builtin_prefetch(kg_cluster(engine, child->key));
        }
        const int store = (int)(child->again ? kg_own_store(&child->position) : kg_other_store(&child->position));
        child->gain = store - stored;
        child->order = child->gain * 4096 + child->again * 6144 +
                       engine->history[hole][stones < KG_COUNTS ? stones : KG_COUNTS - 1];
        if (engine->killers[ply][0] == hole + 1 || engine->killers[ply][1] == hole + 1)
            child->order += 4096;
        if (depth >= KG_EVAL_ORDER) {
            const int seen = KG_GAME(estimate)(engine, &child->position);
            child->seen = child->again ? seen : -seen;
            child->order += KG_EVAL_WEIGHT * child->seen;
        }
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
            value = 0;
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
                                    int beta, int ply, int *move) {
    const uint64_t entered = engine->unproven;
    const int wide = beta - alpha > 1;
    int best = -KG_INFINITE;
    for (int index = 0; index < count; index++) {
        KG_GAME(pick)(children, index, count);
        const KG_GAME(child) *child = children + index;
        const uint64_t unproven = engine->unproven;
        if (kg_spend(engine)) {
            engine->aborted = 1;
            break;
        }
        int value;
        if (index == 0) {
            value = KG_GAME(visit)(engine, child, depth - 1, alpha, beta, ply);
        } else {
            int less = engine->pruning && depth >= KG_LMR_DEPTH && (ply || engine->limits.lines == 1)
                           ? kg_reduction(depth, index, wide, child->gain, child->again)
                           : 0;
            if (KG_ER && engine->pruning && depth >= KG_EVAL_ORDER && depth >= KG_ER_DEPTH && alpha > -KG_CERTAIN && (ply || engine->limits.lines == 1)) {
                int more = (alpha - child->seen - KG_ER_A) / (KG_ER + !KG_ER);
                more = more < 0 ? 0 : more > KG_ER_MOST ? KG_ER_MOST : more;
                less += more;
                if (less > depth - 2)
                    less = depth - 2;
            }
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
    if (depth <= 1) {
        if (KG_RFP_DEPTH >= 1 && engine->pruning && beta - alpha == 1 && beta < KG_CERTAIN && alpha > -KG_CERTAIN) {
            const int seen = KG_GAME(estimate)(engine, position);
            if (seen - kg_rfp(1) >= beta)
                return KG_GAME(guessed)(engine, seen - kg_rfp(1), ply);
            if (KG_RAZOR_DEPTH >= 1 && seen + kg_razor(1) <= alpha)
                return KG_GAME(guessed)(engine, seen + kg_razor(1), ply);
        }
        return KG_GAME(horizon)(engine, position, alpha, beta, ply);
    }
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
    if (engine->pruning) {
        const int most = KG_GAME(most)(engine, position, 1), least = KG_GAME(most)(engine, position, -1);
        engine->pv_length[ply] = 0;
        if (most <= alpha)
            return most;
        if (least >= beta)
            return least;
        if (beta - alpha == 1 && beta < KG_CERTAIN && alpha > -KG_CERTAIN) {
            const int seen = KG_GAME(estimate)(engine, position);
            if (depth <= KG_RFP_DEPTH && seen - kg_rfp(depth) >= beta)
                return KG_GAME(guessed)(engine, seen - kg_rfp(depth), ply);
            if (depth <= KG_RAZOR_DEPTH && seen + kg_razor(depth) <= alpha)
                return KG_GAME(guessed)(engine, seen + kg_razor(depth), ply);
            if (KG_NULL && depth >= KG_NULL_DEPTH && seen >= beta + KG_NULL_MARGIN && !engine->passed) {
                kg_position turned = kg_turned(*position);
                if (kg_ending(KG_GAME_RULES, &turned) == KG_ONGOING) {
                    const uint64_t before = engine->unproven;
                    const int less = KG_NULL_LESS + depth / KG_NULL_DIV, left = depth - 1 - less;
                    kg_push(engine, &turned, !engine->path[engine->top].side);
                    engine->passed = 1;
                    const int value = -KG_GAME(node)(engine, &turned, kg_hash(&turned, engine->salt), left > 1 ? left : 1, -beta,
                                                     -beta + 1, ply + 1);
                    engine->passed = 0;
                    engine->top--;
                    if (engine->aborted)
                        return 0;
                    engine->unproven = before;
                    if (value >= beta)
                        return KG_GAME(guessed)(engine, beta, ply);
                }
            }
            if (KG_PC && depth >= KG_PC_DEPTH) {
                const uint64_t before = engine->unproven;
                const int left = kg_pc_left(depth), margin = kg_pc_margin(depth);
                if (seen >= beta - KG_PC_GATE) {
                    const int value = KG_GAME(node)(engine, position, key, left, beta + margin - 1, beta + margin, ply);
                    if (engine->aborted)
                        return 0;
                    if (value >= beta + margin) {
                        if (engine->unproven == before)
                            return value;
                        return KG_GAME(guessed)(engine, value - margin, ply);
                    }
                }
                if (seen <= alpha + KG_PC_GATE) {
                    const int value = KG_GAME(node)(engine, position, key, left, alpha - margin, alpha - margin + 1, ply);
                    if (engine->aborted)
                        return 0;
                    if (value <= alpha - margin) {
                        if (engine->unproven == before)
                            return value;
                        return KG_GAME(guessed)(engine, value + margin, ply);
                    }
                }
                engine->unproven = before;
            }
        }
        if (KG_IIR && depth >= KG_IIR && (!data || kg_entry_move(data) < 0))
            depth--;
    }
    KG_GAME(child) children[KG_MAX_HOLES];
    const int count = KG_GAME(expand)(engine, position, data ? kg_entry_move(data) : -1, ply, depth, children);
    int move = -1;
    engine->pv_length[ply] = 0;
    const int best = KG_GAME(search_children)(engine, children, count, depth, alpha, beta, ply, &move);
    if (engine->aborted)
        return 0;
    if (best >= beta) {
        const unsigned stones = kg_own_stones(position, (unsigned)move);
        int32_t *history = &engine->history[move][stones < KG_COUNTS ? stones : KG_COUNTS - 1];
        *history += depth * depth - *history / 64;
        if (engine->killers[ply][0] != move + 1) {
            engine->killers[ply][1] = engine->killers[ply][0];
            engine->killers[ply][0] = (uint8_t)(move + 1);
        }
    }
    const int bound = best >= beta ? KG_LOWER : best > alpha ? KG_EXACT : KG_UPPER;
    kg_save(engine, key, kg_packed(best, depth, move, bound, engine->unproven == unproven, engine->age));
    return best;
}

/* One iteration for the line after those whose first moves are excluded. Answers whether it has a value. The window is
 * narrow around the value before, and opens where the value leaves it. */
static int KG_GAME(root)(kg_engine *engine, int depth, uint32_t excluded, kg_line *line) {
    const kg_position *position = &engine->path[engine->root_at].position;
    KG_GAME(child) children[KG_MAX_HOLES], kept[KG_MAX_HOLES];
    const int before = line->value;
    int low = -KG_INFINITE, high = KG_INFINITE, delta = KG_ASPIRE, known = 0;
    if (KG_ASPIRE && engine->pruning && depth >= 6) {
        low = before - delta;
        high = before + delta;
    }
    for (;;) {
        const uint64_t unproven = engine->unproven;
        const int all = KG_GAME(expand)(engine, position, line->move, 0, depth, children);
        int count = 0, move = -1;
        for (int index = 0; index < all; index++)
            if (!(excluded >> children[index].hole & 1))
                kept[count++] = children[index];
        engine->pv_length[0] = 0;
        engine->top = engine->root_at;
        const int value = KG_GAME(search_children)(engine, kept, count, depth, low, high, 0, &move);
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
