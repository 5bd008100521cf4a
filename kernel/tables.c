/* Reading table files: the order of positions, the checks, the lookup. */
#include "tables_file.h"

static const uint8_t nothing[4] = {0, 0, 0, 0}, even_pair[4] = {128, 128, 128, 128};

/* The rules as far as tables depend on them: of the goal only that there is one. */
kg_rules kg_table_rules(const kg_rules *rules) {
    kg_rules kept = kg_bare_rules(rules);
    kept.goal = rules->goal != 0;
    return kept;
}

/* The byte of a kg_position that counts an own hole (side 0) or one of the opponent (side 1). */
static uint8_t place_of(unsigned side, unsigned hole) {
    return (uint8_t)(hole < 8 ? 8 * side + hole : 16 + side);
}

/* The holes in the order of sowing, from the one after the last tuz (the owner's own, as plane 0 counts it). A tuz is
 * left out where it is always empty. The second of a pair of owners sees the same holes from the other side. */
static void build_shape(kg_shape *shape, const kg_rules *rules, unsigned unit, unsigned plane, unsigned won,
                        unsigned lost) {
    const unsigned holes = (unsigned)rules->holes;
    *shape = (kg_shape){.unit = (uint8_t)unit, .plane = (uint8_t)plane, .known = 1};
    for (unsigned step = 0; step < 2 * holes; step++) {
        const unsigned at = won ? (holes + won + step) % (2 * holes) : step;
        const unsigned side = at / holes, hole = at % holes;
        const int is_tuz = (won && side == 1 && hole + 1 == won) || (lost && side == 0 && hole + 1 == lost);
        if (!is_tuz || !rules->tuz_takes)
            shape->order[shape->cells++] = place_of(side ^ plane, hole);
    }
}

KG_API uint64_t kg_tables_bytes(void) {
    return sizeof(kg_tables);
}

KG_API void kg_tables_init(kg_tables *tables, const kg_kernel *kernel) {
    const kg_rules *rules = &kernel->rules;
    const unsigned holes = (unsigned)rules->holes;
    tables->kernel = kernel;
    tables->most = 0;
    for (unsigned stones = 0; stones <= KG_TABLE_STONES + 1; stones++)
        for (unsigned cell = 0; cell < KG_TABLE_CELLS; cell++)
            tables->choose[cell][stones] = (stones ? tables->choose[cell][stones - 1] : 0) +
                                           (cell ? tables->choose[cell - 1][stones] : stones != 0);
    for (unsigned stones = 0; stones <= KG_TABLE_STONES; stones++)
        tables->rows[stones] = stones == 0 || holes == 1 ? 1 : tables->choose[holes - 2][stones + 1];
    for (unsigned stones = 0; stones <= KG_TABLE_STONES; stones++) {
        tables->offset[stones][0] = 0;
        for (unsigned own = 0; own <= stones; own++)
            tables->offset[stones][own + 1] =
                tables->offset[stones][own] + tables->rows[own] * tables->rows[stones - own];
    }

    for (unsigned won = 0; won <= KG_MAX_HOLES; won++)
        for (unsigned lost = 0; lost <= KG_MAX_HOLES; lost++)
            tables->shape[won][lost] = (kg_shape){0};
    unsigned unit = 0;
    const unsigned farthest = !rules->tuz ? 0 : holes - (rules->tuz_last_hole ? 0u : 1u);
    build_shape(&tables->shape[0][0], rules, unit, 0, 0, 0);
    tables->won[unit] = tables->lost[unit] = 0;
    for (unsigned won = 1; won <= farthest; won++) {
        tables->won[++unit] = (uint8_t)won;
        tables->lost[unit] = 0;
        build_shape(&tables->shape[won][0], rules, unit, 0, won, 0);
        build_shape(&tables->shape[0][won], rules, unit, 1, won, 0);
    }
    for (unsigned won = 1; won <= farthest; won++) {
        for (unsigned lost = won; lost <= farthest; lost++) {
            if (won == lost && !rules->tuz_same_number)
                continue;
            tables->won[++unit] = (uint8_t)won;
            tables->lost[unit] = (uint8_t)lost;
            if (won != lost)
                build_shape(&tables->shape[lost][won], rules, unit, 1, won, lost);
            build_shape(&tables->shape[won][lost], rules, unit, 0, won, lost);
        }
    }
    /* Gains are worth keeping where play may be endless, and can be told where no stone is lost. */
    tables->gains = 0;
    if (rules->goal && !rules->store_sown && rules->tuz_takes && rules->sweep != KG_SWEEP_NOBODY) {
        tables->gains = (int32_t)++unit;
        tables->won[unit] = tables->lost[unit] = 0;
    }
    tables->units = (int32_t)unit + 1;
    for (unsigned each = 0; each < KG_TABLE_UNITS; each++)
        for (unsigned stones = 0; stones <= KG_TABLE_STONES; stones++)
            tables->table[each][stones] = (kg_table){0};
    for (unsigned each = 0; each <= unit; each++)
        tables->table[each][0] =
            (kg_table){.data = nothing, .palette = each && (int32_t)each == tables->gains ? nothing : even_pair,
                       .count = 1, .bits = 1, .colours = 1};
}

/* Four lanes, so that the multiplications overlap. Every step is one to one in the word it takes in, so no single
 * altered word goes unseen. */
KG_INLINE uint64_t mixed(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * UINT64_C(0x9fb21c651e98df25);
    return lane << 31 | lane >> 33;
}

KG_API void kg_digest_begin(kg_digest *digest) {
    *digest = (kg_digest){{UINT64_C(0x243f6a8885a308d3), UINT64_C(0x13198a2e03707344), UINT64_C(0xa4093822299f31d0),
                           UINT64_C(0x082efa98ec4e6c89)}};
}

KG_API void kg_digest_add(kg_digest *digest, const uint8_t *bytes, uint64_t length) {
    uint64_t a = digest->lane[0], b = digest->lane[1], c = digest->lane[2], d = digest->lane[3];
    for (; length >= KG_TABLE_GRAIN; length -= KG_TABLE_GRAIN, bytes += KG_TABLE_GRAIN) {
        a = mixed(a, kg_load(bytes));
        b = mixed(b, kg_load(bytes + 8));
        c = mixed(c, kg_load(bytes + 16));
        d = mixed(d, kg_load(bytes + 24));
    }
    *digest = (kg_digest){{a, b, c, d}};
}

KG_API uint64_t kg_digest_end(const kg_digest *digest) {
    uint64_t sum = 0;
    for (int lane = 0; lane < 4; lane++)
        sum = mixed(sum, digest->lane[lane]);
    return sum ^ sum >> 29;
}

KG_API void kg_table_header(const kg_tables *tables, int32_t layer, int32_t tuz, kg_file_header *header) {
    *header = (kg_file_header){.magic = KG_TABLE_MAGIC, .version = KG_TABLE_VERSION, .layer = (uint32_t)layer,
                               .tuz = (uint32_t)tuz};
    const kg_rules rules = kg_table_rules(&tables->kernel->rules);
    header->rules = kg_write_rules(&rules, &header->later);
    for (int32_t unit = 0; unit < tables->units; unit++)
        header->sections += (tables->won[unit] != 0) + (tables->lost[unit] != 0) == tuz;
    kg_digest digest;
    kg_digest_begin(&digest);
    kg_digest_add(&digest, (const uint8_t *)header, sizeof *header - KG_TABLE_GRAIN);
    header->digest = kg_digest_end(&digest);
}

KG_API uint64_t kg_table_count(const kg_tables *tables, int32_t layer, int32_t unit) {
    if (tables->won[unit] == 0)
        return tables->offset[layer][layer + 1];
    const unsigned cells = tables->shape[tables->won[unit]][tables->lost[unit]].cells;
    return cells < 2 ? 1 : tables->choose[cells - 2][layer + 1];
}

KG_API int32_t kg_table_planes(const kg_tables *tables, int32_t unit) {
    return tables->won[unit] == tables->lost[unit] ? 1 : 2;
}

KG_API void kg_table_section(const kg_tables *tables, int32_t layer, int32_t unit, uint32_t bits, uint32_t colours,
                             kg_section *section) {
    *section = (kg_section){.magic = KG_TABLE_SECTION, .unit = (uint32_t)unit, .bits = bits, .colours = colours,
                            .planes = (uint32_t)kg_table_planes(tables, unit),
                            .count = kg_table_count(tables, layer, unit)};
    section->palette_bytes = kg_grains(2u << bits);
    /* A lookup reads two bytes behind the one where its entry begins. */
    section->data_bytes = kg_grains((section->count * section->planes * bits + 7) / 8 + 2);
}

/* Tests one section at the head of the bytes. Answers the bytes it takes, or a refusal. */
KG_API int64_t kg_table_check(const kg_tables *tables, int32_t layer, int32_t unit, const uint8_t *bytes,
                              uint64_t length) {
    const kg_section *section = (const kg_section *)bytes;
    if (length < sizeof *section)
        return KG_TABLE_SHORT;
    if (section->magic != KG_TABLE_SECTION || section->unit != (uint32_t)unit || section->bits < 1 ||
        section->bits > 16 || section->colours > 1u << section->bits)
        return KG_TABLE_DAMAGED;
    kg_section expected;
    kg_table_section(tables, layer, unit, section->bits, section->colours, &expected);
    if (section->count != expected.count || section->planes != expected.planes ||
        section->palette_bytes != expected.palette_bytes || section->data_bytes != expected.data_bytes)
        return KG_TABLE_DAMAGED;
    const uint64_t covered = sizeof *section + expected.palette_bytes + expected.data_bytes;
    if (length < covered + KG_TABLE_GRAIN)
        return KG_TABLE_SHORT;
    kg_digest digest;
    kg_digest_begin(&digest);
    kg_digest_add(&digest, bytes, covered);
    const uint8_t *end = bytes + covered;
    if (kg_load(end) != kg_digest_end(&digest) || kg_load(end + 8) | kg_load(end + 16) | kg_load(end + 24))
        return KG_TABLE_DAMAGED;
    return (int64_t)(covered + KG_TABLE_GRAIN);
}

KG_API int32_t kg_tables_attach(kg_tables *tables, const uint8_t *bytes, uint64_t length) {
    const kg_file_header *header = (const kg_file_header *)bytes;
    if (length < sizeof *header)
        return length >= 8 && kg_load(bytes) != KG_TABLE_MAGIC ? KG_TABLE_FOREIGN : KG_TABLE_SHORT;
    if (header->magic != KG_TABLE_MAGIC)
        return KG_TABLE_FOREIGN;
    if (header->version != KG_TABLE_VERSION)
        return KG_TABLE_NEWER;
    const kg_rules rules = kg_table_rules(&tables->kernel->rules), stored = kg_read_rules(&header->rules, header->later);
    kg_digest digest;
    kg_digest_begin(&digest);
    kg_digest_add(&digest, bytes, sizeof *header - KG_TABLE_GRAIN);
    if (kg_digest_end(&digest) != header->digest || header->rest[0] | header->rest[1] | header->rest[2])
        return KG_TABLE_DAMAGED;
    if (!kg_same_rules(&rules, &stored))
        return KG_TABLE_RULES;
    if (header->layer < 1 || header->layer > KG_TABLE_STONES || header->tuz > 2)
        return KG_TABLE_DAMAGED;
    const int32_t layer = (int32_t)header->layer, tuz = (int32_t)header->tuz;

    kg_table found[KG_TABLE_UNITS];
    uint64_t at = sizeof *header;
    for (int32_t unit = 0; unit < tables->units; unit++) {
        found[unit] = (kg_table){0};
        if ((tables->won[unit] != 0) + (tables->lost[unit] != 0) != tuz)
            continue;
        const int64_t taken = kg_table_check(tables, layer, unit, bytes + at, length - at);
        if (taken < 0)
            return (int32_t)taken;
        const kg_section *section = (const kg_section *)(bytes + at);
        found[unit] = (kg_table){.palette = bytes + at + sizeof *section,
                                 .data = bytes + at + sizeof *section + section->palette_bytes,
                                 .count = section->count, .bits = section->bits, .colours = section->colours};
        at += (uint64_t)taken;
    }
    if (at != length || at == sizeof *header)
        return KG_TABLE_SHORT;
    for (int32_t unit = 0; unit < tables->units; unit++)
        if (found[unit].data)
            tables->table[unit][layer] = found[unit];
    if (layer > tables->most)
        tables->most = layer;
    return layer;
}

KG_API int32_t kg_tables_look(const kg_tables *tables, const kg_position *position, int32_t *lower, int32_t *upper) {
    int low, high;
    if (!kg_tables_probe(tables, position, &low, &high))
        return 0;
    *lower = low;
    *upper = high;
    return 1;
}

KG_API int32_t kg_tables_sure(const kg_tables *tables, const kg_position *position, int32_t *own, int32_t *other) {
    int mine, his;
    if (!kg_tables_gains(tables, position, &mine, &his))
        return 0;
    *own = mine;
    *other = his;
    return 1;
}

KG_API int32_t kg_tables_final(const kg_tables *tables, const kg_position *position, int32_t *difference) {
    int value = 0;
    const int known = kg_tables_value(tables, position, &value);
    *difference = value;
    return known;
}
