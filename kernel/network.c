/* Loading a network from its file, and its winning chances outside of the search. */
#include "network.h"

#include "network_paths.h"
#include "search.h"

/* With it, no output passes 31 bits. */
enum { KG_LARGEST_BIAS = 1 << 29 };

static uint64_t checksum_of(const uint8_t *bytes, uint64_t length) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (uint64_t at = 0; at < length; at++)
        sum = (sum ^ bytes[at]) * UINT64_C(0x100000001b3);
    return sum;
}

static int same_moves(const kg_network *network, const kg_rules *rules) {
    const kg_rules made_for = kg_read_rules(&network->rules, network->later);
    const kg_rules one = kg_bare_rules(&made_for), other = kg_bare_rules(rules);
    return made_for.stones == rules->stones && kg_same_rules(&one, &other);
}

static int path_of(uint32_t paths) {
    int path = KG_PATHS - 1;
    while (!(paths >> path & 1))
        path--;
    return path;
}

kg_network_path kg_network_fastest(const kg_network *network) {
    return kg_network_choose(network, path_of(kg_network_paths()));
}

static uint64_t rows_of(const kg_network *network) {
    return 2u * (unsigned)network->rules.holes * KG_COUNTED + network->tuz_rows + KG_HEADS * network->buckets;
}

static int32_t sizes_of(const kg_network *network, uint64_t length) {
    if (network->rules.holes < 1 || network->rules.holes > KG_MAX_HOLES || network->hidden == 0 ||
        network->hidden % 64 || network->hidden > 1024 || network->buckets < 1 || network->buckets > KG_BUCKETS ||
        network->tuz_rows != (network->rules.tuz ? (uint32_t)KG_TUZ_ROWS : 1u) || network->checks < 1 ||
        network->checks > 1024)
        return KG_NET_SIZES;
    for (int head = 0; head < KG_HEADS; head++)
        for (uint32_t bucket = 0; bucket < network->buckets; bucket++)
            if (network->scales[head][bucket].bias / KG_LARGEST_BIAS)
                return KG_NET_SIZES;
    for (int board = 0; board < 256; board++)
        if (network->bucket[board] >= network->buckets)
            return KG_NET_SIZES;
    const uint64_t size = sizeof(kg_network) + rows_of(network) * network->hidden * sizeof(int16_t) +
                          network->checks * sizeof(kg_network_check);
    return size == length ? 0 : KG_NET_SIZES;
}

/* Whether the path gives here what it gave where the network was made. */
static int reproduces(const kg_network *network, kg_network_path path) {
    const kg_network_check *check =
        (const kg_network_check *)(kg_network_rows(network) + rows_of(network) * network->hidden);
    for (uint32_t at = 0; at < network->checks; at++, check++) {
        const kg_position *position = &check->position;
        const unsigned board = kg_own_board(position) + kg_other_board(position);
        for (int head = 0; head < KG_HEADS; head++)
            if (kg_network_output(network, path, position, head, board) != check->outputs[head])
                return 0;
    }
    return 1;
}

KG_API int32_t kg_engine_network(kg_engine *engine, const void *bytes, uint64_t length) {
    const kg_network *network = bytes;
    if (bytes) {
        static const uint8_t magic[8] = {'K', 'O', 'R', 'G', 'O', 'O', 'L', 'N'};
        if ((uintptr_t)bytes % 64)
            return KG_NET_ALIGNMENT;
        if (length < sizeof(kg_network))
            return KG_NET_TRUNCATED;
        for (int at = 0; at < 8; at++)
            if (network->magic[at] != magic[at])
                return KG_NET_MAGIC;
        if (network->version != KG_NETWORK_VERSION)
            return KG_NET_VERSION;
        if (network->bytes > length)
            return KG_NET_TRUNCATED;
        const uint64_t before = sizeof network->magic + 4 + 4 + 8;
        if (checksum_of((const uint8_t *)bytes + before, length - before) != network->checksum)
            return KG_NET_CHECKSUM;
        const int32_t sizes = sizes_of(network, length);
        if (sizes)
            return sizes;
        if (!same_moves(network, &engine->kernel->rules))
            return KG_NET_GAME;
        const kg_network_path path = kg_network_fastest(network);
        if (!reproduces(network, path))
            return KG_NET_CHECKS;
        engine->network_path = path;
    }
    engine->network = network;
    kg_engine_clear(engine);
    return 0;
}

/* Stones on the board below which what is told of a value comes nearer to it. */
enum { KG_FEW = 40 };

/* e to the power of value, for -80 to 80: 2 to a whole power, set in the exponent, times a series. */
static double power(double value) {
    const double bounded = value > 80 ? 80 : value < -80 ? -80 : value, twos = bounded * 1.4426950408889634;
    const int whole = (int)(twos + (twos < 0 ? -0.5 : 0.5));
    const double rest = bounded - whole * 0.6931471805599453;
    double term = 1, sum = 1;
    for (int at = 1; at < 14; at++) {
        term *= rest / at;
        sum += term;
    }
    const union {
        uint64_t bits;
        double number;
    } scale = {.bits = (uint64_t)(whole + 1023) << 52};
    return sum * scale.number;
}

/* Cut off before its ends: a hope never reads as a certainty. */
static double logistic(double value) {
    return 1 / (1 + power(value > 9 ? -9 : value < -9 ? 9 : -value));
}

/* What a curve has for a depth. */
static double at_depth(const double *steps, int32_t depth) {
    const int deepest = KG_STEP * (KG_STEPS - 1), ahead = depth < 0 ? 0 : depth > deepest ? deepest : depth;
    const int step = ahead < deepest ? ahead / KG_STEP : KG_STEPS - 2;
    return steps[step] + (steps[step + 1] - steps[step]) * (ahead - KG_STEP * step) / KG_STEP;
}

/* Stones of the final difference for each of a value. */
static double stretch(const kg_engine *engine, unsigned board, int32_t depth) {
    const double most = engine->network ? at_depth(engine->weights->chances.stones, depth) : 1;
    return 1 + (most - 1) * (board < KG_FEW ? board / (double)KG_FEW : 1);
}

KG_API int32_t kg_engine_told(const kg_engine *engine, const kg_position *position, int32_t value, int32_t depth) {
    const int board = (int)(kg_own_board(position) + kg_other_board(position));
    const int stored = ((int)kg_own_store(position) - (int)kg_other_store(position)) * KG_UNIT;
    const double told = value * stretch(engine, (unsigned)board, depth);
    int stones = (int)(told < 0 ? told - 0.5 : told + 0.5);
    /* not beyond what the board has, but for a draw by repetition, which is worth 0 whatever it has */
    const int most = stored + board * KG_UNIT, least = stored - board * KG_UNIT;
    stones = stones > most ? most : stones < least ? least : stones;
    return value > 0 ? (stones > value ? stones : value) : (stones < value ? stones : value);
}

KG_API void kg_engine_chances(const kg_engine *engine, const kg_position *position, int32_t value, int32_t depth,
                              double *chances) {
    const kg_network *network = engine->network;
    const kg_curve *curve = &engine->weights->chances;
    const unsigned board = kg_own_board(position) + kg_other_board(position);
    double width = curve->width + curve->growth * board, band = curve->band;
    if (network) {
        const kg_network_path path = engine->network_path;
        width = power(kg_network_output(network, path, position, 1, board) / 256.0);
        band = power(kg_network_output(network, path, position, 2, board) / 256.0);
    }
    const double steep = at_depth(network ? curve->network : curve->hand, depth);
    const double stones = value / stretch(engine, board, depth) / KG_UNIT;
    chances[0] = logistic((stones - band) * steep / width);
    chances[2] = logistic((-stones - band) * steep / width);
    chances[1] = chances[0] + chances[2] < 1 ? 1 - chances[0] - chances[2] : 0;
}
