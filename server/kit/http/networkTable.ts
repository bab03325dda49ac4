import { type Address, type Cidr, compareRanges, lastOf } from './address.ts'

/** A range of a table. */
export type Entry = { readonly cidr: Cidr }

/**
 * The address space of a family, cut at every start and end of a range: the first address of each segment, in their order, and the
 * entry that it belongs to.
 */
type Segments<E> = { starts: bigint[]; owners: (E | undefined)[] }

/** Ranges of addresses that may contain each other, with the smallest one that contains an address. */
export class NetworkTable<E extends Entry> {
  private readonly families: Record<4 | 6, Segments<E>>
  readonly size: number

  constructor(entries: readonly E[]) {
    this.size = entries.length
    const ordered = entries.toSorted((a, b) => compareRanges(a.cidr, b.cidr))
    const of = (family: 4 | 6) => segmentsOf(ordered.filter(({ cidr }) => cidr.family === family))
    this.families = { 4: of(4), 6: of(6) }
  }

  /** The entry with the longest prefix that contains the address. */
  find({ family, value }: Address): E | undefined {
    const { starts, owners } = this.families[family]
    let low = 0
    let high = starts.length
    // the last segment that starts at the address or before
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] ?? 0n) > value) high = middle
      else low = middle + 1
    }
    return owners[low - 1]
  }
}

/** The segments of entries in the order of their ranges. */
function segmentsOf<E extends Entry>(entries: readonly E[]): Segments<E> {
  const starts: bigint[] = []
  const owners: (E | undefined)[] = []
  const cut = (from: bigint, owner: E | undefined): void => {
    const at = starts.at(-1) === from ? starts.length - 1 : starts.length
    starts[at] = from
    owners[at] = owner
  }
  /** The ranges that contain the present address, the smallest last. */
  const open: { owner: E; last: bigint }[] = []
  const closeBefore = (address: bigint | undefined): void => {
    let top = open.at(-1)
    // oxlint-disable-next-line no-unmodified-loop-condition -- it is compared with each range
    while (top && (address === undefined || top.last < address)) {
      open.pop()
      cut(top.last + 1n, open.at(-1)?.owner)
      top = open.at(-1)
    }
  }
  for (const owner of entries) {
    closeBefore(owner.cidr.first)
    cut(owner.cidr.first, owner)
    open.push({ owner, last: lastOf(owner.cidr) })
  }
  closeBefore(undefined)
  return { starts, owners }
}
