/* One vector path of the network, included by network_paths.c for each: KG_VECTOR(name) gives the names their ending,
 * KG_TARGET the attribute, and the macros below the few operations there are, on vectors of KG_LANES 16-bit numbers.
 * Up to 64 units are summed at a time, which leaves the sums in registers on every machine. */

static inline __attribute__((always_inline)) KG_TARGET int32_t
KG_VECTOR(sum)(const kg_network *network, const kg_position *position, const int16_t *head, unsigned holes,
               unsigned hidden) {
    enum { STEP = 64, VECTORS = STEP / KG_LANES };
    const int16_t *const rows = kg_network_rows(network);
    uint64_t own = position->own, other = position->other;
    unsigned last = (unsigned)position->rest & 0xffff;
    if (KG_RARE(((own | other) & UINT64_C(0xc0c0c0c0c0c0c0c0)) | (last & 0xc0c0)))
        kg_counted(&own, &other, &last);
    const int16_t *const tuz = rows + (2 * holes * KG_COUNTED + kg_tuz_row(network, position)) * hidden;
    KG_SUMS total = KG_ZERO;
    for (unsigned at = 0; at < hidden; at += STEP) {
        KG_UNITS units[VECTORS];
        for (unsigned part = 0; part < VECTORS; part++)
            units[part] = KG_LOAD(tuz + at + part * KG_LANES);
        for (unsigned hole = 0; hole < holes; hole++) {
            const unsigned mine = hole < 8 ? kg_byte(own, hole) : last & 255;
            const unsigned theirs = hole < 8 ? kg_byte(other, hole) : last >> 8;
            const int16_t *const row = rows + (hole * KG_COUNTED + mine) * hidden + at;
            const int16_t *const counter = rows + ((holes + hole) * KG_COUNTED + theirs) * hidden + at;
            for (unsigned part = 0; part < VECTORS; part++)
                units[part] = KG_ADD(units[part], KG_ADD(KG_LOAD(row + part * KG_LANES),
                                                         KG_LOAD(counter + part * KG_LANES)));
        }
        for (unsigned part = 0; part < VECTORS; part++)
            total = KG_WEIGH(total, units[part], KG_LOAD(head + at + part * KG_LANES));
    }
    return KG_TOTAL(total);
}

KG_TARGET static int32_t KG_VECTOR(nine)(const kg_network *network, const kg_position *position, const int16_t *head) {
    return KG_VECTOR(sum)(network, position, head, 9, 64);
}

KG_TARGET static int32_t KG_VECTOR(nine_wide)(const kg_network *network, const kg_position *position,
                                              const int16_t *head) {
    return KG_VECTOR(sum)(network, position, head, 9, 128);
}

KG_TARGET static int32_t KG_VECTOR(six)(const kg_network *network, const kg_position *position, const int16_t *head) {
    return KG_VECTOR(sum)(network, position, head, 6, 64);
}

KG_TARGET static int32_t KG_VECTOR(any)(const kg_network *network, const kg_position *position, const int16_t *head) {
    return KG_VECTOR(sum)(network, position, head, (unsigned)network->rules.holes, network->hidden);
}

static kg_network_path KG_VECTOR(choose)(const kg_network *network) {
    if (network->rules.holes == 9 && network->hidden <= 128)
        return network->hidden == 64 ? KG_VECTOR(nine) : KG_VECTOR(nine_wide);
    return network->rules.holes == 6 && network->hidden == 64 ? KG_VECTOR(six) : KG_VECTOR(any);
}
