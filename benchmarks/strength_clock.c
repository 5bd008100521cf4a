/* A clock for matches: processor seconds of the calling thread, so that a busy machine is just to both sides. It takes
 * the place of kernel/platform.c. */
#define _POSIX_C_SOURCE 199309L
#include <time.h>

double kg_clock(void);

double kg_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
