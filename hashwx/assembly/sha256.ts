/**
 * SHA-256 of a challenge's seed and a program's index. Here because pages without HTTPS have no crypto.subtle, and in few
 * bytes rather than fast: it runs once per program.
 */
import { CHALLENGE, SCHEDULE } from './layout.ts'

/** A seed of 32 bytes and an index of 4. */
const MESSAGE_BITS: u32 = 36 * 8

/** Writes the digest of the nine words at CHALLENGE, in the order of SHA-256's bytes. */
export function digestChallenge(target: usize): void {
  for (let t: usize = 0; t < 64; t += 4) store<u32>(SCHEDULE + t, t < 36 ? load<u32>(CHALLENGE + t) : 0)
  store<u32>(SCHEDULE, 0x80000000, 36)
  store<u32>(SCHEDULE, MESSAGE_BITS, 60)
  for (let at = SCHEDULE; at < SCHEDULE + 48 * 4; at += 4) {
    const x = load<u32>(at, 56)
    const y = load<u32>(at, 4)
    const sigma1 = rotr(x, 17) ^ rotr(x, 19) ^ (x >> 10)
    const sigma0 = rotr(y, 7) ^ rotr(y, 18) ^ (y >> 3)
    store<u32>(at, sigma1 + load<u32>(at, 36) + sigma0 + load<u32>(at), 64)
  }
  compress(target)
}

/** The constants are, by FIPS 180-4, the first 32 bits of the fractional parts of roots of the first primes. */
function compress(target: usize): void {
  let prime: u32 = 1
  for (let i: usize = 0; i < 32; i += 4) {
    prime = nextPrime(prime)
    store<u32>(target + i, fraction(sqrt(<f64>prime)))
  }
  let a = load<u32>(target)
  let b = load<u32>(target, 4)
  let c = load<u32>(target, 8)
  let d = load<u32>(target, 12)
  let e = load<u32>(target, 16)
  let f = load<u32>(target, 20)
  let g = load<u32>(target, 24)
  let h = load<u32>(target, 28)
  prime = 1
  for (let t: usize = 0; t < 256; t += 4) {
    prime = nextPrime(prime)
    const sum1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)
    const x = h + sum1 + ((e & f) ^ (~e & g)) + fraction(cubeRoot(prime)) + load<u32>(SCHEDULE + t)
    const sum0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)
    const y = sum0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = d + x
    d = c
    c = b
    b = a
    a = x + y
  }
  addWord(target, a)
  addWord(target + 4, b)
  addWord(target + 8, c)
  addWord(target + 12, d)
  addWord(target + 16, e)
  addWord(target + 20, f)
  addWord(target + 24, g)
  addWord(target + 28, h)
}

function addWord(target: usize, value: u32): void {
  store<u32>(target, bswap(load<u32>(target) + value))
}

function nextPrime(n: u32): u32 {
  do n++
  while (!isPrime(n))
  return n
}

function isPrime(n: u32): bool {
  let divisor: u32 = 2
  while (n % divisor) divisor++
  return divisor === n
}

/** By Newton's method, to the last bits of an f64. */
function cubeRoot(n: f64): f64 {
  let root: f64 = 4
  for (let i = 0; i < 9; i++) root -= (root - n / (root * root)) / 3
  return root
}

function fraction(root: f64): u32 {
  return <u32>((root - floor(root)) * 4294967296.0)
}
