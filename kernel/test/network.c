/* Runs one path of the network on another processor, under an emulator, without a C library: from the input comes the
 * path, the length of the network file and the number of positions, 8 bytes each, then both; out go the bits of the
 * paths there are, and the outputs of all heads and the value, head by head, as 32-bit words. */
#include <stddef.h>

#include "../network_paths.c"

enum { KG_ROOM = 1 << 20, KG_PLACES = 1 << 14 };

static _Alignas(64) uint8_t network[KG_ROOM];
static kg_position positions[KG_PLACES];
static int32_t outputs[KG_PLACES];

static long system_call(long number, long a, long b, long c) {
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long result __asm__("x0") = a;
    register long second __asm__("x1") = b, third __asm__("x2") = c, call __asm__("x8") = number;
    __asm__ volatile("svc 0" : "+r"(result) : "r"(second), "r"(third), "r"(call) : "memory");
    return result;
#endif
}

#if defined(__x86_64__)
enum { KG_READ = 0, KG_WRITE = 1, KG_EXIT = 60 };
#elif defined(__aarch64__)
enum { KG_READ = 63, KG_WRITE = 64, KG_EXIT = 93 };
#endif

static void leave(long status) {
    for (;;)
        system_call(KG_EXIT, status, 0, 0);
}

static void get(void *to, size_t size) {
    for (size_t done = 0; done < size;) {
        const long count = system_call(KG_READ, 0, (long)((uint8_t *)to + done), (long)(size - done));
        if (count <= 0)
            leave(2);
        done += (size_t)count;
    }
}

static void put(const void *from, size_t size) {
    for (size_t done = 0; done < size;) {
        const long count = system_call(KG_WRITE, 1, (long)((const uint8_t *)from + done), (long)(size - done));
        if (count <= 0)
            leave(3);
        done += (size_t)count;
    }
}

__attribute__((used, noreturn)) static void run(void) {
    uint64_t sizes[3];
    const uint32_t paths = kg_network_paths();
    put(&paths, sizeof paths);
    get(sizes, sizeof sizes);
    if (sizes[1] > KG_ROOM || sizes[2] > KG_PLACES)
        leave(4);
    get(network, sizes[1]);
    get(positions, sizes[2] * sizeof *positions);
    for (int head = 0; head <= KG_HEADS; head++) {
        if (kg_network_outputs(network, (int32_t)sizes[0], head, positions, sizes[2], outputs))
            leave(1);
        put(outputs, sizes[2] * sizeof *outputs);
    }
    leave(0);
    __builtin_unreachable();
}

/* The stack as a called function expects it. */
#if defined(__x86_64__)
__asm__(".globl _start\n_start: xorl %ebp, %ebp\n andq $-16, %rsp\n call run\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, #0\n b run\n");
#endif
