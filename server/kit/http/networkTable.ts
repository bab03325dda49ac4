import { type Cidr, compareWords, lastOf, next, type Words } from './cidr.ts'

/** A range of a table. */
export type Entry = { readonly cidr: Cidr }

/** No entry. */
const NONE = -1

/**
 * Ranges of addresses that may contain each other, with the smallest one that contains an address. Looking up compares words
 * of two typed arrays, about 20 times for 100,000 ranges.
 */
export class NetworkTable<E extends Entry> {
  private readonly families: Map<number, Segments<E>>
  readonly size: number

  /** Of entries with the same range, that with the highest `rank` is used. */
  constructor(entries: readonly E[], rank: (entry: E) => number = () => 0) {
    this.size = entries.length
    this.families = new Map(
      [1, 4].flatMap((width) => {
        const family = entries.filter(({ cidr }) => cidr.words.length === width)
        return family.length === 0 ? [] : [[width, segmentsOf(family, width, rank)] as const]
      }),
    )
  }

  /** The entry with the longest prefix that contains the address. */
  find(address: Words): E | undefined {
    const segments = this.families.get(address.length)
    if (!segments) return undefined
    const { width, starts, owners, entries } = segments
    let low = 0
    let high = owners.length
    // the last segment that starts at the address or before
    while (low < high) {
      const middle = (low + high) >>> 1
      if (startsAfter(starts, middle * width, address)) high = middle
      else low = middle + 1
    }
    return low === 0 ? undefined : entries[owners[low - 1] ?? NONE]
  }
}

/** The address space cut at every start and end of a range: the first address of each segment, and the entry that it belongs to. */
type Segments<E> = { width: number; starts: Uint32Array; owners: Int32Array; entries: readonly E[] }

function startsAfter(starts: Uint32Array, at: number, address: Words): boolean {
  for (let i = 0; i < address.length; i++) {
    const start = starts[at + i] ?? 0
    const word = address[i] ?? 0
    if (start !== word) return start > word
  }
  return false
}

function segmentsOf<E extends Entry>(family: readonly E[], width: number, rank: (entry: E) => number): Segments<E> {
  // a range comes before those that it contains; of equal ranges, the one that is used comes last
  const entries = family.toSorted(
    (a, b) => compareWords(a.cidr.words, b.cidr.words) || a.cidr.bits - b.cidr.bits || rank(a) - rank(b),
  )
  // each range starts one segment, and its end at most another
  const starts = new Uint32Array(entries.length * 2 * width)
  const owners = new Int32Array(entries.length * 2)
  let used = 0
  const cut = (from: Words, owner: number): void => {
    const previous = used - 1
    const sameStart = previous >= 0 && from.every((word, i) => starts[previous * width + i] === word)
    const at = sameStart ? previous : used++
    starts.set(from, at * width)
    owners[at] = owner
  }
  /** The ranges that contain the present address, the smallest last. */
  const open: { owner: number; last: Words }[] = []
  const close = (): void => {
    const after = next(open.pop()?.last ?? [])
    if (after) cut(after, open.at(-1)?.owner ?? NONE)
  }
  for (const [owner, { cidr }] of entries.entries()) {
    while (open.length > 0 && compareWords(open.at(-1)?.last ?? [], cidr.words) < 0) close()
    cut(cidr.words, owner)
    open.push({ owner, last: lastOf(cidr) })
  }
  while (open.length > 0) close()
  return { width, starts: starts.slice(0, used * width), owners: owners.slice(0, used), entries }
}
