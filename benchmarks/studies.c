/* Proof-number search for one question about toguz korgool or bestemshe: does White end with so many stones?
 *
 * Depth-first, with a table of proof and disproof numbers (df-pn). An unproven side counts its hardest child and one for
 * each other, not the sum, as the same ending is reached in many ways. What a position that nobody has looked at is
 * worth is told by the engine's evaluation. An ending that endgame tables know, that has no move left, or whose stores
 * decide, is a leaf. Without a tuz play may go round, which is a draw; what rests on a position that stands on the way
 * further up is kept in the table as very likely only, as it would speak for other ways too.
 *
 * The table knows a position by 64 bits mixed from it; the rest is exact. */
#include "../kernel/tables.h"

enum { MOST = (1 << 24) - 1, LARGE = MOST - 1, WAYS = 4, DEEPEST = 2000, SCALE = 24, FAR = 1 << 20 };
enum { OPEN = 0, PROVEN = 1, REFUTED = 2 };

/* key, and phi (24 bits), delta (24), effort (16, of which each 16 double it): phi is how hard it is to show that the
 * side to move gets what it wants, delta that it does not. */
typedef struct {
    uint64_t key, data;
} entry;

typedef int32_t (*evaluation)(const void *engine, const kg_position *position);

typedef struct {
    const kg_kernel *kernel;
    const kg_tables *tables;
    const void *engine;
    evaluation evaluate;
    entry *table;
    uint64_t clusters, nodes, most_nodes;
    int32_t wanted, total, stopped, depth;
    uint32_t powers[2 * SCALE + 1];
    kg_position path[DEEPEST];
} proof;

typedef struct {
    kg_position position;
    uint64_t key;
    uint32_t phi, delta;
    int32_t rests; /* the first place on the way that phi and delta, if settled, rest on; DEEPEST for none */
} child;

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint64_t hash_of(const kg_position *position, int white) {
    uint64_t hash = (position->own ^ UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = ((hash ^ hash >> 32) + position->other) * UINT64_C(0x94d049bb133111eb);
    hash = ((hash ^ hash >> 29) + (position->rest << 1 | (uint64_t)white)) * UINT64_C(0xd6e8feb86659fd93);
    return hash ^ hash >> 32;
}

/* 1 where White has, or 0 where he cannot get, what is wanted; -1 where that is open. */
static int told(const proof *at, const kg_position *position, int white) {
    const int own = (int)kg_own_store(position), other = (int)kg_other_store(position);
    const int mine = white ? own : other, his = white ? other : own;
    if (mine >= at->wanted)
        return 1;
    if (his > at->total - at->wanted)
        return 0;
    if (!kg_own_board(position)) /* the other side sweeps its own */
        return mine + (white ? 0 : (int)kg_other_board(position)) >= at->wanted;
    int difference;
    const int known = kg_tables_value(at->tables, position, &difference);
    if (known == KG_TABLE_UNKNOWN)
        return -1;
    const int least = 2 * at->wanted - at->total; /* the difference that is wanted */
    const int sign = white ? 1 : -1, final = sign * difference;
    if (known == KG_TABLE_EXACT)
        return final >= least;
    if (final > 0) /* a win of unknown size */
        return least <= 2 ? 1 : -1;
    return least >= 0 ? 0 : -1;
}

static entry *look(const proof *at, uint64_t key) {
    entry *cluster = at->table + (key & (at->clusters - 1)) * WAYS;
    for (int way = 0; way < WAYS; way++)
        if (cluster[way].key == key && cluster[way].data)
            return cluster + way;
    return 0;
}

/* Of a full cluster, what took least is forgotten; what is settled counts as four times its work. */
static void keep(proof *at, uint64_t key, uint32_t phi, uint32_t delta, uint64_t work) {
    uint64_t effort = 0;
    while (work >> effort > 1)
        effort++;
    effort = 1 + effort * 16 + (((work << 4) >> effort) & 15) + (phi == 0 || delta == 0 ? 32 : 0);
    entry *cluster = at->table + (key & (at->clusters - 1)) * WAYS, *chosen = cluster;
    for (int way = 0; way < WAYS; way++) {
        if (cluster[way].key == key || !cluster[way].data) {
            chosen = cluster + way;
            break;
        }
        if (cluster[way].data >> 48 < chosen->data >> 48)
            chosen = cluster + way;
    }
    *chosen = (entry){key, (uint64_t)phi | (uint64_t)delta << 24 | effort << 48};
}

/* The numbers of a position that nobody has looked at, by half stones of the evaluation. Where all are alike study 6
 * takes 40 times as long. */
static void guess(const proof *at, const kg_position *position, int white, uint32_t *phi, uint32_t *delta) {
    const int least = 2 * at->wanted - at->total - 1; /* odd: just below what is wanted */
    int hope = at->evaluate(at->engine, position) / 16 - 2 * (white ? least : -least);
    hope = hope > SCALE ? SCALE : hope < -SCALE ? -SCALE : hope;
    *phi = at->powers[SCALE - hope];
    *delta = at->powers[SCALE + hope];
}

/* Where the next position stands on the way already, or DEEPEST: only without a tuz. Sides alternate. */
static int stood_at(const proof *at, const kg_position *position) {
    if (position->rest >> 32)
        return DEEPEST;
    const unsigned board = kg_board(position);
    for (int back = at->depth - 2; back >= 0 && kg_board(at->path + back) == board; back -= 2)
        if (at->path[back].own == position->own && at->path[back].other == position->other &&
            at->path[back].rest == position->rest)
            return back;
    return DEEPEST;
}

/* Works on a position until it takes at least phi_most or delta_most. Answers what it rests on, as in child. */
static int32_t search(proof *at, const kg_position *position, uint64_t key, int white, uint32_t phi_most,
                      uint32_t delta_most, uint32_t *phi, uint32_t *delta) {
    const kg_rules *rules = at->kernel->variant == KG_BESTEMSHE ? &kg_rules_bestemshe : &kg_rules_toguz;
    child children[KG_MAX_HOLES];
    int count = 0;
    const uint64_t began = at->nodes++;
    at->path[at->depth++] = *position;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        if (!kg_own_stones(position, hole))
            continue;
        child *next = children + count++;
        kg_sow(rules, at->kernel->rows, position, hole, &next->position);
        next->key = hash_of(&next->position, !white);
        __builtin_prefetch(at->table + (next->key & (at->clusters - 1)) * WAYS);
    }
    for (int each = 0; each < count; each++) {
        child *next = children + each;
        int known = told(at, &next->position, !white);
        next->rests = DEEPEST;
        if (known < 0 && (next->rests = stood_at(at, &next->position)) < DEEPEST)
            known = 2 * at->wanted <= at->total;
        /* Seen from him who moves there; 0 and 0 for what is open. */
        next->phi = known < 0 || known == !white ? 0 : MOST;
        next->delta = known < 0 || known == white ? 0 : MOST;
    }
    for (;;) {
        uint32_t best = MOST, second = MOST, hardest = 0, open = 0;
        child *chosen = 0;
        for (int each = 0; each < count; each++) {
            child *next = children + each;
            if (next->phi == 0 && next->delta == 0)
                guess(at, &next->position, !white, &next->phi, &next->delta);
            if (next->phi != 0 && next->phi != MOST) {
                const entry *found = look(at, next->key);
                if (found) {
                    next->phi = (uint32_t)found->data & MOST;
                    next->delta = (uint32_t)(found->data >> 24) & MOST;
                }
            }
            if (next->delta < best || !chosen) {
                second = best;
                best = next->delta;
                chosen = next;
            } else if (next->delta < second) {
                second = next->delta;
            }
            open += next->phi != 0;
            hardest = next->phi > hardest ? next->phi : hardest;
        }
        *phi = best;
        *delta = hardest == 0 || hardest == MOST ? hardest : lesser(LARGE, hardest + open - 1);
        if (best == 0)
            *delta = MOST;
        else if (*delta == 0)
            *phi = MOST;
        if (*phi >= phi_most || *delta >= delta_most || at->stopped)
            break;
        if (at->nodes >= at->most_nodes || at->depth >= DEEPEST - 1) {
            at->stopped = 1;
            break;
        }
        const uint32_t more = second >= LARGE ? MOST : lesser(LARGE, second + second / 4 + 1);
        const uint32_t child_delta = lesser(phi_most, more);
        const uint32_t child_phi = delta_most >= LARGE ? delta_most : delta_most - (open - 1);
        chosen->rests = search(at, &chosen->position, chosen->key, !white, child_phi, child_delta, &chosen->phi,
                               &chosen->delta);
    }
    at->depth--;
    int32_t rests = DEEPEST;
    if (*phi == 0) { /* on one move: best one that rests on nothing */
        rests = -1;
        for (int each = 0; each < count; each++)
            if (children[each].delta == 0 && children[each].rests > rests)
                rests = children[each].rests;
    } else if (*delta == 0) {
        for (int each = 0; each < count; each++)
            rests = children[each].rests < rests ? children[each].rests : rests;
    }
    if (rests >= at->depth)
        rests = DEEPEST;
    if (rests == DEEPEST)
        keep(at, key, *phi, *delta, at->nodes - began);
    else
        keep(at, key, *phi ? FAR : 1, *delta ? FAR : 1, at->nodes - began);
    return rests;
}

KG_API uint64_t study_bytes(void) { return sizeof(proof); }

/* Lets tables hold a unit of one layer as bytes, 128 + value, both planes; palette holds the pairs of every byte. */
KG_API void study_attach(kg_tables *tables, int32_t layer, int32_t unit, const uint8_t *low, uint8_t *palette,
                         uint64_t count) {
    for (int value = 0; value < 256; value++) {
        palette[2 * value] = (uint8_t)value;
        palette[2 * value + 1] = (uint8_t)(256 - value);
    }
    tables->table[unit][layer] = (kg_table){.data = low, .palette = palette, .count = count, .bits = 8, .colours = 256};
    if (layer > tables->most)
        tables->most = layer;
}

/* The unit of a pair of tuz as the side to move sees it, 0 for none. */
KG_API int32_t study_unit(const kg_tables *tables, int32_t won, int32_t lost) {
    return tables->shape[won][lost].known ? tables->shape[won][lost].unit : -1;
}

KG_API void study_begin(proof *at, const kg_kernel *kernel, const kg_tables *tables, const void *engine,
                        evaluation evaluate, entry *table, uint64_t clusters) {
    at->kernel = kernel;
    at->tables = tables;
    at->engine = engine;
    at->evaluate = evaluate;
    at->table = table;
    at->clusters = clusters;
}

/* The question from now on: whether White ends with at least `wanted` of `total` stones. half_stone is the factor by
 * which half a stone of the evaluation makes a position harder for one side, and easier for the other. Forgets what was
 * found. */
KG_API void study_question(proof *at, int32_t wanted, int32_t total, double half_stone) {
    double power = 1;
    for (int half = 0; half <= 2 * SCALE; half++, power *= half_stone)
        at->powers[half] = power < FAR ? (uint32_t)(power + 0.5) : FAR;
    at->wanted = wanted;
    at->total = total;
    for (uint64_t each = 0; each < at->clusters * WAYS; each++)
        at->table[each] = (entry){0, 0};
}

/* Asks it of a position, White to move or not, in which the game goes on; *nodes positions are looked at at most, and
 * then as many as were. */
KG_API int32_t study_ask(proof *at, const kg_position *position, int32_t white, uint64_t *nodes) {
    uint32_t phi = 0, delta = 0;
    at->nodes = 0;
    at->most_nodes = *nodes;
    at->stopped = at->depth = 0;
    search(at, position, hash_of(position, white), white, MOST, MOST, &phi, &delta);
    *nodes = at->nodes;
    return phi == 0 || delta == 0 ? (phi == 0) == white ? PROVEN : REFUTED : OPEN;
}

/* What is known of a position without a search. */
KG_API int32_t study_known(const proof *at, const kg_position *position, int32_t white) {
    const int known = told(at, position, white);
    if (known >= 0)
        return known ? PROVEN : REFUTED;
    const entry *found = look(at, hash_of(position, white));
    if (!found || ((found->data & MOST) && (found->data >> 24 & MOST)))
        return OPEN;
    return ((found->data & MOST) == 0) == white ? PROVEN : REFUTED;
}
