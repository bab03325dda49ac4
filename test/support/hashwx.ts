/**
 * HashWX by tevador (github.com/tevador/hashwx) in BigInt arithmetic: the reference that the other implementations are
 * tested against. Readable and slow, about 1 ms per hash. docs/hashwx.md describes the function.
 */
import { createHash } from 'node:crypto'

/** One arithmetic instruction: destination register, source register (8 and 9 are read-only) and constant. */
export type Instruction = { code: number; to: number; from: number; n: number }

/** 32 programs of 8 instructions, and the key of the hash function. */
export type Instance = { programs: Instruction[][]; key: readonly [bigint, bigint] }

type State = [a: bigint, b: bigint, c: bigint, d: bigint]

const PROGRAMS = 32
const ALLOWANCE = 32
const MULTIPLIER_CONSTANTS = [1, 9, 33]
/** The digits allowed at each position of an order of sources. */
const ALLOWED = ['02467', '234567', '134567', '14567', '13567', '1367', '01357', '02']
const RMCG = 3

const word = (x: bigint): bigint => BigInt.asUintN(64, x)
const rotl = (x: bigint, n: bigint): bigint => word(x << n) | (x >> (64n - n))
const rotr = (x: bigint, n: number): bigint => rotl(x, 64n - BigInt(n))
const low = (x: bigint): number => Number(x & 0xffffffffn)
const high = (x: bigint): number => Number(x >> 32n)

/** One SipHash round. */
export function round([a, b, c, d]: State): State {
  a = word(a + b)
  b = rotl(b, 13n) ^ a
  c = word(c + d)
  d = rotl(d, 16n) ^ c
  a = rotl(a, 32n)
  c = word(c + b)
  b = rotl(b, 17n) ^ c
  a = word(a + d)
  d = rotl(d, 21n) ^ a
  c = rotl(c, 32n)
  return [a, b, c, d]
}

/** An endless sequence of pseudo-random words. */
export function* generateWords(k0: bigint, k1: bigint, salt: bigint): Generator<bigint, never> {
  const key = [k0, k1, k0, k1] as const
  let [a, b, c, d] = [
    0x736f6d6570736575n ^ k0,
    0x646f72616e646f6dn ^ k1,
    0x6c7967656e657261n ^ k0,
    0x7465646279746573n ^ k1 ^ salt,
  ] satisfies State
  ;[a, b, c, d] = round([a, b, c, d])
  let state = round(round(round([a ^ salt, b, c ^ 0xbbn, d])))
  for (;;) {
    const [v0, v1, v2, v3] = state
    yield* [v3, v2, v1, v0]
    state = state.map((part, i) => part ^ (key[i] ?? 0n)) as State
    state = round(round(round(round(state))))
  }
}

/** The 625 orders of sources: permutations of 0…7 with the allowed digit at each position, ascending. */
export const SOURCE_ORDERS: readonly number[][] = extend([])

function extend(order: number[]): number[][] {
  if (order.length === ALLOWED.length) return [order]
  const digits = Array.from(ALLOWED[order.length] ?? '', Number)
  return digits.filter((digit) => !order.includes(digit)).flatMap((digit) => extend([...order, digit]))
}

/** The instance of any 32 bytes. */
export function createInstance(seed: Buffer): Instance {
  const [w0 = 0n, w1 = 0n, w2 = 0n, w3 = 0n] = [0, 8, 16, 24].map((at) => seed.readBigUInt64LE(at))
  const words = generateWords(w0, w1, word(-1n))
  const programs = Array.from({ length: PROGRAMS }, () =>
    createProgram(Array.from({ length: 16 }, () => words.next().value)),
  )
  return { programs, key: [w2, w3] }
}

function createProgram(g: readonly bigint[]): Instruction[] {
  const at = (i: number): bigint => g[i] ?? 0n
  const registers = [0]
  for (let i = 1; i < 8; i++) {
    const j = high(at(i - 1)) % (i + 1)
    registers[i] = j === i ? i : (registers[j] ?? 0)
    registers[j] = i
  }
  const order = SOURCE_ORDERS[Number(at(7) % 625n)] ?? []
  return registers.map((to, slot) => {
    const code = codeOf(slot, at(slot - 1))
    const from = slot === 0 ? 8 + Number(at(7) % 2n) : (registers[order[slot] ?? 0] ?? 0)
    return { code, to, from, n: constantOf(code, at(8 + slot)) }
  })
}

function codeOf(slot: number, g: bigint): number {
  if (slot === 0) return RMCG
  return slot % 2 === 1 ? 4 + (low(g) % 9) : low(g) % 3
}

function constantOf(code: number, g: bigint): number {
  if (code < RMCG) return MULTIPLIER_CONSTANTS[Number(g % 3n)] ?? 0
  return 1 + Number(g % (code < 7 ? 63n : 3n))
}

/** The hash of a 64-bit nonce. */
export function hashNonce({ programs, key: [k0, k1] }: Instance, nonce: bigint): bigint {
  const words = generateWords(k0, k1, nonce)
  const r = Array.from({ length: 8 }, () => words.next().value)
  const get = (i: number): bigint => r[i] ?? 0n
  r.push((get(4) & ~7n) | 3n, (get(7) & ~7n) | 5n)
  const pad: bigint[] = []
  const sources = [get, (i: number) => pad[Number((get(i) >> 3n) & 255n)] ?? 0n]
  for (const [phase, load] of sources.entries()) {
    let left = ALLOWANCE
    programs.forEach((program, p) => {
      for (;;) {
        for (const instruction of program.slice(0, 7)) execute(instruction, r, load)
        if (left === 0 || (get(program[0]?.to ?? 0) & 32n) !== 0n) break
        left -= 1
      }
      for (const last of program.slice(7)) execute(last, r, load)
      if (phase === 0) for (let j = 0; j < 8; j++) pad[255 - 8 * p - j] = get(j)
    })
  }
  const [, , , r3] = round([get(0), get(1), get(2), get(3)])
  const [, , , r7] = round([get(4), get(5), get(6), get(7)])
  return r3 ^ r7 ^ get(9)
}

function execute({ code, to, from, n }: Instruction, r: bigint[], load: (i: number) => bigint): void {
  const d = r[to] ?? 0n
  if (code === RMCG) r[to] = rotr(word(d * (r[from] ?? 0n)), n)
  else if (code < RMCG) r[to] = word([d | BigInt(n), d ^ BigInt(n), d + BigInt(n)][code] ?? 0n) * load(from)
  else {
    const s = load(from)
    const shifts = [rotr(d, n), BigInt.asIntN(64, d) >> BigInt(n), d >> BigInt(n)]
    const shifted = shifts[Math.floor((code - 4) / 3)] ?? 0n
    r[to] = [shifted ^ s, shifted + s, shifted - s][(code - 4) % 3] ?? 0n
  }
  r[to] = word(r[to] ?? 0n)
}

/** All instructions as bytes: code, destination, source and constant of each, 1,024 in all. */
export function encodePrograms({ programs }: Instance): Buffer {
  return Buffer.from(programs.flat().flatMap(({ code, to, from, n }) => [code, to, from, n]))
}

/** The seed of program `index` of a challenge: SHA-256(seed ‖ uint32be(index)). */
export function programSeed(seed: Buffer, index: number): Buffer {
  const suffix = Buffer.alloc(4)
  suffix.writeUInt32BE(index)
  return createHash('sha256').update(seed).update(suffix).digest()
}
