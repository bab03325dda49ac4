import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts'

// The row types of raw statements are written by hand. Here PostgreSQL says which columns each statement has, on the migrated schema,
// without running it. Not checked: whether a value can be null, the statements of COMPOSED, row types that are not written out in
// the same file (only that PostgreSQL accepts the statement), and statements that are sent without Prisma.

/** Statements that are put together of parts, which no parameter can stand for. */
const COMPOSED = [
  'accounts/networks/list.ts',
  'accounts/staff/search.ts',
  'accounts/staff/tenants/view.ts',
  'accounts/staff/tenants/view.ts',
  'accounts/tenants/search.ts',
  'ledger/audit/around.ts',
  'ledger/audit/listStaff.ts',
  'ledger/decisions/neighbours.ts',
  'ledger/decisions/tail.ts',
  'ledger/scan.ts',
  'ledger/usage/read.ts',
]

let db: TestDatabase
let client: pg.Client
beforeAll(async () => {
  db = await openTestDatabase()
  client = new pg.Client({ connectionString: db.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await db.close()
})

type Column = { name: string; dataTypeID: number }

/** The columns of a statement's result; undefined if it cannot be parsed alone. */
function describeColumns(text: string): Promise<Column[] | undefined> {
  return new Promise((resolve) => {
    let columns: Column[] | undefined = []
    const described = {
      submit(connection: pg.Connection) {
        connection.parse({ text, name: '', types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription: ({ fields }: { fields: Column[] }) => (columns = fields),
      // after an error, the driver calls nothing else
      handleError: () => resolve(undefined),
      handleReadyForQuery: () => resolve(columns),
    }
    client.query(described as unknown as pg.Submittable)
  })
}

/** What Prisma makes of a column of each type, as TypeScript names it. */
const NUMBERS = new Set([21, 23, 26, 700, 701])
const typeOf = (oid: number, arrays: Map<number, number>): string => {
  const element = arrays.get(oid)
  if (element !== undefined) return `${typeOf(element, arrays)}[]`
  if (NUMBERS.has(oid)) return 'number'
  return (
    {
      16: 'boolean',
      17: 'Uint8Array',
      20: 'bigint',
      1082: 'Date',
      1114: 'Date',
      1184: 'Date',
      1700: 'Decimal',
      114: 'json',
      3802: 'json',
    }[oid] ?? 'string'
  )
}

/** The text from an opening bracket to the one that closes it, without both. */
function enclosed(source: string, from: number, pair: '<>' | '{}'): string {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    if (source[at] === pair[0]) depth++
    if (source[at] === pair[1] && source[at - 1] !== '=' && --depth === 0) return source.slice(from + 1, at)
  }
  return ''
}

/** The fields of an object type that is written out, or named by a type of the same file; undefined for any other. */
function fieldsOf(type: string, source: string): Map<string, string> | undefined {
  const row = type.trim().replace(/\[\]$/, '').trim()
  const named = /^\w+$/.test(row) ? source.search(new RegExp(`(type ${row} = |interface ${row} )\\{`)) : -1
  const body = row.startsWith('{')
    ? row.slice(1, -1)
    : named >= 0
      ? enclosed(source, source.indexOf('{', named), '{}')
      : undefined
  if (body === undefined || body.includes('{')) return undefined
  const fields = body.replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '').matchAll(/(\w+)\??: ([^;\n]+)/g)
  return new Map([...fields].map(([, name = '', value = '']) => [name, value.replace(/ \| null/, '').trim()]))
}

/** The statement of a template whose values become parameters. */
function statementOf(source: string, from: number): string {
  let [text, values] = ['', 0]
  for (let at = from + 1; source[at] !== '`'; at++) {
    if (source.startsWith('${', at)) {
      text += `$${++values}`
      at += enclosed(source, at + 1, '{}').length + 2
    } else text += source[at]
  }
  return text
}

const SIMPLE = /^(string|number|boolean|bigint|Date|Uint8Array)(\[\])?$/
const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
  /(?<!\.test)\.ts$/.test(file),
)

test('rows of raw statements have the columns and types that the code expects', async () => {
  const { rows } = await client.query<{ of: number; element: number }>(
    'select typarray::int as of, oid::int as element from pg_type where typarray <> 0',
  )
  const arrays = new Map(rows.map(({ of, element }) => [of, element]))
  const [wrong, composed]: [string[], string[]] = [[], []]
  let checked = 0
  for (const file of files) {
    const source = readFileSync(join('server', file), 'utf8')
    for (const { index } of source.matchAll(/\$queryRaw</g)) {
      const type = enclosed(source, index + 9, '<>')
      const begin = index + 9 + type.length + 2
      const columns = source[begin] === '`' ? await describeColumns(statementOf(source, begin)) : undefined
      if (!columns) composed.push(file)
      const fields = fieldsOf(type, source)
      if (!columns || !fields) continue
      checked++
      const found = new Map(columns.map(({ name, dataTypeID }) => [name, typeOf(dataTypeID, arrays)]))
      for (const [name, expected] of fields) {
        const actual = found.get(name)
        // any other type is a name for some texts, or an object within JSON
        const isRight = SIMPLE.test(expected) ? actual === expected : actual !== undefined
        if (!isRight) wrong.push(`${file}: ${name} is ${actual ?? 'no column'}, not ${expected}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(composed.toSorted()).toEqual(COMPOSED)
  expect(checked).toBeGreaterThan(60)
})
