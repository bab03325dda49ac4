/**
 * Emits a WebAssembly module that searches a nonce: the hash function for one seed, unrolled, and the loop around it. Runs
 * in browsers, where compiled programs are some ten times as fast as interpreted ones.
 *
 * The emitted module imports nothing and exports
 *   hash(nonce: i64): i64
 *   search(index: i32, start: i32, tries: i32, target: i32): f64
 * `search` returns the first of `tries` nonces from `start` (uint32, wrapping) for which the upper half of the hash of
 * index · 2^32 + nonce is below `target`, or −1. At least one nonce is tried.
 */
import { emitHash } from './hashBody.ts'
import { CHALLENGE, SEED } from './layout.ts'
import { makePrograms } from './programs.ts'
import { digestChallenge } from './sha256.ts'
import { byte, closeSized, hex, openSized, position, restart } from './writer.ts'

const CODE_SECTION: u32 = 10

/** The program whose module was emitted last. */
let emitted: i64 = -1

/**
 * Emits the module for puzzle `index` of the challenge whose seed is at address 0, as eight words. Returns the address of its
 * end; it begins at OUTPUT. Returns 0 if the module of the previous call has the same program.
 */
export function emit(index: u32, target: u32, span: u32): usize {
  const program = (((<u64>index) << 32) / target / span) as i64
  if (program === emitted) return 0
  emitted = program
  store<u32>(CHALLENGE, <u32>program, 32)
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
  return position()
}

function emitHeader(): void {
  hex('0061736d01000000')
  // types: (i64) → i64 and (i32, i32, i32, i32) → f64
  hex('010e0260017e017e60047f7f7f7f017c')
  // a function of each, one page of memory, and the exports `hash` and `search`
  hex('0303020001')
  hex('0503010001')
  hex('07110204686173680000067365617263680001')
}

/** The hash is a function of its own, because V8 replaces baseline code by optimised code only when a function is entered. */
function emitSearch(): void {
  hex('00')
  // loop: if hash(index << 32 | start) >> 32 < target, return start as unsigned
  hex('0340')
  hex('2000ad4220862001ad841000')
  hex('422088a7200349')
  hex('04402001b80f0b')
  // start += 1; tries -= 1; if there is one left, loop
  hex('200141016a2101')
  hex('200241016b22020d000b')
  // return -1
  hex('417fb70b')
}
