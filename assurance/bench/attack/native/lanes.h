/* A search of LANES nonces at the same time, for the operations that the including file defines. It undefines them. */

#define SUM0(a) XOR3(ROR(a, 2), ROR(a, 13), ROR(a, 22))
#define SUM1(e) XOR3(ROR(e, 6), ROR(e, 11), ROR(e, 25))
#define SMALL0(x) XOR3(ROR(x, 7), ROR(x, 18), SHR(x, 3))
#define SMALL1(x) XOR3(ROR(x, 17), ROR(x, 19), SHR(x, 10))

TARGET static int NAME(const job_t *job, uint32_t from, uint32_t count, uint32_t *found) {
  const uint32_t goal = job->target;
  for (uint32_t done = 0; done < count; done += LANES) {
    V w[64];
    V a = SET1(job->state[0]), b = SET1(job->state[1]), c = SET1(job->state[2]), d = SET1(job->state[3]);
    V e = SET1(job->state[4]), f = SET1(job->state[5]), g = SET1(job->state[6]), h = SET1(job->state[7]);
    w[NONCE] = COUNTING(from + done);
#pragma GCC unroll 64
    for (int t = NONCE; t < 64; t++) {
      V added;
      if (t == NONCE) added = ADD(w[t], SET1(K[t]));
      else if (t < FIRST) added = SET1(job->added[t]);
      else {
        V x = SET1(0);
        if (t < FIRST + 16) x = SET1(job->known[t]);
        if (t - 2 >= FIRST) x = ADD(x, SMALL1(w[t - 2]));
        if (t - 7 >= FIRST) x = ADD(x, w[t - 7]);
        if (t - 15 >= FIRST || t - 15 == NONCE) x = ADD(x, SMALL0(w[t - 15]));
        if (t - 16 >= FIRST || t - 16 == NONCE) x = ADD(x, w[t - 16]);
        w[t] = x;
        added = ADD(x, SET1(K[t]));
      }
      V t1 = ADD(ADD(h, added), ADD(SUM1(e), CH(e, f, g)));
      V t2 = ADD(SUM0(a), MAJ(a, b, c));
      h = g;
      g = f;
      f = e;
      e = ADD(d, t1);
      d = c;
      c = b;
      b = a;
      a = ADD(t1, t2);
    }
    uint32_t hits = BELOW(ADD(a, SET1(H[0])), goal);
    if (LIKELY_RARE(hits)) {
      uint32_t nonce = from + done + (uint32_t)__builtin_ctz(hits);
      /* the textbook has the last word, so that a wrong engine cannot report a rate */
      if (first_word(job, nonce) >= goal) abort();
      *found = nonce;
      return 1;
    }
  }
  return 0;
}

#undef SUM0
#undef SUM1
#undef SMALL0
#undef SMALL1
#undef V
#undef LANES
#undef NAME
#undef TARGET
#undef SET1
#undef COUNTING
#undef ADD
#undef XOR3
#undef ROR
#undef SHR
#undef CH
#undef MAJ
#undef BELOW
