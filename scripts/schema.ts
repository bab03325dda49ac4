/**
 * Compares prisma/migrations with the models, with Prisma's schema engine as WebAssembly instead of the native one.
 *
 *   tsx scripts/schema.ts check        fails if the migrations do not match the models
 *   tsx scripts/schema.ts new NAME     writes the missing migration
 *
 * Both apply the migrations to an empty database of a throw-away cluster and compare that with the models.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlQuery,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils'
import { migrate, readSchema } from '../server/kit/db/migrate.ts'
import { openTemporaryCluster } from '../test/support/temporary.ts'

const MIGRATIONS = 'prisma/migrations'

type Diff = { exitCode: number; stdout: string | null }
type Wasm = {
  instantiate(bytes: Uint8Array, imports: unknown): Promise<{ instance: { exports: Record<string, unknown> } }>
}
type Engine = { diff(input: unknown): Promise<Diff> }

/** PostgreSQL's own type `"char"` (OID 18), which its catalogues use and the driver adapter does not know. */
const CHAR = 18
const TEXT = 25

type Io = { performIO(query: unknown): Promise<{ fields: { dataTypeID: number }[] }> }

/** Lets the adapter read `"char"` columns: read as text, and reported to the engine as characters. */
function readingChars<Adapter extends { queryRaw(query: SqlQuery): Promise<SqlResultSet> }>(adapter: Adapter): Adapter {
  const io = adapter as unknown as Io
  const [performIO, queryRaw] = [io.performIO.bind(adapter), adapter.queryRaw.bind(adapter)]
  let chars: number[] = []
  io.performIO = async (query) => {
    const result = await performIO(query)
    chars = result.fields.flatMap((field, i) => (field.dataTypeID === CHAR ? [i] : []))
    for (const i of chars) Object.assign(result.fields[i] ?? {}, { dataTypeID: TEXT })
    return result
  }
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query)
    for (const i of chars) result.columnTypes[i] = ColumnTypeEnum.Character
    return result
  }
  return adapter
}

/** The schema engine over a live database. */
async function openEngine(url: string, models: [string, string][]): Promise<Engine> {
  const require = createRequire(import.meta.url)
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg')) as {
    __wbg_set_wasm(exports: Record<string, unknown>): void
    SchemaEngine: { new: (options: unknown, log: (line: string) => void, adapter: unknown) => Promise<Engine> }
  }
  const wasm = readFileSync(require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'))
  const { instance } = await (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly.instantiate(wasm, {
    './schema_engine_bg.js': glue,
  })
  glue.__wbg_set_wasm(instance.exports)
  const start = instance.exports['__wbindgen_start']
  if (typeof start === 'function') start()
  const factory = new PrismaPg({ connectionString: url, max: 1 })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => readingChars(await connect())
  return glue.SchemaEngine.new({ datamodels: models }, () => {}, bindMigrationAwareSqlAdapterFactory(factory))
}

async function difference(): Promise<string | undefined> {
  const models = readdirSync('prisma')
    .filter((file) => file.endsWith('.prisma'))
    .map((file): [string, string] => [join('prisma', file), readFileSync(join('prisma', file), 'utf8')])
  const cluster = await openTemporaryCluster('schema check')
  try {
    await cluster.createDatabase('migrated')
    // only the tables, because the models do not contain functions
    await migrate(cluster.url('migrated'), { ...readSchema(), functions: [] })
    const engine = await openEngine(cluster.url('migrated'), models)
    const files = models.map(([path, content]) => ({ path, content }))
    const { exitCode, stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: '.' },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: true,
      shadowDatabaseUrl: null,
      filters: { externalTables: ['public._sql_file'], externalEnums: [] },
    })
    return exitCode === 0 ? undefined : (stdout ?? '')
  } finally {
    await cluster.close()
  }
}

const [command, name] = process.argv.slice(2)
const missing = await difference()
if (command === 'check') {
  if (missing !== undefined) {
    console.error(
      `The migrations do not match prisma/*.prisma. Missing:\n\n${missing}\nWrite it with: npx tsx scripts/schema.ts new NAME`,
    )
    process.exit(1)
  }
  console.log('schema: the migrations match the models')
} else if (command === 'new' && name !== undefined && /^[a-z0-9_]+$/.test(name)) {
  if (missing === undefined) {
    console.log('schema: nothing to migrate')
  } else {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
    const directory = join(MIGRATIONS, `${stamp}_${name}`)
    mkdirSync(directory, { recursive: true })
    writeFileSync(join(directory, 'migration.sql'), missing)
    console.log(`schema: wrote ${directory}/migration.sql; read it before you commit it`)
  }
} else {
  console.error('usage: tsx scripts/schema.ts check | new lower_case_name')
  process.exit(2)
}
process.exit(0)
