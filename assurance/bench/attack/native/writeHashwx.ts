import type { Instance, Instruction } from '../../../../test/support/hashwx.ts'

/**
 * A C program with the hash function of one HashWX instance as straight-line code, as an attacker's compiler would make it.
 * It prints the hash of nonce 1, and with an argument its rate in MH per second of CPU over so many seconds.
 */
export function writeHashwx({ programs, key: [k0, k1] }: Instance): string {
  const phase = (operand: (from: number) => string, p: (program: Instruction[], i: number) => string[]) => [
    'left = 32;',
    ...programs.flatMap((program, i) => [
      'for (;;) {',
      ...program.slice(0, 7).map((each) => statement(each, operand)),
      `if (!left || r${program[0]?.to} & 32) break;`,
      'left--; }',
      ...program.slice(7).map((each) => statement(each, operand)),
      ...p(program, i),
    ]),
  ]
  const registers = Array.from({ length: 8 }, (_, i) => i)
  return [
    HEAD,
    `#define K0 ${k0}u`,
    `#define K1 ${k1}u`,
    'static u64 hash(u64 nonce) {',
    'u64 a = 0x736f6d6570736575 ^ K0, b = 0x646f72616e646f6d ^ K1, c = 0x6c7967656e657261 ^ K0, d = 0x7465646279746573 ^ K1;',
    'u64 pad[256]; int left;',
    'd ^= nonce; ROUND(a, b, c, d); a ^= nonce; c ^= 0xbb;',
    'for (int i = 0; i < 3; i++) ROUND(a, b, c, d);',
    'u64 r0 = d, r1 = c, r2 = b, r3 = a;',
    'a ^= K0; b ^= K1; c ^= K0; d ^= K1;',
    'for (int i = 0; i < 4; i++) ROUND(a, b, c, d);',
    'u64 r4 = d, r5 = c, r6 = b, r7 = a, r8 = (r4 & ~7ull) | 3, r9 = (r7 & ~7ull) | 5;',
    ...phase(
      (from) => `r${from}`,
      (_, i) => registers.map((j) => `pad[${255 - 8 * i - j}] = r${j};`),
    ),
    ...phase(
      (from) => `pad[r${from} >> 3 & 255]`,
      () => [],
    ),
    'ROUND(r0, r1, r2, r3); ROUND(r4, r5, r6, r7);',
    'return r3 ^ r7 ^ r9; }',
    MAIN,
  ].join('\n')
}

function statement({ code, to, from, n }: Instruction, operand: (from: number) => string): string {
  const d = `r${to}`
  if (code === 3) return `${d} = ROTR(${d} * r${from}, ${n});`
  const s = operand(from)
  if (code < 3) return `${d} = (${d} ${['|', '^', '+'][code]} ${n}) * ${s};`
  const shifted = [`ROTR(${d}, ${n})`, `(u64)((int64_t)${d} >> ${n})`, `(${d} >> ${n})`][Math.floor((code - 4) / 3)]
  return `${d} = ${shifted} ${['^', '+', '-'][(code - 4) % 3]} ${s};`
}

const HEAD = `
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
typedef uint64_t u64;
#define ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define ROTL(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define ROUND(a, b, c, d) do { \\
  a += b; b = ROTL(b, 13) ^ a; c += d; d = ROTL(d, 16) ^ c; a = ROTL(a, 32); \\
  c += b; b = ROTL(b, 17) ^ c; a += d; d = ROTL(d, 21) ^ a; c = ROTL(c, 32); } while (0)`

const MAIN = `
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
int main(int argc, char **argv) {
  if (argc < 2) return printf("%016llx\\n", (unsigned long long)hash(1)), 0;
  double seconds = atof(argv[1]), begun = cpu(), took;
  u64 tried = 0, found = 0;
  do {
    for (int i = 0; i < 10000; i++) found += hash(tried++) >> 32 < 16;
    took = cpu() - begun;
  } while (took < seconds);
  printf("%.3f %llu\\n", (double)tried / took / 1e6, (unsigned long long)found);
}`
