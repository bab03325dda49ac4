/**
 * The interpreter, with which the service checks solutions: it computes a few hashes per program, for which compiling the
 * program would cost far more.
 */
import { applyRounds, copyWords, refresh, start } from './generator.ts'
import { PAD, PROGRAMS, REGISTERS, SEED, STATE } from './layout.ts'
import { makePrograms, PROGRAM_COUNT, PROGRAM_SIZE, RMCG } from './programs.ts'

/** Jumps back to the start of a program, per phase. */
const ALLOWANCE: i32 = 32
/** Selects a word of the scratchpad from the low bits of an address. */
const PAD_MASK: u32 = 2040

/** Makes the programs of the 32 bytes at SEED. */
export function prepare(): void {
  makePrograms()
}

/** The upper half of the hash of the nonce `high` · 2^32 + `low`, as an unsigned number. */
export function hashWord(high: u32, low: u32): u32 {
  return <u32>(hash(((<u64>high) << 32) | low) >> 32)
}

/** The hash of a nonce with the prepared programs. At most 64 passes per phase, whatever the nonce. */
export function hash(nonce: u64): u64 {
  const k0 = load<u64>(SEED, 16)
  const k1 = load<u64>(SEED, 24)
  start(STATE, k0, k1, nonce)
  copyWords(STATE, REGISTERS)
  refresh(STATE, k0, k1)
  copyWords(STATE, REGISTERS + 32)
  store<u64>(REGISTERS, (load<u64>(REGISTERS, 32) & ~7) | 3, 64)
  store<u64>(REGISTERS, (load<u64>(REGISTERS, 56) & ~7) | 5, 72)
  runPhase(false)
  runPhase(true)
  applyRounds(REGISTERS, 1)
  applyRounds(REGISTERS + 32, 1)
  return load<u64>(REGISTERS, 24) ^ load<u64>(REGISTERS, 56) ^ load<u64>(REGISTERS, 72)
}

/** The first phase reads registers and fills the scratchpad from its end; the second reads the scratchpad. */
function runPhase(fromPad: bool): void {
  let left = ALLOWANCE
  for (let p = 0; p < PROGRAM_COUNT; p++) {
    const program = PROGRAMS + p * PROGRAM_SIZE
    const branch = program + 28
    for (let at = program; at < program + PROGRAM_SIZE; at += 4) {
      if (at === branch && left > 0 && !(load<u64>(register(program, 1)) & 32)) {
        left -= 1
        at = program
      }
      // called from one place, so that the compiler inlines it
      execute(at, fromPad)
    }
    if (fromPad) continue
    const last = PAD + 2040 - p * 64
    for (let r: usize = 0; r < 64; r += 8) store<u64>(last - r, load<u64>(REGISTERS + r))
  }
}

/** The address of the register named by a byte of an instruction. */
function register(instruction: usize, at: usize): usize {
  return REGISTERS + ((<usize>load<u8>(instruction + at)) << 3)
}

function execute(instruction: usize, fromPad: bool): void {
  const code: i32 = load<u8>(instruction)
  const to = register(instruction, 1)
  const n: u64 = load<u8>(instruction, 3)
  const d = load<u64>(to)
  const named = load<u64>(register(instruction, 2))
  const s = fromPad && code !== RMCG ? load<u64>(PAD + (<u32>named & PAD_MASK)) : named
  let result: u64
  switch (code) {
    case 0:
      result = (d | n) * s
      break
    case 1:
      result = (d ^ n) * s
      break
    case 2:
      result = (d + n) * s
      break
    case 3:
      result = rotr(d * s, n)
      break
    case 4:
      result = rotr(d, n) ^ s
      break
    case 5:
      result = rotr(d, n) + s
      break
    case 6:
      result = rotr(d, n) - s
      break
    case 7:
      result = <u64>(<i64>d >> n) ^ s
      break
    case 8:
      result = <u64>(<i64>d >> n) + s
      break
    case 9:
      result = <u64>(<i64>d >> n) - s
      break
    case 10:
      result = (d >> n) ^ s
      break
    case 11:
      result = (d >> n) + s
      break
    default:
      result = (d >> n) - s
  }
  store<u64>(to, result)
}
