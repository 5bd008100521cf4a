/* The loops of a batch, included by batch.c once for each game. The arrays are copied into a local first: a byte that
 * is written may be anything to a compiler, which would read every address again. */

static int64_t KG_LOOP(refused)(const kg_kernel *kernel, const kg_batch *batch, const int64_t *actions) {
    const kg_rules *rules = KG_GAME_RULES;
    const kg_batch of = *batch;
    (void)kernel;
    for (uint64_t game = 0; game < of.count; game++) {
        const uint64_t hole = (uint64_t)actions[game];
        if (!of.auto_reset && of.over[game]) {
            if (actions[game] != KG_NO_ACTION)
                return (int64_t)game;
        } else if (hole >= (uint64_t)rules->holes || of.legal[game * (unsigned)rules->holes + hole] == 0) {
            return (int64_t)game;
        }
    }
    return -1;
}

static void KG_LOOP(step)(const kg_kernel *kernel, const kg_batch *batch, const int64_t *actions) {
    const kg_rules *rules = KG_GAME_RULES;
    const kg_batch of = *batch;
    const int32_t threefold = kernel->rules.threefold;
    __builtin_memset(of.rewards, 0, of.count * sizeof *of.rewards);
    __builtin_memset(of.terminated, 0, of.count);
    __builtin_memset(of.truncated, 0, of.count);
    for (uint64_t game = 0; game < of.count; game++) {
        if (!of.auto_reset && of.over[game])
            continue;
        const kg_position before = of.positions[game];
        kg_position after;
        const int again = kg_sow(rules, kernel->rows, &before, (unsigned)actions[game], &after);
        const unsigned turn = of.turn[game] ^ (unsigned)!again;
        const int32_t plies = ++of.plies[game];
        of.turn[game] = (uint8_t)turn;
        of.positions[game] = after;
        int ending = kg_ending(rules, &after);
        if (threefold && !(rules->tuz && after.rest >> 32)) {
            const unsigned stored = kg_own_store(&before) + kg_other_store(&before);
            const int stays = kg_own_store(&after) + kg_other_store(&after) == stored;
            const int32_t since = stays ? of.since[game] : 0;
            const uint64_t key = key_of(&after), filter = since ? of.filter[game] : 0, bit = filter_bit(key);
            if (filter & bit && since / 2 >= threefold - 1 && !ending)
                ending = repeated(key, of.seen + game, of.count, since, threefold);
            of.seen[(uint64_t)since * of.count + game] = key;
            of.since[game] = since + 1;
            of.filter[game] = filter | bit;
        }
        if (ending || plies >= of.most_plies)
            end(kernel, batch, game, ending, again);
        write_legal(rules, of.positions + game, of.legal + game * (unsigned)rules->holes);
        if (!of.auto_reset && of.over[game])
            __builtin_memset(of.legal + game * (unsigned)rules->holes, 0, (size_t)rules->holes);
    }
}

static void KG_LOOP(random)(const kg_kernel *kernel, const kg_batch *batch, int64_t *actions) {
    const kg_rules *rules = KG_GAME_RULES;
    const kg_batch of = *batch;
    (void)kernel;
    for (uint64_t game = 0; game < of.count; game++) {
        const kg_position *position = of.positions + game;
        /* Byte h of counts says how many of the holes 0 to h hold stones. The hole drawn is the first whose count is
         * greater than what was drawn, so as many as have no greater count lie before it. */
        const uint64_t low = UINT64_C(0x0101010101010101);
        const uint64_t counts = (kg_filled(position->own) >> 7) * low;
        const uint64_t filled = kg_own_filled(rules, position);
        const uint64_t drawn = (kg_draw(of.draws + game) >> 32) * filled >> 32;
        const uint64_t before = (((drawn + 128) * low - counts) >> 7) & low;
        actions[game] = of.over[game] ? KG_NO_ACTION : (int64_t)((before * low) >> 56);
    }
}

static void KG_LOOP(observe)(const kg_kernel *kernel, const kg_position *positions, uint64_t count, float *rows) {
    const kg_rules *rules = KG_GAME_RULES;
    const unsigned holes = (unsigned)rules->holes;
    const unsigned width = 2 * holes + 2 + (rules->tuz ? 2 * holes : 0);
    const float part = 1.0f / (float)(2 * kernel->rules.holes * kernel->rules.stones);
    for (uint64_t game = 0; game < count; game++) {
        const kg_position position = positions[game];
        float *row = rows + game * width;
        for (unsigned hole = 0; hole < holes; hole++) {
            row[hole] = (float)(int)kg_own_stones(&position, hole) * part;
            row[holes + hole] = (float)(int)kg_other_stones(&position, hole) * part;
        }
        row[2 * holes] = (float)(int)kg_own_store(&position) * part;
        row[2 * holes + 1] = (float)(int)kg_other_store(&position) * part;
        if (rules->tuz) {
            float *tuz = row + 2 * holes + 2;
            const unsigned won = kg_byte(position.rest, 4), lost = kg_byte(position.rest, 5);
            for (unsigned hole = 0; hole < 2 * holes; hole++)
                tuz[hole] = 0;
            if (won)
                tuz[won - 1] = 1;
            if (lost)
                tuz[holes + lost - 1] = 1;
        }
    }
}
