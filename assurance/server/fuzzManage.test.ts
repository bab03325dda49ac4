import { expect, test, vi } from 'vitest'
import { SCOPE_NAMES } from '../../server/contract/scopes.ts'
import { describeManage } from '../../server/manage/describe.ts'
import { makeCast, makeWorld } from '../../test/matrix/world.ts'
import { makeKey } from '../../test/support/manage.ts'
import { operate } from '../../test/support/operate.ts'
import { setUp, testApp } from '../../test/support/testApp.ts'
import { fuzzManage, type ManageTarget } from '../fuzz/manage.ts'

/** A longer run, by hand: FUZZ_COUNT=100000 FUZZ_SEED=7 npx vitest run --config assurance/vitest.config.ts fuzzManage */
const OPTIONS = {
  count: Number(process.env['FUZZ_COUNT'] ?? 2000),
  seed: Number(process.env['FUZZ_SEED'] ?? 20261126),
}

const app = testApp({ UNKNOWN_SECRETS_PER_MINUTE: '1000000' })
const cast = setUp(() => makeCast(app))

test(
  'the management API answers everything as its document describes, without a 5xx',
  async () => {
    // a key has 20 calls a second
    vi.spyOn(app.ctx.limiter, 'take').mockReturnValue(0)
    const worlds = await Promise.all([makeWorld(cast), makeWorld(cast)])
    // those of the tests are easier than a policy may be
    await app.sql.query('update site set base_work = 2048, rate_per_second = 200, rate_burst = 400')
    const before = await operate(app).mismatches()
    const createdBy = cast.people.owner.userId
    const made = await Promise.all(
      worlds.flatMap(({ tenant, site }) => [
        makeKey(app, { tenantId: tenant.id, createdBy }),
        makeKey(app, { tenantId: tenant.id, createdBy }, { sites: [site] }),
        makeKey(
          app,
          { tenantId: tenant.id, createdBy },
          { scopes: SCOPE_NAMES.filter((name) => name.endsWith('read')) },
        ),
      ]),
    )
    const document = describeManage({ url: app.url, version: 'test' }) as ManageTarget['document']
    const members = await app.rows<{ id: string }>('select id::text from member where user_id = $1', [createdBy])
    const target = { url: app.url, document, keys: made.map(({ key }) => key), spared: members.map(({ id }) => id) }
    const { answers, faults } = await fuzzManage(target, OPTIONS)
    // of a run by hand: how often each answer
    if (process.env['FUZZ_COUNT']) console.log(JSON.stringify([...answers]))
    const errors = app.logged.filter((line) => /"level":[45]0/.test(line))
    expect(faults, `the service's warnings and errors: ${errors.join('\n')}`).toEqual([])
    // changes take their locks in one order
    const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    expect(await app.rows(deadlocks)).toEqual([{ deadlocks: 0 }])
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const succeeded = operations.filter(({ operationId }) => answers.has(`${operationId} 200 `))
    expect(succeeded.length).toBeGreaterThan(operations.length / 2)
    // the worlds have decisions without a charge
    expect(await operate(app).mismatches()).toEqual(before)
  },
  90 * OPTIONS.count,
)
