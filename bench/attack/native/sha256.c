// Single-thread rate, per second of CPU, of SHA-256 as pow-sha256 uses it, with the processor's SHA instructions, four nonces interleaved.
//   gcc -O3 -march=native -funroll-loops sha256.c && ./a.out [seconds]
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LANES 4

static const uint32_t K[64] __attribute__((aligned(16))) = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
  0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
  0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
  0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
  0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
  0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t INITIAL[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The first word of the digests of one block for LANES nonces; `block` has 16 words, of which the sixth is the nonce.
static void digest_words(const uint32_t *block, uint32_t nonce, uint32_t *out) {
  __m128i w[LANES][16], abef[LANES], cdgh[LANES];
  const __m128i abef0 = _mm_set_epi32(INITIAL[0], INITIAL[1], INITIAL[4], INITIAL[5]);
  const __m128i cdgh0 = _mm_set_epi32(INITIAL[2], INITIAL[3], INITIAL[6], INITIAL[7]);
  for (int lane = 0; lane < LANES; lane++) {
    for (int i = 0; i < 4; i++) w[lane][i] = _mm_loadu_si128((const __m128i *)(block + 4 * i));
    w[lane][1] = _mm_insert_epi32(w[lane][1], (int)(nonce + lane), 1);
    abef[lane] = abef0;
    cdgh[lane] = cdgh0;
  }
  for (int i = 0; i < 16; i++) {
    const __m128i k = _mm_load_si128((const __m128i *)(K + 4 * i));
    for (int lane = 0; lane < LANES; lane++) {
      __m128i *m = w[lane];
      if (i >= 4) {
        const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(m[i - 4], m[i - 3]), _mm_alignr_epi8(m[i - 1], m[i - 2], 4));
        m[i] = _mm_sha256msg2_epu32(sum, m[i - 1]);
      }
      const __m128i t = _mm_add_epi32(m[i], k);
      cdgh[lane] = _mm_sha256rnds2_epu32(cdgh[lane], abef[lane], t);
      abef[lane] = _mm_sha256rnds2_epu32(abef[lane], cdgh[lane], _mm_shuffle_epi32(t, 0x0e));
    }
  }
  for (int lane = 0; lane < LANES; lane++) out[lane] = INITIAL[0] + (uint32_t)_mm_extract_epi32(abef[lane], 3);
}

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 1;
  // SHA-256 of 24 zero bytes begins with 9d908ecf
  uint32_t block[16] = {0}, out[LANES], found = 0;
  block[6] = 0x80000000;
  block[15] = 24 * 8;
  digest_words(block, 0, out);
  if (out[0] != 0x9d908ecf) return fprintf(stderr, "wrong digest: %08x\n", out[0]), 1;
  struct timespec begun, now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
  uint64_t tried = 0;
  double took;
  do {
    for (int i = 0; i < 100000; i++, tried += LANES) {
      digest_words(block, (uint32_t)tried, out);
      for (int lane = 0; lane < LANES; lane++) found += out[lane] < 16;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    took = (double)(now.tv_sec - begun.tv_sec) + (double)(now.tv_nsec - begun.tv_nsec) / 1e9;
  } while (took < seconds);
  printf("%.3f %u\n", (double)tried / took / 1e6, found);
}
