import type { Statement } from './db.ts'

/**
 * PostgreSQL arrays in the binary format, as Buffers, which the driver sends unchanged: 7 % less CPU on the verification path
 * than arrays as text, without quoting. Layout: dimensions, null flag, element type, length, lower bound, then
 * each element as length and bytes (length −1: null).
 */
function encode(type: number, elements: (Buffer | null)[]): Buffer {
  let size = 20
  for (const element of elements) size += 4 + (element?.length ?? 0)
  const out = Buffer.allocUnsafe(size)
  out.writeInt32BE(1, 0)
  out.writeInt32BE(elements.includes(null) ? 1 : 0, 4)
  out.writeInt32BE(type, 8)
  out.writeInt32BE(elements.length, 12)
  out.writeInt32BE(1, 16)
  let at = 20
  for (const element of elements) {
    at = out.writeInt32BE(element === null ? -1 : element.length, at)
    if (element) at += element.copy(out, at)
  }
  return out
}

const hex = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')

function int64(value: number): Buffer {
  const out = Buffer.allocUnsafe(8)
  out.writeBigInt64BE(BigInt(value))
  return out
}

function float64(value: number): Buffer {
  const out = Buffer.allocUnsafe(8)
  out.writeDoubleBE(value)
  return out
}

function int32(value: number): Buffer {
  const out = Buffer.allocUnsafe(4)
  out.writeInt32BE(value)
  return out
}

const nullable = <T>(values: readonly (T | null)[], encodeOne: (value: T) => Buffer) =>
  values.map((value) => (value === null ? null : encodeOne(value)))

/** Encodes one column of a batch, by the SQL type of its elements. */
export const column = {
  uuid: (values: readonly (string | null)[]) => encode(2950, nullable(values, hex)),
  text: (values: readonly (string | null)[]) =>
    encode(
      25,
      nullable(values, (value) => Buffer.from(value, 'utf8')),
    ),
  bytea: (values: readonly (Buffer | null)[]) => encode(17, [...values]),
  bool: (values: readonly (boolean | null)[]) =>
    encode(
      16,
      nullable(values, (value) => Buffer.from([value ? 1 : 0])),
    ),
  int4: (values: readonly (number | null)[]) => encode(23, nullable(values, int32)),
  float8: (values: readonly (number | null)[]) => encode(701, nullable(values, float64)),
  int8: (values: readonly (number | null)[]) => encode(20, nullable(values, int64)),
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
