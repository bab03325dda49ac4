/* The search with the SHA instructions, STREAMS nonces interleaved, because each instruction waits for the one before. */

#define STREAMS 4

__attribute__((target("sha,sse4.1,ssse3"))) static int search_shani(const job_t *job, uint32_t from, uint32_t count,
                                                              uint32_t *found) {
  const uint32_t *s = job->four;
  const uint32_t *m = job->words;
  const __m128i abef = _mm_setr_epi32((int)s[5], (int)s[4], (int)s[1], (int)s[0]);
  const __m128i cdgh = _mm_setr_epi32((int)s[7], (int)s[6], (int)s[3], (int)s[2]);
  for (uint32_t done = 0; done < count; done += STREAMS) {
    __m128i x[STREAMS], y[STREAMS], w[STREAMS][16];
#pragma GCC unroll 4
    for (int i = 0; i < STREAMS; i++) {
      x[i] = abef;
      y[i] = cdgh;
      for (int q = 0; q < 4; q++)
        w[i][q] = _mm_setr_epi32((int)m[4 * q], (int)(q == 1 ? from + done + (uint32_t)i : m[4 * q + 1]), (int)m[4 * q + 2],
                                 (int)m[4 * q + 3]);
    }
#pragma GCC unroll 16
    for (int q = 1; q < 16; q++) {
      const __m128i k = _mm_loadu_si128((const __m128i *)(K + 4 * q));
#pragma GCC unroll 4
      for (int i = 0; i < STREAMS; i++) {
        if (q >= 4)
          w[i][q] = _mm_sha256msg2_epu32(
              _mm_add_epi32(_mm_sha256msg1_epu32(w[i][q - 4], w[i][q - 3]), _mm_alignr_epi8(w[i][q - 1], w[i][q - 2], 4)),
              w[i][q - 1]);
        const __m128i added = _mm_add_epi32(w[i][q], k);
        y[i] = _mm_sha256rnds2_epu32(y[i], x[i], added);
        x[i] = _mm_sha256rnds2_epu32(x[i], y[i], _mm_shuffle_epi32(added, 0x0e));
      }
    }
    for (int i = 0; i < STREAMS; i++) {
      if (LIKELY_RARE((uint32_t)_mm_extract_epi32(x[i], 3) + H[0] < job->target)) {
        *found = from + done + (uint32_t)i;
        if (first_word(job, *found) >= job->target) abort();
        return 1;
      }
    }
  }
  return 0;
}
