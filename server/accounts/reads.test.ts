import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Rows that only some files of the server may read, because a statement elsewhere could omit a rule of who may see what. */
const RESTRICTED = [
  {
    what: 'memberships, because accounts/access.ts decides who is admitted to a tenant',
    pattern:
      /\.member\.(find|count|create|update|upsert|delete|aggregate|groupBy)|\bmembers: *(\{|true)|\b(from|join|into|update|using) +(public\.)?"?member"?\b/i,
    at: /^accounts\/(access\.ts|keys\/|members\/|staff\/|people\/|tenants\/(view|createOwn|delete)\.ts)|^ledger\/audit\/list\.ts/,
  },
  {
    what: 'sessions, because accounts/sessions/current.ts decides whether a session is over',
    pattern:
      /prisma\.session\.|\bgetSession\(|\bsessions: *(\{|true)|\b(from|join|into|update|using) +(public\.)?"?session"?\b/i,
    at: /^accounts\/(sessions|people|oidc)\/|^accounts\/members\/list\.ts/,
  },
]

test.each(RESTRICTED)('only some files read $what', ({ pattern, at }) => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.(ts|sql)$/.test(file),
  )
  const reading = files.filter((file) => pattern.test(readFileSync(join('server', file), 'utf8')))
  expect(reading.filter((file) => at.test(file)).length).toBeGreaterThan(3)
  expect(reading.filter((file) => !at.test(file))).toEqual([])
})
