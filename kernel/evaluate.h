/* A plain evaluation by hand: stones in the stores and, by where they lie, on the board, and tuz. */
#ifndef KORGOOL_EVALUATE_H
#define KORGOOL_EVALUATE_H

#include "engine.h"
#include "rules.h"

/* What depends on the depth is given for each KG_STEP plies looked ahead, KG_STEPS times, and stays as it is beyond. */
enum { KG_STEP = 4, KG_STEPS = 10 };

/* Chances for an evaluation in stones: two logistic curves around a band of draws, flatter the more stones can still be
 * won. A network tells width and band by itself, as they are without looking ahead. What was found by looking ahead is
 * surer: the curve is steeper by a factor for each depth, of the evaluation by hand and by a network.
 * benchmarks/chances.py fits these.
 *
 * Games end farther from even than short searches with a network find. What is told of a value is `stones` times as
 * much, with few stones on the board less; the search itself compares stones as they are. */
typedef struct {
    double width, growth, band; /* stones: with an empty board, for each stone on it, and to each side of nothing */
    double hand[KG_STEPS], network[KG_STEPS], stones[KG_STEPS];
} kg_curve;

/* Worth in KG_UNITs: of a stone in each hole of the side to move and of the opponent, of a tuz by its place for its
 * owner, of each stone on the board to an owner of a tuz, and of the move. */
typedef struct {
    int16_t own[KG_MAX_HOLES], other[KG_MAX_HOLES], tuz_own[KG_MAX_HOLES], tuz_other[KG_MAX_HOLES];
    int16_t tuz_own_stone, tuz_other_stone, move, reserved;
    kg_curve chances;
} kg_weights;

const kg_weights *kg_weights_for(const kg_kernel *kernel);

/* The expected final difference, kept within what the stores still allow. */
KG_INLINE int kg_estimate(const kg_weights *weights, const kg_rules *rules, const kg_position *position) {
    int value = weights->move, board = 0;
    for (unsigned hole = 0; hole < (unsigned)rules->holes; hole++) {
        const int own = (int)kg_own_stones(position, hole), other = (int)kg_other_stones(position, hole);
        value += own * weights->own[hole] - other * weights->other[hole];
        board += own + other;
    }
    const unsigned won = kg_byte(position->rest, 4), lost = kg_byte(position->rest, 5);
    if (rules->tuz && won)
        value += weights->tuz_own[won - 1] + board * weights->tuz_own_stone;
    if (rules->tuz && lost)
        value -= weights->tuz_other[lost - 1] + board * weights->tuz_other_stone;
    const int limit = board * KG_UNIT;
    value = value > limit ? limit : value < -limit ? -limit : value;
    return value + ((int)kg_own_store(position) - (int)kg_other_store(position)) * KG_UNIT;
}

#endif
