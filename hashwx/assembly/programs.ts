/** Makes the 32 programs of a seed. */
import { copyWords, refresh, start } from './generator.ts'
import { DESTINATIONS, ORDERS, PROGRAMS, SEED, STATE, WORDS } from './layout.ts'

export const PROGRAM_COUNT: i32 = 32
export const SLOTS: i32 = 8
/** Bytes of a program. */
export const PROGRAM_SIZE: i32 = 32
/** Codes below are multiplications with a constant, codes above mix. */
export const RMCG: i32 = 3

/** The digits allowed at each position of an order of sources: 8 bits per position, the first position lowest. */
const ALLOWED: u64 = 0x05abcaeaf2fafcd5

/** Writes the programs of the words at SEED. */
export function makePrograms(): void {
  if (load<u32>(ORDERS) === 0) listOrders(0, 0, 0, 0)
  const k0 = load<u64>(SEED)
  const k1 = load<u64>(SEED, 8)
  start(STATE, k0, k1, u64.MAX_VALUE)
  for (let p = 0; p < PROGRAM_COUNT; p++) {
    for (let block = 0; block < 4; block++) {
      if (p + block > 0) refresh(STATE, k0, k1)
      copyWords(STATE, WORDS + block * 32)
    }
    makeProgram(PROGRAMS + p * PROGRAM_SIZE)
  }
}

/** Lists the permutations of 0…7 with allowed digits in ascending order, from `listed` on; returns how many there are then. */
function listOrders(position: i32, used: u32, order: u32, listed: i32): i32 {
  if (position === SLOTS) {
    store<u32>(ORDERS + (listed << 2), order)
    return listed + 1
  }
  for (let digit = 0; digit < SLOTS; digit++) {
    const bit = 1 << digit
    if (used & bit || !(<u32>(ALLOWED >> (position * 8)) & bit)) continue
    listed = listOrders(position + 1, used | bit, order | (digit << (position * 3)), listed)
  }
  return listed
}

/** Writes a program from the 16 words at WORDS. */
function makeProgram(program: usize): void {
  store<u8>(DESTINATIONS, 0)
  for (let i = 1; i < SLOTS; i++) {
    const j = load<u32>(WORDS + (i - 1) * 8, 4) % (i + 1)
    // if j is i, the second store overwrites the first
    store<u8>(DESTINATIONS + i, load<u8>(DESTINATIONS + j))
    store<u8>(DESTINATIONS + j, i)
  }
  const choice = load<u64>(WORDS, 56)
  const order = load<u32>(ORDERS + ((<usize>(choice % 625)) << 2))
  for (let slot = 0; slot < SLOTS; slot++) {
    const instruction = program + slot * 4
    const code = codeOf(slot)
    const source = slot === 0 ? 8 + <u8>(choice & 1) : load<u8>(DESTINATIONS + ((order >> (slot * 3)) & 7))
    store<u8>(instruction, code)
    store<u8>(instruction, load<u8>(DESTINATIONS + slot), 1)
    store<u8>(instruction, source, 2)
    store<u8>(instruction, constantOf(code, load<u64>(WORDS + slot * 8, 64)), 3)
  }
}

function codeOf(slot: i32): i32 {
  if (slot === 0) return RMCG
  const low = load<u32>(WORDS + (slot - 1) * 8)
  return slot & 1 ? 4 + (low % 9) : low % 3
}

function constantOf(code: i32, word: u64): i32 {
  // 1, 9 or 33
  if (code < RMCG) return <i32>((0x210901 >> (<u32>(word % 3) * 8)) & 0xff)
  return 1 + <i32>(word % (code < 7 ? 63 : 3))
}
