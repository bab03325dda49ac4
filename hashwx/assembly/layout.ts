/** Addresses in the module's memory. The compiler's own data begins behind them (see compile.ts). */

/** The seed of the challenge: eight u32, and the index of its program as a ninth. */
export const CHALLENGE: usize = 0
/** The seed of the programs: four words. The last two are the key of the hash function. */
export const SEED: usize = 40
/** The state of the word generator: four words. */
export const STATE: usize = 72
/** The 16 generator words of one program. */
export const WORDS: usize = 104
/** The destination register of each slot of one program: 8 bytes. */
export const DESTINATIONS: usize = 232
/** The orders of sources, 3 bits per digit, each a u32. */
export const ORDERS: usize = 256
/** The instructions: code, destination, source and constant, a byte each; 8 per program. */
export const PROGRAMS: usize = 3072
/** The scratchpad of the interpreter: 256 words. */
export const PAD: usize = 4096
/** The registers of the interpreter: ten words. */
export const REGISTERS: usize = 6144
/** The message schedule of SHA-256: 64 u32. */
export const SCHEDULE: usize = 6400
/** The emitted module, about 12 kB. */
export const OUTPUT: usize = 8192
