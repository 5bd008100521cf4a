/* The sum of the network for each kind of vectors, and which of them this processor has. */
#include "network_paths.h"

#define KG_JOIN_(a, b) a##_##b
#define KG_JOIN(a, b) KG_JOIN_(a, b)
#define KG_VECTOR(name) KG_JOIN(name, KG_VECTORS)
#define KG_RARE(condition) __builtin_expect((condition) != 0, 0)

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

/* The row of both tuz; numbers that cannot be are read as none. */
KG_INLINE unsigned kg_tuz_row(const kg_network *network, const kg_position *position) {
    const unsigned row = kg_byte(position->rest, 4) * 10 + kg_byte(position->rest, 5);
    return row < network->tuz_rows ? row : 0;
}

/* A hole of KG_COUNTED stones or more counts as one less than that. */
static void kg_counted(uint64_t *own, uint64_t *other, unsigned *last) {
    uint64_t words[3] = {*own, *other, *last};
    for (int word = 0; word < 3; word++)
        for (unsigned at = 0; at < 64; at += 8)
            if ((words[word] >> at & 255) >= KG_COUNTED)
                words[word] = (words[word] & ~(UINT64_C(255) << at)) | (uint64_t)(KG_COUNTED - 1) << at;
    *own = words[0];
    *other = words[1];
    *last = (unsigned)words[2];
}

/* Portable: sums wrap around as vectors do, though no trained network comes that far. */
#define KG_VECTORS portable
#define KG_TARGET
#define KG_LANES 1
#define KG_UNITS uint16_t
#define KG_SUMS uint32_t
#define KG_ZERO 0
#define KG_LOAD(address) ((uint16_t)*(address))
#define KG_ADD(a, b) ((uint16_t)((a) + (b)))
KG_INLINE uint32_t weigh_portable(uint32_t total, uint16_t unit, uint16_t weight) {
    const int16_t clipped = (int16_t)unit < 0 ? 0 : (int16_t)unit > KG_CLIP ? KG_CLIP : (int16_t)unit;
    return total + (uint32_t)(clipped * clipped * (int32_t)(int16_t)weight);
}
#define KG_WEIGH weigh_portable
#define KG_TOTAL(total) ((int32_t)(total))
#include "network_path.h"
#undef KG_VECTORS
#undef KG_TARGET
#undef KG_LANES
#undef KG_UNITS
#undef KG_SUMS
#undef KG_ZERO
#undef KG_LOAD
#undef KG_ADD
#undef KG_WEIGH
#undef KG_TOTAL
#define KG_LOAD(address) KG_VECTOR(load)(address)
#define KG_ADD(a, b) KG_VECTOR(add)(a, b)
#define KG_WEIGH(total, units, weights) KG_VECTOR(weigh)(total, units, weights)
#define KG_TOTAL(total) KG_VECTOR(total)(total)
#define KG_ZERO KG_VECTOR(zero)()
#define KG_STEP static inline __attribute__((always_inline)) KG_TARGET

#if defined(__x86_64__)

#define KG_VECTORS sse2
#define KG_TARGET
#define KG_LANES 8
#define KG_UNITS __m128i
#define KG_SUMS __m128i
KG_STEP __m128i zero_sse2(void) { return _mm_setzero_si128(); }
KG_STEP __m128i load_sse2(const int16_t *from) { return _mm_loadu_si128((const __m128i *)from); }
KG_STEP __m128i add_sse2(__m128i a, __m128i b) { return _mm_add_epi16(a, b); }
KG_STEP __m128i weigh_sse2(__m128i total, __m128i units, __m128i weights) {
    units = _mm_min_epi16(_mm_max_epi16(units, _mm_setzero_si128()), _mm_set1_epi16(KG_CLIP));
    return _mm_add_epi32(total, _mm_madd_epi16(_mm_mullo_epi16(units, units), weights));
}
KG_STEP int32_t total_sse2(__m128i total) {
    total = _mm_add_epi32(total, _mm_shuffle_epi32(total, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(total, _mm_shuffle_epi32(total, 0xb1)));
}
#include "network_path.h"
#undef KG_VECTORS
#undef KG_TARGET
#undef KG_LANES
#undef KG_UNITS
#undef KG_SUMS

#define KG_VECTORS avx2
#define KG_TARGET __attribute__((target("avx2")))
#define KG_LANES 16
#define KG_UNITS __m256i
#define KG_SUMS __m256i
KG_STEP __m256i zero_avx2(void) { return _mm256_setzero_si256(); }
KG_STEP __m256i load_avx2(const int16_t *from) { return _mm256_loadu_si256((const __m256i *)from); }
KG_STEP __m256i add_avx2(__m256i a, __m256i b) { return _mm256_add_epi16(a, b); }
KG_STEP __m256i weigh_avx2(__m256i total, __m256i units, __m256i weights) {
    units = _mm256_min_epi16(_mm256_max_epi16(units, _mm256_setzero_si256()), _mm256_set1_epi16(KG_CLIP));
    return _mm256_add_epi32(total, _mm256_madd_epi16(_mm256_mullo_epi16(units, units), weights));
}
KG_STEP int32_t total_avx2(__m256i total) {
    return total_sse2(_mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256(total, 1)));
}
#include "network_path.h"
#undef KG_VECTORS
#undef KG_TARGET
#undef KG_LANES
#undef KG_UNITS
#undef KG_SUMS

#define KG_VECTORS avx512
#if defined(__clang__) && __clang_major__ >= 18 && __clang_major__ < 22 /* names the width apart */
#define KG_TARGET __attribute__((target("avx512f,avx512bw,evex512")))
#else
#define KG_TARGET __attribute__((target("avx512f,avx512bw")))
#endif
#define KG_LANES 32
#define KG_UNITS __m512i
#define KG_SUMS __m512i
KG_STEP __m512i zero_avx512(void) { return _mm512_setzero_si512(); }
KG_STEP __m512i load_avx512(const int16_t *from) { return _mm512_loadu_si512(from); }
KG_STEP __m512i add_avx512(__m512i a, __m512i b) { return _mm512_add_epi16(a, b); }
KG_STEP __m512i weigh_avx512(__m512i total, __m512i units, __m512i weights) {
    units = _mm512_min_epi16(_mm512_max_epi16(units, _mm512_setzero_si512()), _mm512_set1_epi16(KG_CLIP));
    return _mm512_add_epi32(total, _mm512_madd_epi16(_mm512_mullo_epi16(units, units), weights));
}
KG_STEP int32_t total_avx512(__m512i total) {
    return total_avx2(_mm256_add_epi32(_mm512_castsi512_si256(total), _mm512_extracti64x4_epi64(total, 1)));
}
#include "network_path.h"

static void cpuid(uint32_t leaf, uint32_t *registers) {
    __asm__("cpuid"
            : "=a"(registers[0]), "=b"(registers[1]), "=c"(registers[2]), "=d"(registers[3])
            : "a"(leaf), "c"(0));
}

/* The processor must have the instructions, and the system must keep their registers (Intel's manual, volume 1, 14.3
 * and 15.2). */
KG_API uint32_t kg_network_paths(void) {
    const uint32_t always = 1u << KG_PORTABLE | 1u << KG_SSE2;
    uint32_t registers[4], kept, high;
    cpuid(0, registers);
    if (registers[0] < 7)
        return always;
    cpuid(1, registers);
    if (!(registers[2] >> 27 & 1))
        return always;
    __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    cpuid(7, registers);
    const uint32_t avx2 = (kept & 0x06) == 0x06 && (registers[1] >> 5 & 1);
    const uint32_t avx512 = avx2 && (kept & 0xe6) == 0xe6 && (registers[1] >> 16 & 1) && (registers[1] >> 30 & 1);
    return always | avx2 << KG_AVX2 | avx512 << KG_AVX512;
}

kg_network_path kg_network_choose(const kg_network *network, int path) {
    switch (path) {
    case KG_SSE2: return choose_sse2(network);
    case KG_AVX2: return choose_avx2(network);
    case KG_AVX512: return choose_avx512(network);
    default: return choose_portable(network);
    }
}

#elif defined(__aarch64__)

#define KG_VECTORS neon
#define KG_TARGET
#define KG_LANES 8
#define KG_UNITS int16x8_t
#define KG_SUMS int32x4_t
KG_STEP int32x4_t zero_neon(void) { return vdupq_n_s32(0); }
KG_STEP int16x8_t load_neon(const int16_t *from) { return vld1q_s16(from); }
KG_STEP int16x8_t add_neon(int16x8_t a, int16x8_t b) { return vaddq_s16(a, b); }
KG_STEP int32x4_t weigh_neon(int32x4_t total, int16x8_t units, int16x8_t weights) {
    units = vminq_s16(vmaxq_s16(units, vdupq_n_s16(0)), vdupq_n_s16(KG_CLIP));
    units = vmulq_s16(units, units);
    return vmlal_high_s16(vmlal_s16(total, vget_low_s16(units), vget_low_s16(weights)), units, weights);
}
KG_STEP int32_t total_neon(int32x4_t total) { return vaddvq_s32(total); }
#include "network_path.h"

KG_API uint32_t kg_network_paths(void) { return 1u << KG_PORTABLE | 1u << KG_NEON; }

kg_network_path kg_network_choose(const kg_network *network, int path) {
    return path == KG_NEON ? choose_neon(network) : choose_portable(network);
}

#elif defined(__wasm_simd128__)

#define KG_VECTORS simd128
#define KG_TARGET
#define KG_LANES 8
#define KG_UNITS v128_t
#define KG_SUMS v128_t
KG_STEP v128_t zero_simd128(void) { return wasm_i32x4_const_splat(0); }
KG_STEP v128_t load_simd128(const int16_t *from) { return wasm_v128_load(from); }
KG_STEP v128_t add_simd128(v128_t a, v128_t b) { return wasm_i16x8_add(a, b); }
KG_STEP v128_t weigh_simd128(v128_t total, v128_t units, v128_t weights) {
    units = wasm_i16x8_min(wasm_i16x8_max(units, wasm_i16x8_const_splat(0)), wasm_i16x8_const_splat(KG_CLIP));
    return wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(wasm_i16x8_mul(units, units), weights));
}
KG_STEP int32_t total_simd128(v128_t total) {
    return (int32_t)((uint32_t)wasm_i32x4_extract_lane(total, 0) + (uint32_t)wasm_i32x4_extract_lane(total, 1) +
                     (uint32_t)wasm_i32x4_extract_lane(total, 2) + (uint32_t)wasm_i32x4_extract_lane(total, 3));
}
#include "network_path.h"

KG_API uint32_t kg_network_paths(void) { return 1u << KG_PORTABLE | 1u << KG_SIMD128; }

kg_network_path kg_network_choose(const kg_network *network, int path) {
    return path == KG_SIMD128 ? choose_simd128(network) : choose_portable(network);
}

#else

KG_API uint32_t kg_network_paths(void) { return 1u << KG_PORTABLE; }

kg_network_path kg_network_choose(const kg_network *network, int path) {
    (void)path;
    return choose_portable(network);
}

#endif

KG_API int32_t kg_network_outputs(const void *bytes, int32_t path, int32_t head, const kg_position *positions,
                                  uint64_t count, int32_t *outputs) {
    const kg_network *network = bytes;
    if (head < 0 || head > KG_HEADS)
        return KG_NO_SUCH_HOLE;
    if (path < 0 || path >= KG_PATHS || !(kg_network_paths() >> path & 1))
        return KG_BAD_RULES;
    const kg_network_path chosen = kg_network_choose(network, path);
    for (uint64_t at = 0; at < count; at++) {
        const unsigned board = kg_own_board(positions + at) + kg_other_board(positions + at);
        outputs[at] = head == KG_HEADS ? kg_network_value(network, chosen, positions + at)
                                       : kg_network_output(network, chosen, positions + at, head, board);
    }
    return 0;
}
