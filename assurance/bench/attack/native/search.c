/*
 * How fast an attacker searches Tollgate's proof of work (pow-sha256) without a browser. A message is one block whose sixth
 * word is the nonce, so everything that does not depend on the nonce is computed once per puzzle.
 *
 *   search engines                                   the engines that this CPU can run, one a line
 *   search rate ENGINE THREADS MILLISECONDS          hashes per second of all threads together: of elapsed time, and of CPU
 *                                                    time times THREADS, which other load on the machine does not change
 *   search solve ENGINE SEED COUNT TARGET            the nonces of a challenge, as big-endian hex (SEED: 32 hex digits)
 *
 * cc -O3 -pthread -o search search.c
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NONCE 5        /* the message word that holds the nonce */
#define FIRST 20       /* the first computed message word that depends on it */
#define ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define LIKELY_RARE(x) __builtin_expect(!!(x), 0)

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t H[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

/* A puzzle, prepared. */
typedef struct {
  uint32_t words[16];   /* the message; words[NONCE] is 0 */
  uint32_t known[64];   /* the sum of a message word's terms that do not depend on the nonce */
  uint32_t added[64];   /* rounds NONCE + 1 to FIRST - 1: the round's constant and its message word */
  uint32_t state[8];    /* the registers before round NONCE */
  uint32_t four[8];     /* the registers before round 4, where the SHA instructions begin */
  uint32_t target;
} job_t;

/* Tries `count` nonces, a multiple of 64, from `from` on. Returns 1 and the first that solves, or 0. */
typedef int search_t(const job_t *job, uint32_t from, uint32_t count, uint32_t *found);

static uint32_t sigma0(uint32_t x) { return ROTR(x, 7) ^ ROTR(x, 18) ^ x >> 3; }
static uint32_t sigma1(uint32_t x) { return ROTR(x, 17) ^ ROTR(x, 19) ^ x >> 10; }

static void one_round(uint32_t s[8], uint32_t added) {
  uint32_t t1 = s[7] + (ROTR(s[4], 6) ^ ROTR(s[4], 11) ^ ROTR(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + added;
  uint32_t t2 = (ROTR(s[0], 2) ^ ROTR(s[0], 13) ^ ROTR(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
  memmove(s + 1, s, 7 * sizeof *s);
  s[4] += t1;
  s[0] = t1 + t2;
}

static void prepare(job_t *job, const uint32_t seed[4], uint32_t index, uint32_t target) {
  memset(job, 0, sizeof *job);
  memcpy(job->words, seed, 16);
  job->words[4] = index;
  job->words[6] = 0x80000000;
  job->words[15] = 24 * 8;
  job->target = target;
  memcpy(job->known, job->words, sizeof job->words);
  for (int t = 16; t < 64; t++) {
    /* words from FIRST on depend on the nonce, and so does the nonce itself: they count as 0 here */
#define CONSTANT(i) ((i) < FIRST && (i) != NONCE ? job->known[i] : 0)
    uint32_t s1 = t - 2 < FIRST ? sigma1(CONSTANT(t - 2)) : 0;
    uint32_t s0 = t - 15 < FIRST ? sigma0(CONSTANT(t - 15)) : 0;
    job->known[t] = s1 + CONSTANT(t - 7) + s0 + CONSTANT(t - 16);
  }
  for (int t = NONCE + 1; t < FIRST; t++) job->added[t] = K[t] + job->known[t];
  memcpy(job->state, H, sizeof H);
  for (int t = 0; t < NONCE; t++) {
    if (t == 4) memcpy(job->four, job->state, sizeof job->four);
    one_round(job->state, K[t] + job->words[t]);
  }
}

/* The first word of the digest, by the textbook. */
static uint32_t first_word(const job_t *job, uint32_t nonce) {
  uint32_t w[64], s[8];
  memcpy(w, job->words, sizeof job->words);
  w[NONCE] = nonce;
  for (int t = 16; t < 64; t++) w[t] = sigma1(w[t - 2]) + w[t - 7] + sigma0(w[t - 15]) + w[t - 16];
  memcpy(s, H, sizeof s);
  for (int t = 0; t < 64; t++) one_round(s, K[t] + w[t]);
  return s[0] + H[0];
}

#define V uint32_t
#define LANES 1
#define NAME search_scalar
#define TARGET
#define SET1(x) ((uint32_t)(x))
#define COUNTING(x) ((uint32_t)(x))
#define ADD(a, b) ((a) + (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define ROR ROTR
#define SHR(a, n) ((a) >> (n))
#define CH(e, f, g) (((e) & ((f) ^ (g))) ^ (g))
#define MAJ(a, b, c) (((a) & (b)) | ((c) & ((a) | (b))))
#define BELOW(a, target) ((uint32_t)((a) < (target)))
#include "lanes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define V __m256i
#define LANES 8
#define NAME search_avx2
#define TARGET __attribute__((target("avx2")))
#define SET1(x) _mm256_set1_epi32((int)(x))
#define COUNTING(x) _mm256_add_epi32(SET1(x), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
#define ADD(a, b) _mm256_add_epi32(a, b)
#define XOR3(a, b, c) _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define ROR(a, n) _mm256_or_si256(_mm256_srli_epi32(a, n), _mm256_slli_epi32(a, 32 - (n)))
#define SHR(a, n) _mm256_srli_epi32(a, n)
#define CH(e, f, g) _mm256_xor_si256(_mm256_and_si256(e, _mm256_xor_si256(f, g)), g)
#define MAJ(a, b, c) _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(c, _mm256_or_si256(a, b)))
/* AVX2 compares signed words only */
#define SIGNED(a) _mm256_xor_si256(a, SET1(0x80000000))
#define BELOW(a, target) \
  (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(SIGNED(SET1(target)), SIGNED(a))))
#include "lanes.h"

#define V __m512i
#define LANES 16
#define NAME search_avx512
#define TARGET __attribute__((target("avx512f")))
#define SET1(x) _mm512_set1_epi32((int)(x))
#define COUNTING(x) _mm512_add_epi32(SET1(x), _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define ADD(a, b) _mm512_add_epi32(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define ROR(a, n) _mm512_ror_epi32(a, n)
#define SHR(a, n) _mm512_srli_epi32(a, n)
#define CH(e, f, g) _mm512_ternarylogic_epi32(e, f, g, 0xca)
#define MAJ(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0xe8)
#define BELOW(a, target) (uint32_t)_mm512_cmplt_epu32_mask(a, SET1(target))
#include "lanes.h"

#include "shani.h"

static int has_sha(void) {
  unsigned a, b, c, d;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
}
static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
static int has_avx512(void) { return __builtin_cpu_supports("avx512f"); }
#endif

static int always(void) { return 1; }
static const struct {
  const char *name;
  search_t *search;
  int (*supported)(void);
} ENGINES[] = {
    {"scalar", search_scalar, always},
#if defined(__x86_64__)
    {"sha-ni", search_shani, has_sha},
    {"avx2", search_avx2, has_avx2},
    {"avx512", search_avx512, has_avx512},
#endif
};
#define ENGINE_COUNT (sizeof ENGINES / sizeof *ENGINES)

static search_t *engine_of(const char *name) {
  for (size_t i = 0; i < ENGINE_COUNT; i++)
    if (strcmp(ENGINES[i].name, name) == 0 && ENGINES[i].supported()) return ENGINES[i].search;
  fprintf(stderr, "no engine \"%s\" on this CPU\n", name);
  exit(2);
}

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

typedef struct {
  search_t *search;
  uint32_t index;
  double until;
  double hashes;
  double cpu; /* seconds */
} worker_t;

#define CHUNK (1u << 16)

static void *work(void *argument) {
  worker_t *worker = argument;
  job_t job;
  prepare(&job, (const uint32_t[4]){1, 2, 3, 4}, worker->index, 0); /* nothing is below 0: it never ends early */
  uint32_t from = 0, found;
  double begun = seconds(CLOCK_THREAD_CPUTIME_ID);
  while (seconds(CLOCK_MONOTONIC) < worker->until) {
    worker->search(&job, from, CHUNK, &found);
    from += CHUNK;
    worker->hashes += CHUNK;
  }
  worker->cpu = seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
  return NULL;
}

static int rate(search_t *search, int threads, double milliseconds) {
  pthread_t ids[256];
  worker_t workers[256];
  if (threads < 1 || threads > 256) return 2;
  double begun = seconds(CLOCK_MONOTONIC);
  for (int i = 0; i < threads; i++) {
    workers[i] = (worker_t){search, (uint32_t)i, begun + milliseconds / 1000, 0, 0};
    if (pthread_create(&ids[i], NULL, work, &workers[i])) return 1;
  }
  double hashes = 0, cpu = 0;
  for (int i = 0; i < threads; i++) {
    pthread_join(ids[i], NULL);
    hashes += workers[i].hashes;
    cpu += workers[i].cpu;
  }
  printf("%.0f %.0f\n", hashes / (seconds(CLOCK_MONOTONIC) - begun), hashes / cpu * threads);
  return 0;
}

static int solve(search_t *search, const char *hex, uint32_t count, uint32_t target) {
  uint32_t seed[4];
  if (sscanf(hex, "%8x%8x%8x%8x", &seed[0], &seed[1], &seed[2], &seed[3]) != 4) return 2;
  for (uint32_t index = 0; index < count; index++) {
    job_t job;
    uint32_t from = 0, nonce;
    prepare(&job, seed, index, target);
    while (!search(&job, from, CHUNK, &nonce)) from += CHUNK;
    printf("%08x", nonce);
  }
  printf("\n");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "engines") == 0) {
    for (size_t i = 0; i < ENGINE_COUNT; i++)
      if (ENGINES[i].supported()) printf("%s\n", ENGINES[i].name);
    return 0;
  }
  if (argc == 5 && strcmp(argv[1], "rate") == 0) return rate(engine_of(argv[2]), atoi(argv[3]), atof(argv[4]));
  if (argc == 6 && strcmp(argv[1], "solve") == 0)
    return solve(engine_of(argv[2]), argv[3], (uint32_t)atoi(argv[4]), (uint32_t)strtoul(argv[5], NULL, 10));
  fprintf(stderr, "usage: search engines | rate ENGINE THREADS MILLISECONDS | solve ENGINE SEED COUNT TARGET\n");
  return 2;
}
