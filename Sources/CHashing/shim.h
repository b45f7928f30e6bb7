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
#else
/// No such instructions are known for this kind of processor.
static inline int rehome_has_sha256(void) { return 0; }

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
