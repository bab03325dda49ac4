import { createHash } from 'node:crypto'
import type { ClientBase, Pool } from 'pg'
import { readSchema } from '../../server/kit/db/migrate.ts'
import type { TestApp } from './app.ts'
import { makeSite } from './make.ts'

type Sql = Pick<Pool | ClientBase, 'query'>

/** How PostgreSQL understands a statement: the types of its parameters and of its columns, as it prints them. */
type Described = { parameters: string; columns: string }

/** What the nodes of a version need of the database; the next version runs beside them. */
export type Released = {
  version: string
  /** Checksums by name: a migration of a release never changes. */
  migrations: Record<string, string>
  /** `name(arguments)` → result of each SQL function. */
  functions: Record<string, string>
  /** The labels of each enum that a function returns. */
  answers: Record<string, string[]>
  /** The prepared statements of the verification path by name. */
  statements: Record<string, Described & { text: string }>
}

/** The functions of the schema `public`, and the status words that they return. */
export async function readSignatures(sql: Sql): Promise<Pick<Released, 'functions' | 'answers'>> {
  const functions = await sql.query<{ call: string; result: string }>(
    `select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as call, pg_get_function_result(p.oid) as result
     from pg_proc p where p.pronamespace = 'public'::regnamespace order by 1`,
  )
  const answers = await sql.query<{ name: string; labels: string[] }>(
    `select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
     from pg_type t join pg_enum e on e.enumtypid = t.oid
     where t.typname like '%\\_status' group by 1 order by 1`,
  )
  return {
    functions: Object.fromEntries(functions.rows.map(({ call, result }) => [call, result])),
    answers: Object.fromEntries(answers.rows.map(({ name, labels }) => [name, labels])),
  }
}

export const readMigrationChecksums = (): Record<string, string> =>
  Object.fromEntries(readSchema().migrations.map(({ name, checksum }) => [name, checksum]))

/** Fails if the database does not accept the statement. */
export async function describeStatement(client: ClientBase, text: string): Promise<Described> {
  const name = `described_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
  await client.query(`prepare ${name} as ${text}`)
  const { rows } = await client.query<Described>(
    'select parameter_types::text as parameters, result_types::text as columns from pg_prepared_statements where name = $1',
    [name],
  )
  await client.query(`deallocate ${name}`)
  const [described] = rows
  if (!described) throw new Error(`PostgreSQL prepared no ${name}`)
  return described
}

/** Runs the public API once, and returns the prepared statements by name that it needed. */
export async function recordStatements({ ctx, client }: TestApp): Promise<Map<string, string>> {
  const statements = new Map<string, string>()
  const query = ctx.hotPool.query.bind(ctx.hotPool)
  ctx.hotPool.query = (statement, values) => {
    statements.set(statement.name, statement.text)
    return query(statement, values)
  }
  const site = await makeSite(ctx, {})
  const session = createHash('sha256').update('session').digest('hex')
  const earned = await client.earn(site, { session })
  const { body } = await client.siteverify(site, earned)
  await client.siteverify(site, earned)
  await client.feedback(site, { decision_id: body['decision_id'] })
  const grant = await client.asSite('/grants', site, { decision_id: body['decision_id'], session })
  const exempt = await client.intent(site, { session, trusted_grant_id: grant.body['grant_id'] })
  await client.challenge(site, exempt.body['intent_id'])
  await client.asSite('/grants/revoke', site, { session })
  return statements
}
