/** Emits the body of the hash function, unrolled: 32 programs in two phases, and nothing that depends on a table. */
import { PROGRAMS, SEED } from './layout.ts'
import { PROGRAM_COUNT, PROGRAM_SIZE, RMCG } from './programs.ts'
import {
  access,
  BR_IF,
  byte,
  END,
  get,
  hex,
  I32_AND,
  I32_NE,
  I32_SUB,
  I32_WRAP_I64,
  I64_ADD,
  I64_AND,
  I64_EQZ,
  I64_LOAD,
  I64_MUL,
  I64_OR,
  I64_ROTL,
  I64_ROTR,
  I64_SHR_S,
  I64_SHR_U,
  I64_STORE,
  I64_SUB,
  I64_XOR,
  int32,
  int64,
  LOOP,
  set,
  tee,
} from './writer.ts'

/** Locals: the nonce, ten registers, the generator's state, jumps left in the phase, and whether one is taken. */
const NONCE: u32 = 0
const REGISTER: u32 = 1
const STATE: u32 = 11
const LEFT: u32 = 15
const TAKEN: u32 = 16
/** 14 words and 2 i32. */
const LOCALS = '020e7e027f'

const VOID: u32 = 0x40
const ALLOWANCE: i32 = 32
const PAD_MASK: i32 = 2040

export function emitHash(): void {
  hex(LOCALS)
  emitStart()
  for (let phase = 0; phase < 2; phase++) {
    int32(ALLOWANCE)
    set(LEFT)
    for (let p = 0; p < PROGRAM_COUNT; p++) {
      emitProgram(PROGRAMS + p * PROGRAM_SIZE, phase === 1)
      if (phase === 0) emitStores(p)
    }
  }
  emitRound(REGISTER)
  emitRound(REGISTER + 4)
  get(REGISTER + 3)
  get(REGISTER + 7)
  byte(I64_XOR)
  get(REGISTER + 9)
  byte(I64_XOR)
  byte(END)
}

/** Sets the registers: the first eight words of the generator, and two words made from them. */
function emitStart(): void {
  const k0 = load<i64>(SEED, 16)
  const k1 = load<i64>(SEED, 24)
  emitConstant(0, 0x736f6d6570736575 ^ k0)
  emitConstant(1, 0x646f72616e646f6d ^ k1)
  emitConstant(2, 0x6c7967656e657261 ^ k0)
  emitConstant(3, 0x7465646279746573 ^ k1)
  emitXorNonce(3)
  emitRound(STATE)
  emitXorNonce(0)
  emitXor(2, 0xbb)
  for (let i = 0; i < 3; i++) emitRound(STATE)
  emitCopies(0)
  for (let i = 0; i < 4; i++) emitXor(i, i & 1 ? k1 : k0)
  for (let i = 0; i < 4; i++) emitRound(STATE)
  emitCopies(4)
  emitReadOnly(8, 4, 3)
  emitReadOnly(9, 7, 5)
}

function emitConstant(word: i32, value: i64): void {
  int64(value)
  set(STATE + word)
}

function emitXor(word: i32, value: i64): void {
  get(STATE + word)
  int64(value)
  byte(I64_XOR)
  set(STATE + word)
}

function emitXorNonce(word: i32): void {
  get(STATE + word)
  get(NONCE)
  byte(I64_XOR)
  set(STATE + word)
}

/** The generator's words are handed out from the last to the first. */
function emitCopies(first: i32): void {
  for (let i = 0; i < 4; i++) {
    get(STATE + 3 - i)
    set(REGISTER + first + i)
  }
}

function emitReadOnly(register: i32, from: i32, bits: i64): void {
  get(REGISTER + from)
  int64(-8)
  byte(I64_AND)
  int64(bits)
  byte(I64_OR)
  set(REGISTER + register)
}

/** One SipHash round of four locals. */
function emitRound(a: u32): void {
  emitHalfRound(a, a + 1, a + 2, a + 3, 13, 16)
  emitHalfRound(a + 2, a + 1, a, a + 3, 17, 21)
}

function emitHalfRound(a: u32, b: u32, c: u32, d: u32, rotateB: i64, rotateD: i64): void {
  emitAddRotateXor(a, b, rotateB)
  emitAddRotateXor(c, d, rotateD)
  get(a)
  int64(32)
  byte(I64_ROTL)
  set(a)
}

/** x += y; y = rotl(y, by) ^ x */
function emitAddRotateXor(x: u32, y: u32, by: i64): void {
  get(y)
  int64(by)
  byte(I64_ROTL)
  get(x)
  get(y)
  byte(I64_ADD)
  tee(x)
  byte(I64_XOR)
  set(y)
}

function emitProgram(program: usize, fromPad: bool): void {
  byte(LOOP)
  byte(VOID)
  for (let slot = 0; slot < 7; slot++) emitInstruction(program + slot * 4, fromPad)
  get(LEFT)
  get(REGISTER + load<u8>(program, 1))
  int64(32)
  byte(I64_AND)
  byte(I64_EQZ)
  get(LEFT)
  int32(0)
  byte(I32_NE)
  byte(I32_AND)
  tee(TAKEN)
  byte(I32_SUB)
  set(LEFT)
  get(TAKEN)
  byte(BR_IF)
  byte(0)
  byte(END)
  emitInstruction(program + 28, fromPad)
}

function emitInstruction(instruction: usize, fromPad: bool): void {
  const code: i32 = load<u8>(instruction)
  const to = REGISTER + load<u8>(instruction, 1)
  const from = REGISTER + load<u8>(instruction, 2)
  const n: i64 = load<u8>(instruction, 3)
  get(to)
  if (code === RMCG) {
    get(from)
    byte(I64_MUL)
    int64(n)
    byte(I64_ROTR)
  } else {
    int64(n)
    byte(firstOperation(code))
    emitOperand(from, fromPad)
    byte(secondOperation(code))
  }
  set(to)
}

function emitOperand(from: u32, fromPad: bool): void {
  get(from)
  if (!fromPad) return
  byte(I32_WRAP_I64)
  int32(PAD_MASK)
  byte(I32_AND)
  access(I64_LOAD, 0)
}

function firstOperation(code: i32): u32 {
  if (code < RMCG) return code === 0 ? I64_OR : code === 1 ? I64_XOR : I64_ADD
  return code < 7 ? I64_ROTR : code < 10 ? I64_SHR_S : I64_SHR_U
}

function secondOperation(code: i32): u32 {
  if (code < RMCG) return I64_MUL
  const kind = (code - 4) % 3
  return kind === 0 ? I64_XOR : kind === 1 ? I64_ADD : I64_SUB
}

/** The scratchpad, at address 0, is filled from its end. */
function emitStores(p: i32): void {
  for (let register = 0; register < 8; register++) {
    int32(0)
    get(REGISTER + register)
    access(I64_STORE, 2040 - 64 * p - 8 * register)
  }
}
