/* The weights of the evaluation: least squares for the stones that still change hands, over games of the engine with
 * itself (benchmarks/kernel_fit.py, 1,500 games of each kind). */
#include "evaluate.h"

#include "weights.h"

/* How far rules are from those of a game, for an evaluation. Above all, a game with sown stores needs weights made with
 * them, then a game with tuz weights that know them; the size of the board and the ending count less, and every other
 * choice least. */
static int distance(const kg_rules *rules, const kg_rules *game) {
    const int holes = rules->holes > game->holes ? rules->holes - game->holes : game->holes - rules->holes;
    const int near = 64 * (rules->store_sown && !game->store_sown) + 16 * (rules->tuz != game->tuz) +
                     2 * (rules->ending != game->ending) + holes;
    const int32_t *one = &rules->holes, *other = &game->holes;
    int different = 0;
    for (int at = 0; at < KG_CHOICES; at++)
        different += one[at] != other[at];
    return near * (KG_CHOICES + 1) + different;
}

const kg_weights *kg_weights_for(const kg_kernel *kernel) {
    if (kernel->variant != KG_ANY)
        return &weights_of[kernel->variant];
    int nearest = 0;
    for (int game = 1; game < KG_ANY; game++)
        if (distance(&kernel->rules, kg_rules_of[game]) < distance(&kernel->rules, kg_rules_of[nearest]))
            nearest = game;
    return &weights_of[nearest];
}
