/** Writes the binary format of WebAssembly to OUTPUT. */
import { OUTPUT } from './layout.ts'

/** Instructions, by their byte. */
export const LOOP: u32 = 0x03
export const BR_IF: u32 = 0x0d
export const END: u32 = 0x0b
export const I64_LOAD: u32 = 0x29
export const I64_STORE: u32 = 0x37
export const I64_EQZ: u32 = 0x50
export const I32_NE: u32 = 0x47
export const I32_SUB: u32 = 0x6b
export const I32_AND: u32 = 0x71
export const I64_ADD: u32 = 0x7c
export const I64_SUB: u32 = 0x7d
export const I64_MUL: u32 = 0x7e
export const I64_AND: u32 = 0x83
export const I64_OR: u32 = 0x84
export const I64_XOR: u32 = 0x85
export const I64_SHR_S: u32 = 0x87
export const I64_SHR_U: u32 = 0x88
export const I64_ROTL: u32 = 0x89
export const I64_ROTR: u32 = 0x8a
export const I32_WRAP_I64: u32 = 0xa7

/** A size is written once it is known, in as many bytes as a 32-bit number may take. */
const SIZE_BYTES: usize = 5

let end: usize = OUTPUT

export function restart(): void {
  end = OUTPUT
}

/** The address behind the last byte. */
export function position(): usize {
  return end
}

export function byte(value: u32): void {
  store<u8>(end++, value)
}

/** Bytes given as hex digits, as which they are read from the compiler's data. */
export function hex(digits: string): void {
  const start = changetype<usize>(digits)
  for (let i = 0; i < digits.length; i += 2) byte((digit(start + i * 2) << 4) | digit(start + i * 2 + 2))
}

function digit(address: usize): u32 {
  const code: u32 = load<u16>(address)
  return code < 58 ? code - 48 : code - 87
}

export function unsigned(value: u32): void {
  for (; value > 0x7f; value >>= 7) byte((value & 0x7f) | 0x80)
  byte(value)
}

export function signed(value: i64): void {
  for (; value < -64 || value > 63; value >>= 7) byte((<u32>value & 0x7f) | 0x80)
  byte(<u32>value & 0x7f)
}

/** Begins a section or function body whose size comes first; returns what `closeSized` needs. */
export function openSized(): usize {
  end += SIZE_BYTES
  return end
}

export function closeSized(start: usize): void {
  let size = end - start
  for (let i: usize = 0; i < SIZE_BYTES; i++, size >>= 7)
    store<u8>(start - SIZE_BYTES + i, (<u32>size & 0x7f) | (i < SIZE_BYTES - 1 ? 0x80 : 0))
}

export function get(local: u32): void {
  byte(0x20)
  byte(local)
}

export function set(local: u32): void {
  byte(0x21)
  byte(local)
}

export function tee(local: u32): void {
  byte(0x22)
  byte(local)
}

export function int32(value: i32): void {
  byte(0x41)
  signed(value)
}

export function int64(value: i64): void {
  byte(0x42)
  signed(value)
}

/** A load or store of a word; `offset` in bytes. */
export function access(instruction: u32, offset: u32): void {
  byte(instruction)
  byte(3)
  unsigned(offset)
}
