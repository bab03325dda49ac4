import { CONSTANTS, FIRST_ROUND, FIRST_WORD, TABLE } from '../solver/table.ts'

/** The syntax of a language for the operations of SHA-256, on one nonce or several at once, and for the program. */
export interface Dialect {
  readonly add: (x: string, y: string) => string
  readonly xor: (x: string, y: string) => string
  readonly and: (x: string, y: string) => string
  readonly shift: (x: string, by: number) => string
  readonly rotate: (x: string, by: number) => string
  /** For each bit: the bit of `f` if that of `e` is 1, else the bit of `g`. */
  readonly choose: (e: string, f: string, g: string) => string
  readonly declare: (name: string, value?: string) => string
  readonly constant: (round: number) => string
  /** A word of the table; `round` is set inside a round. */
  readonly table: (position: number, round?: number) => string
  /** Ends a round. */
  readonly step: string
  /** Returns if a nonce was found, else continues with the next. */
  readonly next: string
  readonly program: (variables: string[], loop: string[]) => string
}

/** `search(table, start, tries)`: one nonce at a time. */
export const javascript: Dialect = {
  add: (x, y) => `((${x} + ${y}) | 0)`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  shift: (x, by) => `(${x} >>> ${by})`,
  rotate: (x, by) => `((${x} >>> ${by}) | (${x} << ${32 - by}))`,
  choose: (e, f, g) => `(((${f} ^ ${g}) & ${e}) ^ ${g})`,
  declare: (name, value = '0') => `let ${name} = ${value}`,
  constant: (round) =>
    round < FIRST_WORD ? `t${TABLE.constants + round - FIRST_ROUND}` : `${(CONSTANTS[round] ?? 0) | 0}`,
  table: (position) => `t${position}`,
  step: '',
  next: `if (a < t${TABLE.goal}) return tried\nn = (n + 1) | 0`,
  program: (variables, loop) =>
    lines([
      'export function search(table, start, tries) {',
      ...Array.from({ length: TABLE.length }, (_, i) => `const t${i} = table[${i}] | 0`),
      ...variables,
      'let n = start | 0',
      'for (let tried = 0; tried < tries; tried = (tried + 1) | 0) {',
      ...loop,
      '}',
      'return -1',
      '}',
    ]),
}

/** `search(start, tries)` in AssemblyScript, with the table at the start of memory: one nonce at a time. */
export const scalar: Dialect = {
  ...inMemory('u32', '0', (address, offset) => `load<u32>(${address}, ${offset})`),
  add: (x, y) => `(${x} + ${y})`,
  xor: (x, y) => `(${x} ^ ${y})`,
  and: (x, y) => `(${x} & ${y})`,
  shift: (x, by) => `(${x} >>> ${by})`,
  rotate: (x, by) => `rotr<u32>(${x}, ${by})`,
  choose: (e, f, g) => `(((${f} ^ ${g}) & ${e}) ^ ${g})`,
  next: `if (<i32>a < load<i32>(0, ${TABLE.goal * 4})) return tried\nn += 1`,
  program: (variables, loop) => assemblyscript(variables, 'let n = start', loop, 1),
}

/** The same with one nonce in each of a vector's four lanes. */
export const simd: Dialect = {
  ...inMemory('v128', 'i32x4.splat(0)', (address, offset) => `v128.load_splat<u32>(${address}, ${offset})`),
  add: (x, y) => `i32x4.add(${x}, ${y})`,
  xor: (x, y) => `v128.xor(${x}, ${y})`,
  and: (x, y) => `v128.and(${x}, ${y})`,
  shift: (x, by) => `i32x4.shr_u(${x}, ${by})`,
  rotate: (x, by) => `v128.or(i32x4.shr_u(${x}, ${by}), i32x4.shl(${x}, ${32 - by}))`,
  choose: (e, f, g) => `v128.bitselect(${f}, ${g}, ${e})`,
  // Signed, because x86 has no unsigned comparison of vectors. Both sides have their sign bits flipped.
  next: lines([
    `const solved = i32x4.gt_s(v128.load_splat<u32>(0, ${TABLE.goal * 4}), a)`,
    'if (v128.any_true(solved)) return tried + ctz(i32x4.bitmask(solved))',
    'n = i32x4.add(n, i32x4.splat(4))',
  ]),
  program: (variables, loop) =>
    assemblyscript(variables, 'let n = i32x4.add(i32x4.splat(start), i32x4(0, 1, 2, 3))', loop, 4),
}

/** `p` points to the next constant: with a different address in each round, the rounds would not compress well. */
function inMemory(type: string, zero: string, load: (address: string, offset: number) => string) {
  return {
    declare: (name: string, value = zero) => `let ${name}: ${type} = ${value}`,
    constant: () => load('p', 0),
    table: (position: number, round?: number) =>
      round === undefined ? load('0', position * 4) : load('p', (position - (round - FIRST_ROUND)) * 4),
    step: 'p += 4',
  }
}

function assemblyscript(variables: string[], start: string, loop: string[], lanes: number): string {
  return lines([
    'export function search(start: u32, tries: i32): i32 {',
    ...variables,
    start,
    `for (let tried = 0; tried < tries; tried += ${lanes}) {`,
    `let p: usize = ${TABLE.constants}`,
    ...loop,
    '}',
    'return -1',
    '}',
  ])
}

function lines(parts: string[]): string {
  return parts.join('\n')
}
