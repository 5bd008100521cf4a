/* What the kernel needs of a machine: a clock, and on bare WebAssembly two functions that compilers take for granted. */
#if !defined(__wasm__) && !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L
#include <time.h>
#endif

#include "search.h"

#ifdef __wasm__

#include <stddef.h>

__attribute__((import_module("korgool"), import_name("now"))) double kg_host_now(void);

/* Seconds from no particular time; the page gives them. */
double kg_clock(void) {
    return kg_host_now();
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    while (size--)
        *target++ = *source++;
    return to;
}

void *memset(void *to, int value, size_t size) {
    unsigned char *target = to;
    while (size--)
        *target++ = (unsigned char)value;
    return to;
}

#elif defined(_WIN32)

#ifdef KG_ALONE
/* Where a library begins that is linked without the C runtime: there is nothing to set up. */
int __stdcall _DllMainCRTStartup(void *library, uint32_t reason, void *reserved) {
    (void)library, (void)reason, (void)reserved;
    return 1;
}
#endif

__declspec(dllimport) int __stdcall QueryPerformanceCounter(long long *count);
__declspec(dllimport) int __stdcall QueryPerformanceFrequency(long long *frequency);

double kg_clock(void) {
    long long count = 0, frequency = 1;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count / (double)frequency;
}

#else

/* Seconds of a clock that nobody sets. */
double kg_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
