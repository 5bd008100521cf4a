/* Made by kernel/generate.py from korgool.engine.games. Do not edit. */
static const kg_weights weights_of[KG_ANY] = {
    [KG_TOGUZ] = {.own = {9, 10, 7, 4, 6, 4, 2, 3, 10}, .other = {3, 8, 6, 3, 5, 3, 1, 2, 9},
        .tuz_own = {507, 570, 286, 308, 344, 403, 451, 405, 0},
        .tuz_other = {498, 560, 286, 319, 339, 400, 450, 402, 0}, .tuz_own_stone = 1, .tuz_other_stone = 1,
        .move = -7, .chances = {3.85, 0.096, 1.03, 1, 0, 0.05}},
    [KG_MANGALA] = {.own = {-9, -5, 1, 7, 11, 12}, .other = {-18, -7, -1, 6, 11, 11}, .move = 9,
        .chances = {0.999, 0.062, 1.031, 1, 0, 0.175}},
    [KG_CASTLE] = {.own = {19, 19, 14, 13, 12, 13}, .other = {9, 17, 13, 12, 12, 13},
        .tuz_own = {102, 139, 181, 176, 133, 0}, .tuz_other = {106, 150, 201, 195, 154, 0}, .tuz_own_stone = 9,
        .tuz_other_stone = 8, .move = -8, .chances = {0.179, 0.266, 1.793, 1, 0, 0.116}},
    [KG_BESTEMSHE] = {.own = {22, 17, 16, 13, 18}, .other = {13, 16, 17, 12, 18}, .move = -1,
        .chances = {0.05, 0.363, 0.05, 0.156, 0.097, 0}},
};
