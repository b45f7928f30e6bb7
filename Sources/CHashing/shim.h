// SHA-256 by the processor's own instructions, which Swift cannot name.
#ifndef REHOME_CHASHING_SHIM_H
#define REHOME_CHASHING_SHIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/// Whether the processor has the instructions: SHA, SSSE3 and SSE4.1.
static inline int rehome_has_sha256(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid_count(1, 0, &a, &b, &c, &d) || !(c >> 9 & 1) || !(c >> 19 & 1)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
}

/// The state as the instructions want it, ABEF and CDGH, and the blocks that it takes in.
struct rehome_sha256_lane {
  __m128i abef, cdgh, words[4];
  const uint8_t *bytes;
};

__attribute__((target("sha,sse4.1"))) static inline void rehome_sha256_load(
    struct rehome_sha256_lane *lane, const void *state, const uint8_t *bytes) {
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state + 1), 0x1b);
  lane->abef = _mm_alignr_epi8(low, high, 8);
  lane->cdgh = _mm_blend_epi16(high, low, 0xf0);
  lane->bytes = bytes;
}

__attribute__((target("sha,sse4.1"))) static inline void rehome_sha256_store(
    const struct rehome_sha256_lane *lane, void *state) {
  __m128i low = _mm_shuffle_epi32(lane->abef, 0x1b);
  __m128i high = _mm_shuffle_epi32(lane->cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)state + 1, _mm_alignr_epi8(high, low, 8));
}

/// Four of the 64 rounds of a block; `group` is a constant wherever this is unrolled.
__attribute__((target("sha,sse4.1"), always_inline)) static inline void rehome_sha256_rounds(
    struct rehome_sha256_lane *lane, int group, const uint32_t *constants) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i *words = lane->words, *next = &words[group & 3];
  if (group < 4) {
    *next = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)lane->bytes + group), swap);
  } else {
    __m128i last = words[(group + 3) & 3];
    __m128i sum = _mm_sha256msg1_epu32(*next, words[(group + 1) & 3]);
    sum = _mm_add_epi32(sum, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
    *next = _mm_sha256msg2_epu32(sum, last);
  }
  __m128i input = _mm_add_epi32(*next, _mm_loadu_si128((const __m128i *)constants + group));
  lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, input);
  lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, _mm_shuffle_epi32(input, 0x0e));
}

/// Takes blocks of 64 bytes into the state a…h; `constants` are the 64 of the standard.
__attribute__((target("sha,sse4.1"))) static inline void rehome_sha256_blocks(
    void *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
  struct rehome_sha256_lane lane;
  rehome_sha256_load(&lane, state, bytes);
  for (; blocks > 0; blocks--, lane.bytes += 64) {
    const __m128i abef = lane.abef, cdgh = lane.cdgh;
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) rehome_sha256_rounds(&lane, group, constants);
    lane.abef = _mm_add_epi32(lane.abef, abef);
    lane.cdgh = _mm_add_epi32(lane.cdgh, cdgh);
  }
  rehome_sha256_store(&lane, state);
}

/// As `rehome_sha256_blocks` for two messages at once: each waits less for its own results.
__attribute__((target("sha,sse4.1"))) static inline void rehome_sha256_block_pairs(
    void *first_state, const uint8_t *first, void *second_state, const uint8_t *second,
    size_t blocks, const uint32_t *constants) {
  struct rehome_sha256_lane one, two;
  rehome_sha256_load(&one, first_state, first);
  rehome_sha256_load(&two, second_state, second);
  for (; blocks > 0; blocks--, one.bytes += 64, two.bytes += 64) {
    const __m128i abef1 = one.abef, cdgh1 = one.cdgh, abef2 = two.abef, cdgh2 = two.cdgh;
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      rehome_sha256_rounds(&one, group, constants);
      rehome_sha256_rounds(&two, group, constants);
    }
    one.abef = _mm_add_epi32(one.abef, abef1);
    one.cdgh = _mm_add_epi32(one.cdgh, cdgh1);
    two.abef = _mm_add_epi32(two.abef, abef2);
    two.cdgh = _mm_add_epi32(two.cdgh, cdgh2);
  }
  rehome_sha256_store(&one, first_state);
  rehome_sha256_store(&two, second_state);
}

/// Whether the processor, and the system on it, have what works on sixteen words at once: AVX-512 F
/// and BW, of which all registers are kept for each thread.
static inline int rehome_has_sha256_lanes(void) {
  unsigned a, b, c, d, kept, rest;
  if (!__get_cpuid_count(1, 0, &a, &b, &c, &d) || !(c >> 27 & 1)) return 0;
  __asm__("xgetbv" : "=a"(kept), "=d"(rest) : "c"(0));
  if ((kept & 0xe6) != 0xe6) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 16 & 1) && (b >> 30 & 1);
}

#define REHOME_LANES __attribute__((target("avx512f,avx512bw"), always_inline)) static inline

/// One word of each of sixteen messages in a register: the state, and the words of a block.
struct rehome_sha256_lanes {
  __m512i a, b, c, d, e, f, g, h, words[16];
};

/// Turns sixteen rows of sixteen words into as many columns.
REHOME_LANES void rehome_transpose(__m512i rows[16]) {
  __m512i half[16];
  for (int i = 0; i < 16; i += 2) {
    half[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
    half[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    rows[i] = _mm512_unpacklo_epi64(half[i], half[i + 2]);
    rows[i + 1] = _mm512_unpackhi_epi64(half[i], half[i + 2]);
    rows[i + 2] = _mm512_unpacklo_epi64(half[i + 1], half[i + 3]);
    rows[i + 3] = _mm512_unpackhi_epi64(half[i + 1], half[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    half[i] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0x88);
    half[i + 4] = _mm512_shuffle_i32x4(rows[i], rows[i + 4], 0xdd);
    half[i + 8] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0x88);
    half[i + 12] = _mm512_shuffle_i32x4(rows[i + 8], rows[i + 12], 0xdd);
  }
  for (int i = 0; i < 8; i++) {
    rows[i] = _mm512_shuffle_i32x4(half[i], half[i + 8], 0x88);
    rows[i + 8] = _mm512_shuffle_i32x4(half[i], half[i + 8], 0xdd);
  }
}

/// Reads a block of each of sixteen messages, which begin at these places.
REHOME_LANES void rehome_sha256_read(
    struct rehome_sha256_lanes *lanes, const uint8_t *bytes, const size_t *places) {
  const __m512i swap =
      _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL));
  for (int lane = 0; lane < 16; lane++)
    lanes->words[lane] = _mm512_shuffle_epi8(_mm512_loadu_si512(bytes + places[lane]), swap);
  rehome_transpose(lanes->words);
}

/// The sum modulo two of three words, and of one that is rotated and shifted.
#define REHOME_XOR(x, y, z) _mm512_ternarylogic_epi32(x, y, z, 0x96)
#define REHOME_TURN(x, i, j, k) \
  REHOME_XOR(_mm512_ror_epi32(x, i), _mm512_ror_epi32(x, j), _mm512_ror_epi32(x, k))
#define REHOME_MIX(x, i, j, k) \
  REHOME_XOR(_mm512_ror_epi32(x, i), _mm512_ror_epi32(x, j), _mm512_srli_epi32(x, k))

/// One of the 64 rounds of a block, after which the state has moved on by a word.
REHOME_LANES void rehome_sha256_round(
    struct rehome_sha256_lanes *lanes, int round, const uint32_t *constants) {
  __m512i *words = lanes->words, *word = &words[round & 15];
  if (round >= 16) {
    __m512i near = words[(round + 1) & 15], far = words[(round + 14) & 15];
    __m512i sum = _mm512_add_epi32(*word, words[(round + 9) & 15]);
    sum = _mm512_add_epi32(sum, REHOME_MIX(near, 7, 18, 3));
    *word = _mm512_add_epi32(sum, REHOME_MIX(far, 17, 19, 10));
  }
  __m512i choice = _mm512_ternarylogic_epi32(lanes->e, lanes->f, lanes->g, 0xca);
  __m512i majority = _mm512_ternarylogic_epi32(lanes->a, lanes->b, lanes->c, 0xe8);
  __m512i input = _mm512_add_epi32(*word, _mm512_set1_epi32((int)constants[round]));
  __m512i first = _mm512_add_epi32(_mm512_add_epi32(lanes->h, input), choice);
  first = _mm512_add_epi32(first, REHOME_TURN(lanes->e, 6, 11, 25));
  __m512i second = _mm512_add_epi32(REHOME_TURN(lanes->a, 2, 13, 22), majority);
  lanes->h = lanes->g, lanes->g = lanes->f, lanes->f = lanes->e;
  lanes->e = _mm512_add_epi32(lanes->d, first);
  lanes->d = lanes->c, lanes->c = lanes->b, lanes->b = lanes->a;
  lanes->a = _mm512_add_epi32(first, second);
}

#define REHOME_STATE(DO) \
  DO(a, 0) DO(b, 2) DO(c, 4) DO(d, 6) DO(e, 8) DO(f, 10) DO(g, 12) DO(h, 14)

/// Takes as many blocks of each of 32 messages, which go on at `places` of the bytes, into their
/// states: all a one behind the other, then all b, and so on. Where there is a `start`, it is the
/// state of all messages before.
///
/// A round of sixteen messages waits for the one before, in which time those of sixteen others fit.
__attribute__((target("avx512f,avx512bw"), noinline)) static void rehome_sha256_many(
    uint32_t *states, const uint32_t *start, const uint8_t *bytes, const size_t *places,
    size_t blocks, const uint32_t *constants) {
  struct rehome_sha256_lanes one, two;
  __m512i state[16];
  for (int i = 0; i < 16; i++) {
    state[i] = start ? _mm512_set1_epi32((int)start[i / 2]) : _mm512_loadu_si512(states + 16 * i);
  }
  for (; blocks > 0; blocks--, bytes += 64) {
    rehome_sha256_read(&one, bytes, places);
    rehome_sha256_read(&two, bytes, places + 16);
#define REHOME_BEGIN(word, i) one.word = state[i], two.word = state[i + 1];
    REHOME_STATE(REHOME_BEGIN)
#pragma clang loop unroll(full)
    for (int round = 0; round < 64; round++) {
      rehome_sha256_round(&one, round, constants);
      rehome_sha256_round(&two, round, constants);
    }
#define REHOME_END(word, i)                        \
  state[i] = _mm512_add_epi32(state[i], one.word); \
  state[i + 1] = _mm512_add_epi32(state[i + 1], two.word);
    REHOME_STATE(REHOME_END)
  }
  for (int i = 0; i < 16; i++) _mm512_storeu_si512(states + 16 * i, state[i]);
}

#undef REHOME_BEGIN
#undef REHOME_END
#undef REHOME_STATE
#undef REHOME_LANES
#undef REHOME_XOR
#undef REHOME_TURN
#undef REHOME_MIX
#else
/// No such instructions are known for this kind of processor.
static inline int rehome_has_sha256(void) { return 0; }

/// No such instructions are known for this kind of processor.
static inline int rehome_has_sha256_lanes(void) { return 0; }

/// Never called where there are no such instructions.
static inline void rehome_sha256_many(
    uint32_t *states, const uint32_t *start, const uint8_t *bytes, const size_t *places,
    size_t blocks, const uint32_t *constants) {
  (void)states, (void)start, (void)bytes, (void)places, (void)blocks, (void)constants;
}

/// Never called where there are no such instructions.
static inline void rehome_sha256_blocks(
    void *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
  (void)state, (void)bytes, (void)blocks, (void)constants;
}

/// Never called where there are no such instructions.
static inline void rehome_sha256_block_pairs(
    void *first_state, const uint8_t *first, void *second_state, const uint8_t *second,
    size_t blocks, const uint32_t *constants) {
  (void)first_state, (void)first, (void)second_state, (void)second;
  (void)blocks, (void)constants;
}
#endif

#endif
