/** Deterministic random numbers: the same seed gives the same sequence on every machine (mulberry32). */
export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let x = this.state
    x = Math.imul(x ^ (x >>> 15), x | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 to `below` − 1. */
  whole(below: number): number {
    return Math.floor(this.next() * below)
  }

  /** The time to the next event of a Poisson process, in units of its mean. */
  exponential(): number {
    return -Math.log(1 - this.next())
  }

  /** The tries that `puzzles` equal puzzles take together, as a share of their mean. */
  effort(puzzles: number): number {
    let sum = 0
    for (let i = 0; i < puzzles; i++) sum += this.exponential()
    return sum / puzzles
  }
}
