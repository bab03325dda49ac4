/** A number as a sealed field of fixed size, big-endian. */
export type Uint = { readonly value: number; readonly length: 1 | 2 | 4 | 6 }

export const uint = (value: number, length: Uint['length']): Uint => ({ value, length })

/** The fields of an opened seal, read in place: a Buffer for each of them costs more than the MAC. */
export class Fields {
  readonly #body: Buffer
  /** Where each field begins and ends, in turn. */
  readonly #bounds: readonly number[]

  constructor(body: Buffer, bounds: readonly number[]) {
    this.#body = body
    this.#bounds = bounds
  }

  get count(): number {
    return this.#bounds.length / 2
  }

  /** Empty for a field that does not exist. */
  bytes(index: number): Buffer {
    return this.#body.subarray(...this.#boundsOf(index))
  }

  text(index: number): string {
    return this.#body.toString('latin1', ...this.#boundsOf(index))
  }

  /** Throws RangeError unless it is a field of 1 to 6 bytes. */
  uint(index: number): number {
    const [start, end] = this.#boundsOf(index)
    if (end === start || end - start > 6) throw new RangeError('not a sealed number')
    return this.#body.readUIntBE(start, end - start)
  }

  /** Whether the field is this UUID. */
  isUuid(index: number, uuid: string): boolean {
    return this.#body.toString('hex', ...this.#boundsOf(index)) === uuid.replaceAll('-', '')
  }

  #boundsOf(index: number): [start: number, end: number] {
    return [this.#bounds[index * 2] ?? 0, this.#bounds[index * 2 + 1] ?? 0]
  }
}

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
