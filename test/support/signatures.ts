import type { ClientBase, Pool } from 'pg'

/** What the nodes of a version depend on: the SQL functions that they call, and the status words these may return. */
export type Signatures = {
  /** `name(arguments)` → result, as PostgreSQL prints them. */
  functions: Record<string, string>
  /** The labels of each enum that a function returns. */
  answers: Record<string, string[]>
}

/** The signatures of all functions of the schema `public`. */
export async function readSignatures(sql: Pick<Pool | ClientBase, 'query'>): Promise<Signatures> {
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
