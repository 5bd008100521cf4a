/* Plays with a built kernel and prints what came out, the same on every machine: `driver LIBRARY [NETWORK...]`.
 *
 * The library is loaded as Python loads it, by its file, and every function is taken by its name. A network is one of
 * `src/korgool/engine/networks`; its outputs are compared on every path that the machine can run, and a search plays
 * with it. Nothing printed depends on a clock, an address or the processor. */
#include "../kernel/engine.h"
#include "../kernel/games.h"
#include "../kernel/network.h"

#ifdef _WIN32
/* Taken from the system's msvcrt by name, since zig would compile a C runtime for minutes. */
#include <stddef.h>
typedef void FILE;
#define SYSTEM __declspec(dllimport)
SYSTEM void *__stdcall LoadLibraryA(const char *path);
SYSTEM void *__stdcall GetProcAddress(void *library, const char *name);
static int (*__getmainargs)(int *count, char ***words, char ***environment, int wild, int *start);
static int (*printf)(const char *format, ...);
static FILE *(*fopen)(const char *path, const char *mode);
static int (*fseek)(FILE *file, int32_t at, int from);
static int32_t (*ftell)(FILE *file);
static size_t (*fread)(void *bytes, size_t size, size_t count, FILE *file);
static int (*fclose)(FILE *file);
static void *(*calloc)(size_t count, size_t size);
static int (*memcmp)(const void *one, const void *other, size_t size);
static void (*exit)(int status);
#define RUNTIME(DO) \
    DO(__getmainargs) DO(printf) DO(fopen) DO(fseek) DO(ftell) DO(fread) DO(fclose) DO(calloc) DO(memcmp) DO(exit)
enum { SEEK_SET, SEEK_CUR, SEEK_END };
#define OPEN(path) LoadLibraryA(path)
#define FIND(library, name) GetProcAddress(library, name)
#define WHY() "LoadLibrary refuses it"
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define OPEN(path) dlopen(path, RTLD_NOW | RTLD_LOCAL)
#define FIND(library, name) dlsym(library, name)
#define WHY() dlerror()
#endif

enum { DEPTH = 6, NODES = 150000, TABLE = 1 << 20, PLIES = 40 };

#define FUNCTIONS(DO) \
    DO(kg_version) DO(kg_kernel_bytes) DO(kg_kernel_init) DO(kg_start) DO(kg_check) DO(kg_legal) DO(kg_play) \
    DO(kg_outcome_of) DO(kg_perft) DO(kg_engine_bytes) DO(kg_engine_init) DO(kg_engine_begin) DO(kg_engine_run) \
    DO(kg_engine_report) DO(kg_engine_evaluate) DO(kg_engine_network) DO(kg_network_paths) DO(kg_network_outputs)
#define POINTER(name) __typeof__(&name) name;
static struct { FUNCTIONS(POINTER) } k;

static void fail(const char *what) {
    printf("driver: %s\n", what);
    exit(1);
}

static void *find(void *library, const char *name) {
    void *found = FIND(library, name);
    if (found == NULL)
        fail(name);
    return found;
}

/* Zeroed, at a multiple of 64; never given back. */
static void *zeroed(uint64_t size) {
    char *memory = calloc(1, (size_t)size + 64);
    if (memory == NULL)
        fail("no memory");
    return memory + (64 - (uintptr_t)memory % 64);
}

static void *contents(const char *path, uint64_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END))
        fail(path);
    *length = (uint64_t)ftell(file);
    void *bytes = zeroed(*length);
    if (fseek(file, 0, SEEK_SET) || fread(bytes, 1, (size_t)*length, file) != *length)
        fail(path);
    fclose(file);
    return bytes;
}

static void search(kg_engine *engine, const kg_position *position, const char *title) {
    const kg_limits limits = {.seconds = -1, .nodes = NODES, .depth = KG_MAX_DEPTH, .lines = 2};
    if (k.kg_engine_begin(engine, position, 0, &limits, NULL, NULL, 0))
        fail("the game is over before it begins");
    k.kg_engine_run(engine);
    kg_report report;
    k.kg_engine_report(engine, &report);
    printf("%s: %llu nodes\n", title, (unsigned long long)report.nodes);
    for (int32_t at = 0; at < report.count; at++) {
        const kg_line *line = &report.lines[at];
        printf("  %d depth %d:", line->value, line->depth);
        for (int32_t ply = 0; ply < line->length; ply++)
            printf(" %d", line->pv[ply] + 1);
        printf("\n");
    }
}

/* A game of always the same moves, in which every position is kept; how many there are. */
static uint64_t walk(const kg_kernel *kernel, kg_position *positions) {
    uint64_t count = 0;
    kg_outcome outcome;
    k.kg_start(kernel, positions);
    for (unsigned seed = 1; count < PLIES; count++) {
        const kg_position *now = &positions[count];
        if (k.kg_check(kernel, now) || k.kg_outcome_of(kernel, now, &outcome) != KG_ONGOING)
            break;
        const uint32_t legal = k.kg_legal(kernel, now);
        seed = seed * 1103515245u + 12345u;
        int32_t hole = (int32_t)(seed >> 16) % KG_MAX_HOLES;
        while (!(legal >> hole & 1))
            hole = (hole + 1) % KG_MAX_HOLES;
        if (k.kg_play(kernel, now, hole, &positions[count + 1]) < 0)
            fail("a legal hole was refused");
        printf(" %d", hole + 1);
    }
    return count;
}

int main(int count, char **arguments) {
    if (count < 2)
        fail("which library?");
    void *library = OPEN(arguments[1]);
    if (library == NULL)
        fail(WHY());
#define TAKE(name) *(void **)&k.name = find(library, #name);
    FUNCTIONS(TAKE)
    printf("version %u\n", k.kg_version());
    for (int game = 0; game < KG_ANY; game++) {
        kg_kernel *kernel = zeroed(k.kg_kernel_bytes());
        if (k.kg_kernel_init(kernel, kg_rules_of[game]))
            fail("the rules are refused");
        kg_position positions[PLIES + 1];
        printf("game %d\n  walk:", game);
        const uint64_t length = walk(kernel, positions);
        printf("\n  perft:");
        for (int32_t depth = 1; depth <= DEPTH; depth++)
            printf(" %llu", (unsigned long long)k.kg_perft(kernel, positions, depth, depth & 1));
        printf("\n");
        kg_engine *engine = zeroed(k.kg_engine_bytes(TABLE));
        k.kg_engine_init(engine, kernel, TABLE);
        printf("  evaluations:");
        for (uint64_t at = 0; at < length; at++)
            printf(" %d", k.kg_engine_evaluate(engine, &positions[at]));
        printf("\n");
        search(engine, positions, "  by hand");
        for (int at = 2; at < count; at++) {
            uint64_t bytes;
            const void *network = contents(arguments[at], &bytes);
            if (k.kg_engine_network(engine, network, bytes))
                continue; /* of another game */
            int32_t outputs[KG_PATHS][PLIES];
            for (int32_t path = 0; path < KG_PATHS; path++)
                if (k.kg_network_paths() >> path & 1) {
                    if (k.kg_network_outputs(network, path, KG_HEADS, positions, length, outputs[path]))
                        fail("a path is refused");
                    if (memcmp(outputs[path], outputs[KG_PORTABLE], (size_t)length * sizeof outputs[0][0]))
                        fail("two paths of the network disagree");
                }
            printf("  outputs:");
            for (uint64_t ply = 0; ply < length; ply++)
                printf(" %d", outputs[KG_PORTABLE][ply]);
            printf("\n");
            search(engine, positions, "  learned");
        }
    }
    return 0;
}

#ifdef _WIN32
/* What a C runtime would do before main. */
void __main(void) {}

void mainCRTStartup(void) {
    void *runtime = LoadLibraryA("msvcrt.dll");
#define TAKE_RUNTIME(name) *(void **)&name = GetProcAddress(runtime, #name);
    RUNTIME(TAKE_RUNTIME)
    int count, start = 0;
    char **words, **environment;
    __getmainargs(&count, &words, &environment, 0, &start);
    exit(main(count, words));
}
#endif
