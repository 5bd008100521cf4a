/* The proof of a mangala value, as a list of claims that another program can check one by one.
 *
 * A claim says of a position that its value is at least some number, or at most. The first rests on one move, the other
 * on all of them; each of these leads to an ended game, to a position of the table, to one so poor that the stones on
 * it decide, or to another claim of the list. Claims are found by the searcher, which must know the first ones to be
 * true. */
#ifndef KORGOOL_SOLVE_PROOF_H
#define KORGOOL_SOLVE_PROOF_H

#include "solve.h"

typedef struct kg_proof kg_proof;

/* Bytes for a list of at most slots positions, a power of two; it should not become more than three quarters full. */
KG_API uint64_t kg_proof_bytes(uint64_t slots);
KG_API int32_t kg_proof_init(kg_proof *proof, kg_searcher *searcher, uint64_t slots);
/* Claims that the value of a position is at least lower and at most upper. */
KG_API int32_t kg_proof_claim(kg_proof *proof, const kg_position *position, int32_t lower, int32_t upper);
/* Supports claims until limit more positions were visited. 1 when all claims are supported, 0 when there are more, -1
 * when there is no room, -2 when a claim turned out to be wrong. */
KG_API int32_t kg_proof_run(kg_proof *proof, uint64_t limit);
KG_API uint64_t kg_proof_positions(const kg_proof *proof);
/* Gathers the list at the front of its memory, which ends the work on it: a word and a byte for each position. A word is
 * the position's number shifted by 14 bits, its upper bound and 64 shifted by 7 (127 for no claim), and its lower bound
 * and 64 (0 for no claim). A byte is the hole, from 0, that supports the lower claim. */
KG_API void kg_proof_gather(kg_proof *proof, const uint64_t **words, const uint8_t **moves);

#endif
