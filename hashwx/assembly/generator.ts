/** The generator of pseudo-random words that makes programs and the first values of registers. */

/** Applies SipHash rounds to the four words at `state`. */
export function applyRounds(state: usize, rounds: i32): void {
  let a = load<u64>(state)
  let b = load<u64>(state, 8)
  let c = load<u64>(state, 16)
  let d = load<u64>(state, 24)
  do {
    a += b
    b = rotl(b, 13) ^ a
    c += d
    d = rotl(d, 16) ^ c
    a = rotl(a, 32)
    c += b
    b = rotl(b, 17) ^ c
    a += d
    d = rotl(d, 21) ^ a
    c = rotl(c, 32)
  } while (--rounds)
  store<u64>(state, a)
  store<u64>(state, b, 8)
  store<u64>(state, c, 16)
  store<u64>(state, d, 24)
}

/** Sets the state for a key and a salt. Its words are then the first four outputs, from the last to the first. */
export function start(state: usize, k0: u64, k1: u64, salt: u64): void {
  store<u64>(state, 0x736f6d6570736575 ^ k0)
  store<u64>(state, 0x646f72616e646f6d ^ k1, 8)
  store<u64>(state, 0x6c7967656e657261 ^ k0, 16)
  store<u64>(state, 0x7465646279746573 ^ k1 ^ salt, 24)
  applyRounds(state, 1)
  store<u64>(state, load<u64>(state) ^ salt)
  store<u64>(state, load<u64>(state, 16) ^ 0xbb, 16)
  applyRounds(state, 3)
}

/** Replaces the state by that of the next four outputs. */
export function refresh(state: usize, k0: u64, k1: u64): void {
  store<u64>(state, load<u64>(state) ^ k0)
  store<u64>(state, load<u64>(state, 8) ^ k1, 8)
  store<u64>(state, load<u64>(state, 16) ^ k0, 16)
  store<u64>(state, load<u64>(state, 24) ^ k1, 24)
  applyRounds(state, 4)
}

/** Copies the state's words to `target` in the order of output. */
export function copyWords(state: usize, target: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(target + i, load<u64>(state + 24 - i))
}
