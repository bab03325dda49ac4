/**
 * Emits a WebAssembly module that searches a nonce: the hash function for one seed, unrolled, and the loop around it. Runs
 * in browsers, where compiled programs are some ten times as fast as interpreted ones.
 *
 * The emitted module imports nothing and exports
 *   hash(nonce: i64): i64
 *   search(index: i32, start: i32, tries: i32, target: i32): i32
 * `search` returns the distance from `start` to the first of `tries` nonces n (uint32, wrapping) for which the upper half of
 * the hash of index · 2^32 + n is below `target`, or −1. At least one nonce is tried.
 */
import { emitHash } from './hashBody.ts'
import { CHALLENGE, OUTPUT, SEED } from './layout.ts'
import { makePrograms } from './programs.ts'
import { digestChallenge } from './sha256.ts'
import { byte, closeSized, hex, openSized, restart, written } from './writer.ts'

const CODE_SECTION: u32 = 10

/** Where the challenge's seed of 32 bytes is written before `emit`. */
export function seedAddress(): usize {
  return CHALLENGE
}

/** Where the emitted module begins. */
export function moduleAddress(): usize {
  return OUTPUT
}

/** Emits the module of a challenge's program and returns its length in bytes. */
export function emit(program: u32): i32 {
  store<u32>(CHALLENGE, bswap(program), 32)
  digestChallenge(SEED)
  makePrograms()
  restart()
  emitHeader()
  byte(CODE_SECTION)
  const section = openSized()
  byte(2)
  const hash = openSized()
  emitHash()
  closeSized(hash)
  const search = openSized()
  emitSearch()
  closeSized(search)
  closeSized(section)
  return written()
}

function emitHeader(): void {
  hex('0061736d01000000')
  // types: (i64) → i64 and (i32, i32, i32, i32) → i32
  hex('010e0260017e017e60047f7f7f7f017f')
  // a function of each, one page of memory, and the exports `hash` and `search`
  hex('0303020001')
  hex('0503010001')
  hex('07110204686173680000067365617263680001')
}

/** The hash is a function of its own, because V8 replaces baseline code by optimised code only when a function is entered. */
function emitSearch(): void {
  // local 4 counts the tries
  hex('01017f')
  // loop: hash(index << 32 | start + tried)
  hex('0340')
  hex('2000ad422086200120046aad841000')
  // if hash >> 32 < target, return tried
  hex('422088a7200349044020040f0b')
  // tried += 1; if it is not tries yet, loop
  hex('200441016a22042002470d000b')
  // return -1
  hex('417f0b')
}
