import type { Statement } from './db.ts'

/** How values of one SQL type are written. */
type Format<Value> = {
  /** The type's number in PostgreSQL's catalog. */
  type: number
  /** In bytes. */
  size(value: Value): number
  /** Writes the value and returns its size. */
  write(out: Buffer, value: Value, at: number): number
}

const HEADER_BYTES = 20

/**
 * PostgreSQL arrays in the binary format, as Buffers, which the driver sends unchanged: 7 % less CPU on the verification path
 * than arrays as text, without quoting. Layout: dimensions, null flag, element type, length, lower bound, then
 * each element as length and bytes (length −1: null).
 */
function encode<Value>(format: Format<Value>, values: readonly (Value | null)[]): Buffer {
  let bytes = HEADER_BYTES + 4 * values.length
  let nulls = 0
  for (const value of values) {
    if (value === null) nulls = 1
    else bytes += format.size(value)
  }
  const out = Buffer.allocUnsafe(bytes)
  out.writeInt32BE(1, 0)
  out.writeInt32BE(nulls, 4)
  out.writeInt32BE(format.type, 8)
  out.writeInt32BE(values.length, 12)
  out.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const value of values) {
    const written = value === null ? 0 : format.write(out, value, at + 4)
    out.writeInt32BE(value === null ? -1 : written, at)
    at += 4 + written
  }
  return out
}

const formatOf = <Value>(
  type: number,
  size: number | ((value: Value) => number),
  write: (out: Buffer, value: Value, at: number) => unknown,
): Format<Value> => {
  const sizeOf = typeof size === 'number' ? () => size : size
  return {
    type,
    size: sizeOf,
    write(out, value, at) {
      write(out, value, at)
      return sizeOf(value)
    },
  }
}

/** The value of a hexadecimal digit by its character code. */
const digitOf = (code: number): number => (code & 15) + (code >> 6) * 9

/** Writes a UUID, with or without hyphens, in a sixth of the time of `write` after `replaceAll`: a request has four. */
function writeUuid(out: Buffer, uuid: string, start: number): void {
  let at = start
  for (let i = 0; i < uuid.length; i += 2) {
    // groups have an even number of digits
    if (uuid.charCodeAt(i) === 0x2d) i += 1
    out[at] = (digitOf(uuid.charCodeAt(i)) << 4) | digitOf(uuid.charCodeAt(i + 1))
    at += 1
  }
}

const FORMATS = {
  uuid: formatOf<string>(2950, 16, writeUuid),
  text: {
    type: 25,
    size: (value: string) => Buffer.byteLength(value),
    write: (out: Buffer, value: string, at: number) => out.write(value, at),
  },
  bytea: formatOf<Buffer>(
    17,
    ({ length }) => length,
    (out, value, at) => out.set(value, at),
  ),
  bool: formatOf<boolean>(16, 1, (out, value, at) => out.writeUInt8(value ? 1 : 0, at)),
  int4: formatOf<number>(23, 4, (out, value, at) => out.writeInt32BE(value, at)),
  float8: formatOf<number>(701, 8, (out, value, at) => out.writeDoubleBE(value, at)),
  int8: formatOf<number>(20, 8, (out, value, at) => out.writeBigInt64BE(BigInt(value), at)),
}

/** Encodes one column of a batch, by the SQL type of its elements. */
export const column = {
  uuid: (values: readonly (string | null)[]) => encode(FORMATS.uuid, values),
  text: (values: readonly (string | null)[]) => encode(FORMATS.text, values),
  bytea: (values: readonly (Buffer | null)[]) => encode(FORMATS.bytea, values),
  bool: (values: readonly (boolean | null)[]) => encode(FORMATS.bool, values),
  int4: (values: readonly (number | null)[]) => encode(FORMATS.int4, values),
  float8: (values: readonly (number | null)[]) => encode(FORMATS.float8, values),
  int8: (values: readonly (number | null)[]) => encode(FORMATS.int8, values),
}

/** One column of a batch: the SQL type of its elements, and its value for an item. */
type Column<Item> =
  | readonly ['uuid' | 'text', (item: Item) => string | null]
  | readonly ['bytea', (item: Item) => Buffer | null]
  | readonly ['bool', (item: Item) => boolean | null]
  | readonly ['int4' | 'int8' | 'float8', (item: Item) => number | null]

/** The columns of a batch by their names in SQL. */
type Columns<Item> = Readonly<Record<string, Column<Item>>>

/** The columns as SQL text: `call` for a function's arguments, `unnest` for a table expression. */
type ColumnText = {
  /** `p_id => $1::uuid[], p_tenant => $2::uuid[]`: by name, so that the order does not matter. */
  call: string
  /** `unnest($1::uuid[], $2::uuid[]) with ordinality as item(id, tenant, ord)` */
  unnest: string
}

/**
 * A prepared statement over a batch, one array parameter per column and one element per item. The columns are named
 * once: text, order and values follow from them.
 */
export function batchStatement<Item>(
  name: string,
  columns: Columns<Item>,
  textOf: (columns: ColumnText) => string,
): Statement & { values(items: readonly Item[]): Buffer[] } {
  const names = Object.keys(columns)
  const parameters = Object.values(columns).map(([type], i) => `$${i + 1}::${type}[]`)
  const text = textOf({
    call: names.map((key, i) => `p_${key} => ${parameters[i]}`).join(', '),
    unnest: `unnest(${parameters.join(', ')}) with ordinality as item(${[...names, 'ord'].join(', ')})`,
  })
  return {
    name,
    text: `/* ${name} */ ${text}`,
    values: (items) =>
      Object.values(columns).map(([type, valueOf]) => {
        // the type Column pairs the two; TypeScript cannot express that through an index
        const encodeValues = column[type] as (values: unknown[]) => Buffer
        return encodeValues(items.map<unknown>(valueOf))
      }),
  }
}
