/* What the search says without looking further, and its last plies. Included by search_game.h, once for each game: KG_GAME(name) gives the names their ending and KG_GAME_RULES is the rules record, a constant for the default
 * games. */

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

/* The value of endless play: a draw, unless a store holds the goal already; that win has no stones to tell. */
static inline int KG_GAME(repeated)(const kg_engine *engine, const kg_position *position) {
    (void)engine; /* of a game whose rules are constant only */
    const kg_rules *rules = KG_GAME_RULES;
    if (!rules->goal)
        return 0;
    return (int)kg_own_store(position) >= rules->goal ? KG_WIN : (int)kg_other_store(position) >= rules->goal ? -KG_WIN : 0;
}

/* What the evaluation thinks of a position in which the game goes on. */
static inline int KG_GAME(estimate)(const kg_engine *engine, const kg_position *position) {
    const kg_rules *rules = KG_GAME_RULES;
    const int value = kg_value(engine, rules, position);
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

/* What a last stone takes, or 0: cheaper than to sow, where stones are taken in no other way but by a tuz on their way. */
static inline int KG_GAME(capture)(const kg_engine *engine, const kg_position *position, unsigned hole,
                                   unsigned stones) {
    const kg_rules *rules = KG_GAME_RULES;
    const kg_row *row = engine->kernel->rows + hole * (KG_MAX_STONES + 1) + stones;
    if (rules->store_sown || rules->empty_capture || !rules->tuz_takes) {
        kg_position child;
        const int again = kg_sow(rules, engine->kernel->rows, position, hole, &child);
        return again ? 0 : (int)kg_other_store(&child) - (int)kg_own_store(position);
    }
    unsigned there = (unsigned)((position->other + row->other) >> row->shift) & row->mask;
    if (rules->holes > 8)
        there |= (unsigned)((position->rest + row->rest) >> 8) & row->mask8;
    if (!rules->tuz)
        return kg_captures(rules, there) ? (int)there : 0;
    const unsigned won = kg_byte(position->rest, 4);
    if (won)
        return !kg_captures(rules, there) || won == row->place - (KG_MAX_HOLES - 1u) ? 0 : (int)there;
    return !kg_captures(rules, there) && there != 3 ? 0 : (int)there;
}

/* A leaf where the side to move may take something: what it has when it takes the most, with what may be taken then, so
 * many captures far. */
static int KG_GAME(quiet)(kg_engine *engine, const kg_position *position, int alpha, int beta, int captures) {
    const kg_rules *rules = KG_GAME_RULES;
    const int seen = KG_GAME(leaf)(engine, position);
    if (captures == 0 || seen >= beta || !engine->pruning)
        return seen;
    int most = 0;
    unsigned best = 0;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        const unsigned stones = kg_own_stones(position, hole);
        const int gain = stones ? KG_GAME(capture)(engine, position, hole, stones) : 0;
        if (gain > most) {
            most = gain;
            best = hole;
        }
    }
    if (most == 0 || seen + most * KG_UNIT + KG_CAPTURE_MARGIN <= alpha || kg_spend(engine))
        return seen;
    kg_position child;
    int value;
    if (kg_sow(rules, engine->kernel->rows, position, best, &child))
        return seen;
    if (!KG_GAME(settled)(engine, &child, &value) && !KG_GAME(tabled)(engine, &child, &value))
        value = KG_GAME(quiet)(engine, &child, -beta, seen > alpha ? -seen : -alpha, captures - 1);
    return -value > seen ? -value : seen;
}

/* A bound that pruning guessed. */
static inline int KG_GAME(guessed)(kg_engine *engine, int value, int ply) {
    engine->unproven++;
    engine->pv_length[ply] = 0;
    return value;
}

/* What the evaluation says where it may prune, near an empty window of no certain value; else KG_UNSEEN. */
static inline int KG_GAME(seen)(const kg_engine *engine, const kg_position *position, int alpha, int beta) {
    const int prunes = engine->pruning && beta - alpha == 1 && beta < KG_CERTAIN && beta > -KG_CERTAIN;
    return prunes ? KG_GAME(estimate)(engine, position) : KG_UNSEEN;
}

/* Stones are conserved: what the side to move ends with at most, or with its opponent's view of it at least. A
 * repetition may keep what they say from coming. */
static inline int KG_GAME(most)(const kg_engine *engine, const kg_position *position, int sign) {
    const int board = (int)(kg_own_board(position) + kg_other_board(position));
    const int most = board + sign * ((int)kg_own_store(position) - (int)kg_other_store(position));
    const int value = most * KG_UNIT + (most > 0 ? KG_WIN : most < 0 ? -KG_WIN : 0);
    return sign * (engine->repetition && value < 0 ? sign * KG_GAME(repeated)(engine, position) : value);
}

/* The last ply: the children are valued where they stand, without a call or a look into the table, those first that take
 * the most; a child is not looked at where what it takes would hardly lift the evaluation, if known, into the window. */
static int KG_GAME(horizon)(kg_engine *engine, const kg_position *position, int alpha, int beta, int ply, int seen) {
    const kg_rules *rules = KG_GAME_RULES;
    const int side = engine->path[engine->top].side;
    int best = -KG_INFINITE, count = 0;
    struct {
        kg_position child;
        int gain, again;
        unsigned hole;
    } sown[KG_MAX_HOLES];
    int order[KG_MAX_HOLES];
    engine->pv_length[ply] = 0;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (kg_own_stones(position, hole) == 0)
            continue;
        kg_position *child = &sown[count].child;
        const int again = kg_sow(rules, engine->kernel->rows, position, hole, child);
        const int gain = (int)(again ? kg_own_store(child) : kg_other_store(child)) - (int)kg_own_store(position);
        sown[count].again = again;
        sown[count].gain = gain;
        sown[count].hole = hole;
        int at = count;
        for (; at && sown[order[at - 1]].gain < gain; at--)
            order[at] = order[at - 1];
        order[at] = count++;
    }
    for (int index = 0; index < count; index++) {
        const kg_position *child = &sown[order[index]].child;
        const int again = sown[order[index]].again;
        if (index && kg_futile(seen, sown[order[index]].gain, 1, alpha, &best)) {
            engine->unproven++;
            break;
        }
        if (kg_spend(engine))
            return 0;
        int value;
        if (!KG_GAME(settled)(engine, child, &value)) {
            if (kg_repeats(engine, child, again ? side : !side)) {
                engine->unproven++;
                value = KG_GAME(repeated)(engine, child);
            } else if (!KG_GAME(tabled)(engine, child, &value)) {
                const int least = best > alpha ? best : alpha;
                value = again ? KG_GAME(leaf)(engine, child) : KG_GAME(quiet)(engine, child, -beta, -least, KG_CAPTURES);
            }
        }
        value = again ? value : -value;
        if (value > best) {
            best = value;
            engine->pv[ply][0] = (uint8_t)sown[order[index]].hole;
            engine->pv_length[ply] = 1;
            if (best >= beta)
                break;
        }
    }
    return best;
}
