/* The learned evaluation: a network of one hidden layer over the stones of each hole.
 *
 * Each hole adds a table row, chosen by its number of stones, and both tuz together add one more; the sum is clipped to
 * 0..KG_CLIP, squared, and weighed by one of several output heads, chosen by the stones on the board. All numbers are
 * whole, so that every vector path gives the same bits. Rows and heads are read from the file as it lies in memory. */
#ifndef KORGOOL_NETWORK_H
#define KORGOOL_NETWORK_H

#include "engine.h"
#include "rules.h"

enum { KG_NETWORK_VERSION = 1, KG_COUNTED = 64, KG_CLIP = 181, KG_HEADS = 3, KG_BUCKETS = 16, KG_TUZ_ROWS = 100 };
enum { KG_PORTABLE, KG_SSE2, KG_AVX2, KG_AVX512, KG_NEON, KG_SIMD128, KG_PATHS };
/* What kg_engine_network answers when it refuses; the engine stays as it was. */
enum {
    KG_NET_TRUNCATED = -1, KG_NET_MAGIC = -2, KG_NET_VERSION = -3, KG_NET_CHECKSUM = -4, KG_NET_SIZES = -5,
    KG_NET_GAME = -6, KG_NET_CHECKS = -7, KG_NET_ALIGNMENT = -8,
};

/* A head turns the weighed sum of the hidden units into bias + (sum * factor >> 32). */
typedef struct {
    int32_t bias, factor;
} kg_scale;

/* The start of a network file. After it come, each in rows of `hidden` 16-bit numbers: KG_COUNTED rows for each own
 * hole and each hole of the opponent, KG_TUZ_ROWS rows for own tuz * 10 + other tuz (one row in games without tuz),
 * KG_HEADS heads for each bucket; then `checks` positions with what must come out for them. The heads are the stones
 * that the side to move still gains over the opponent in KG_UNITs, and the logarithms of the width and of the drawing
 * band of the chances, in 1/256. The checksum is FNV-1a (64 bits) of all bytes after it. Of the rules, goal, threefold
 * and recurrence are 0: they do not matter. */
typedef struct {
    uint8_t magic[8];
    uint32_t version, bytes;
    uint64_t checksum;
    kg_stored_rules rules;
    uint32_t hidden, buckets, tuz_rows, checks, later, reserved[14];
    uint8_t name[32];
    kg_scale scales[KG_HEADS][KG_BUCKETS];
    uint8_t bucket[256]; /* by the stones on the board */
} kg_network;

typedef struct {
    kg_position position;
    int32_t outputs[KG_HEADS], reserved;
} kg_network_check;

/* The sum of the hidden units, weighed by a head. */
typedef int32_t (*kg_network_path)(const kg_network *network, const kg_position *position, const int16_t *head);

KG_INLINE const int16_t *kg_network_rows(const kg_network *network) {
    return (const int16_t *)(network + 1);
}

KG_INLINE const int16_t *kg_network_head(const kg_network *network, int head, unsigned bucket) {
    const uint64_t before = 2u * (unsigned)network->rules.holes * KG_COUNTED + network->tuz_rows;
    return kg_network_rows(network) + (before + (unsigned)head * network->buckets + bucket) * network->hidden;
}

KG_INLINE int kg_network_output(const kg_network *network, kg_network_path path, const kg_position *position, int head,
                                unsigned board) {
    const unsigned bucket = network->bucket[board & 255];
    const kg_scale *scale = &network->scales[head][bucket];
    const int64_t sum = path(network, position, kg_network_head(network, head, bucket));
    return scale->bias + (int)(sum * scale->factor >> 32);
}

/* The expected final difference, as kg_estimate gives it. */
KG_INLINE int kg_network_value(const kg_network *network, kg_network_path path, const kg_position *position) {
    const unsigned board = kg_own_board(position) + kg_other_board(position);
    const int value = kg_network_output(network, path, position, 0, board), limit = (int)board * KG_UNIT;
    return (value > limit ? limit : value < -limit ? -limit : value) +
           ((int)kg_own_store(position) - (int)kg_other_store(position)) * KG_UNIT;
}

/* The fastest path of this machine for a network. */
kg_network_path kg_network_fastest(const kg_network *network);

/* Values leaves by the network from now on; bytes must be aligned to 64 and live as long as the engine. Null for the
 * evaluation by hand. Forgets what was found before. Answers 0 or a refusal. */
KG_API int32_t kg_engine_network(kg_engine *engine, const void *bytes, uint64_t length);
/* Bit by bit, the paths that this machine can run. */
KG_API uint32_t kg_network_paths(void);
/* The outputs of a head (see kg_network) for many positions on one path, or with head KG_HEADS their whole value.
 * Answers 0, KG_NO_SUCH_HOLE for an unknown head, or KG_BAD_RULES for a path that this machine cannot run. The network
 * must be one that an engine took. */
KG_API int32_t kg_network_outputs(const void *bytes, int32_t path, int32_t head, const kg_position *positions,
                                  uint64_t count, int32_t *outputs);
/* What is told of a value that was found for the position by looking so many plies ahead: as many KG_UNITs as the final
 * difference has in the mean. */
KG_API int32_t kg_engine_told(const kg_engine *engine, const kg_position *position, int32_t value, int32_t depth);
/* Chances of win, draw and loss for a value that was told for the position after looking so many plies ahead. */
KG_API void kg_engine_chances(const kg_engine *engine, const kg_position *position, int32_t value, int32_t depth,
                              double *chances);

#endif
