import type { Kind } from '../../../contract/wire.ts'

/**
 * The rate, in hashes per millisecond, that no browser reaches, by kind. The component starts at most 8 workers. The fastest
 * measured one computes 17,000 hashes of SHA-256 per millisecond, or of HashWX as many as count as 21,000; the bounds allow
 * 25,000. The number of hashes that a challenge takes scatters: with 32 puzzles, one challenge in a million takes less than
 * 0.37 of the expected number, and with the 16 puzzles of HashWX less than 0.21.
 */
export const FASTEST: Record<Kind, number> = { 'pow-sha256': 550_000, 'pow-hashwx': 950_000 }

/**
 * Whether a challenge of `work` expected hashes was solved faster than any browser computes. `elapsed`: milliseconds from
 * its issue to its solution, which include the network, so this finds fast hardware only close to the service.
 */
export const isTooFast = (kind: Kind, work: number, elapsed: number): boolean => work > elapsed * FASTEST[kind]
