/* What an expected line brings, and how many moves a side has left: for reasons, which look further than a sowing. */
#ifndef KORGOOL_PROSPECTS_H
#define KORGOOL_PROSPECTS_H

#include "korgool.h"

/* So many sowings may lie before what is told of a line; and so many turns of both sides are compared. */
enum { KG_BEFORE = 8, KG_ROUNDS = 16 };

/* A line as the side sees it that begins it. */
typedef struct {
    int plies; /* the sowings told here: what they took, the tuz that they made or 0, and whether the beginner sowed */
    uint8_t holes[KG_BEFORE + 1], mine[KG_BEFORE + 1], taken[KG_BEFORE + 1], tuz[KG_BEFORE + 1];
    int rounds, over; /* the turns of both sides played, the last one perhaps cut short by the end of the game */
    int balance[KG_ROUNDS]; /* the store of the beginner less the other one, after each round */
} kg_course;

/* Follows a line as far as it can be played. */
void kg_follow(const kg_kernel *kernel, const kg_position *position, const uint8_t *line, int32_t length,
               kg_course *course);
/* The first of the largest captures of one side (mine 1 or 0) from a ply on, or -1 where it takes nothing. */
int kg_largest(const kg_course *course, int mine, int from);
/* The first ply from one on in which a side makes a tuz, or -1. */
int kg_first_tuz(const kg_course *course, int mine, int from);
/* The first sowing of the beginner after one of the other side; the plies told where there is none. */
int kg_returned(const kg_course *course);
/* By how many stones a line is better than another one for the side that begins them; see docs/reasons.md. */
int kg_gain(const kg_course *course, const kg_course *other);
/* How many moves the side to move has at most, one after the other, if nothing comes to it and nothing is taken from it: at
 * home, where no stone may leave its holes, or until its holes are empty. */
int kg_moves_left(const kg_kernel *kernel, const kg_position *position, int home);

#endif
