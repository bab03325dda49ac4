type Event = { at: number; order: number; run: () => void | Promise<void> }

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A queue of events in virtual time (milliseconds), run one after the other; those of the same time in the order of adding. */
export class Events {
  private readonly heap: Event[] = []
  private added = 0
  now = 0

  add(at: number, run: Event['run']): void {
    const { heap } = this
    const event = { at, order: this.added++, run }
    let i = heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent] as Event
      if (isBefore(above, event)) break
      heap[i] = above
      i = parent
    }
    heap[i] = event
  }

  /** Runs until no event is left. */
  async run(): Promise<void> {
    for (let event = this.take(); event; event = this.take()) {
      this.now = event.at
      await event.run()
    }
  }

  private take(): Event | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      const right = heap[child + 1]
      if (right && isBefore(right, heap[child] as Event)) child += 1
      const below = heap[child] as Event
      if (!isBefore(below, last)) break
      heap[i] = below
      i = child
    }
    heap[i] = last
    return first
  }
}
