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

/// Takes blocks of 64 bytes into the state a…h; `constants` are the 64 of the standard.
__attribute__((target("sha,sse4.1"))) static inline void rehome_sha256_blocks(
    void *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  // The instructions want the words as ABEF and CDGH.
  __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(low, high, 8);
  __m128i cdgh = _mm_blend_epi16(high, low, 0xf0);
  for (; blocks > 0; blocks--, bytes += 64) {
    const __m128i abefBefore = abef, cdghBefore = cdgh;
    __m128i words[4];
#pragma clang loop unroll(full)
    for (int group = 0; group < 16; group++) {
      __m128i *next = &words[group & 3];
      if (group < 4) {
        *next = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)bytes + group), swap);
      } else {
        __m128i last = words[(group + 3) & 3];
        __m128i sum = _mm_sha256msg1_epu32(*next, words[(group + 1) & 3]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
        *next = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i input =
          _mm_add_epi32(*next, _mm_loadu_si128((const __m128i *)constants + group));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, input);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(input, 0x0e));
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  low = _mm_shuffle_epi32(abef, 0x1b);
  high = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xf0));
  _mm_storeu_si128((__m128i *)state + 1, _mm_alignr_epi8(high, low, 8));
}
#else
/// No such instructions are known for this kind of processor.
static inline int rehome_has_sha256(void) { return 0; }

/// Never called where there are no such instructions.
static inline void rehome_sha256_blocks(
    void *state, const uint8_t *bytes, size_t blocks, const uint32_t *constants) {
  (void)state, (void)bytes, (void)blocks, (void)constants;
}
#endif

#endif
