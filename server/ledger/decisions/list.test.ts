import { expect, test } from 'vitest'
import { makeDecisions } from '../../../test/support/decisions.ts'
import { type MadeSite, makeSite } from '../../../test/support/make.ts'
import { readPages } from '../../../test/support/readPages.ts'
import { testApp } from '../../../test/support/testApp.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { listDecisions } from './list.ts'
import type { DecisionQuery } from './read.ts'

const app = testApp()

const list = (site: MadeSite, input: Parameters<typeof listDecisions>[2], most?: number) =>
  listDecisions(app.ctx, { id: site.tenantId }, input, most === undefined ? {} : { most })

/** Every row of the list, page by page; `between` happens after each page. */
const everything = (
  site: MadeSite,
  input: Omit<Parameters<typeof listDecisions>[2], 'cursor'>,
  { most, between }: { most?: number; between?: () => Promise<unknown> } = {},
) => readPages((cursor) => list(site, { ...input, cursor }, most), between)

test('each filter alone and all together return exactly the matching decisions', async () => {
  const site = await makeSite(app.ctx)
  const other = await makeSite(app.ctx, { tenantId: site.tenantId })
  const grantId = newId()
  const [plain, slow, exempted, paid, raised] = await makeDecisions(app, site, [
    {},
    { solveMs: 9000, mobile: true, action: 'login' },
    { solveMs: null, grantId, hostname: 'm.shop.example' },
    { chargedTo: 'balance' },
    { workReasons: 2 << 2 },
  ])
  const [elsewhere] = await makeDecisions(app, other, [{ ago: 60 }])
  if (!plain || !slow) throw new Error('not made')
  const event = { tenantId: site.tenantId, siteId: site.siteId, businessType: 'order', occurredAt: new Date() }
  const [first, second] = [newId(), newId()]
  await app.ctx.prisma.feedbackEvent.createMany({
    data: [
      { ...event, eventId: first, decisionId: plain, revision: 1, outcome: 'confirmed_abuse' },
      { ...event, eventId: second, decisionId: plain, revision: 2, outcome: 'legitimate', supersedes: first },
      { ...event, eventId: newId(), decisionId: slow, revision: 1, outcome: 'confirmed_abuse' },
    ],
  })
  const minuteAgo = Math.floor(Date.now() / 1000) - 30
  const cases: [DecisionQuery & { from?: number; to?: number }, (string | undefined)[]][] = [
    [{}, [plain, slow, exempted, paid, raised, elsewhere]],
    [{ site: other.siteId }, [elsewhere]],
    [{ site: newId() }, []],
    [{ action: 'login' }, [slow]],
    [{ action: 'LOGIN' }, [slow]],
    [{ action: 'log' }, []],
    [{ action: 'LOG*' }, [slow]],
    [{ action: 'log_n' }, []],
    [{ action: 'lo%' }, []],
    [{ hostname: '*M.shop*' }, [exempted]],
    [{ hostname: `*${'a'.repeat(253)}*` }, []],
    [{ hostname: 'shop.example' }, [plain, slow, paid, raised, elsewhere]],
    [{ hostname: 'm.shop.example' }, [exempted]],
    [{ outcome: 'legitimate' }, [plain]],
    [{ outcome: 'confirmed_abuse' }, [slow]],
    [{ outcome: 'none' }, [exempted, paid, raised, elsewhere]],
    [{ way: 'exempted' }, [exempted]],
    [{ way: 'solved' }, [plain, slow, paid, raised, elsewhere]],
    [{ device: 'mobile' }, [slow]],
    [{ device: 'desktop' }, [plain, paid, raised, elsewhere]],
    [{ paid: 'balance' }, [paid]],
    [{ slow: 9000 }, [slow]],
    [{ slow: 9001 }, []],
    [{ reasons: 3 << 2 }, [raised]],
    [{ reasons: 3 }, []],
    [{ to: minuteAgo }, [elsewhere]],
    [{ from: minuteAgo }, [plain, slow, exempted, paid, raised]],
    [{ site: site.siteId, device: 'mobile', outcome: 'confirmed_abuse', slow: 5000 }, [slow]],
    [{ site: other.siteId, device: 'mobile' }, []],
  ]
  for (const [filters, expected] of cases) {
    const { rows } = await list(site, { ...filters, limit: 50 })
    expect({ filters, ids: rows.map(({ id }) => id).toSorted() }).toEqual({ filters, ids: expected.toSorted() })
  }
})

test('a row contains all fields of the decision', async () => {
  const site = await makeSite(app.ctx)
  const [id = ''] = await makeDecisions(app, site, [{ solveMs: 2345, mobile: true, work: 131_072n }])
  expect((await list(site, { limit: 1 })).rows).toEqual([
    {
      id,
      decisionId: `dec_${id.replaceAll('-', '')}`,
      site: { id: site.siteId, name: 'Test' },
      action: 'checkout',
      hostname: 'shop.example',
      redeemedAt: expect.any(Number) as number,
      solveMs: 2345,
      work: 131_072,
      device: 'mobile',
      exempted: false,
      chargedTo: 'quota',
      outcome: null,
    },
  ])
})

test('pages lose and repeat nothing while decisions are added, even with equal timestamps', async () => {
  const site = await makeSite(app.ctx)
  const made = await makeDecisions(
    app,
    site,
    Array.from({ length: 60 }, (_, i) => ({ ago: Math.floor(i / 20) * 100 })),
  )
  const { ids } = await everything(site, { limit: 7 }, { between: () => makeDecisions(app, site, [{}, {}]) })
  expect(ids.toSorted()).toEqual(made.toSorted())
})

test('finds rare decisions in bounded steps that each report how far they searched', async () => {
  const site = await makeSite(app.ctx)
  const made = await makeDecisions(
    app,
    site,
    Array.from({ length: 100 }, (_, i) => ({ ago: i * 10, ...(i % 40 === 19 && { mobile: true }) })),
  )
  const wanted = made.filter((_, i) => i % 40 === 19)
  const step = await list(site, { device: 'mobile', limit: 50 }, 10)
  expect(step).toMatchObject({ rows: [], nextCursor: `${step.searchedTo?.toFixed(6)}~${made[9]}` })
  expect(Math.round(Date.now() / 1000 - (step.searchedTo ?? 0))).toBeGreaterThanOrEqual(90)
  expect(await everything(site, { device: 'mobile', limit: 50 }, { most: 10 })).toEqual({ ids: wanted, pages: 11 })
  expect(await everything(site, { device: 'mobile', limit: 1 }, { most: 1000 })).toEqual({ ids: wanted, pages: 3 })
})

test('the last page has no cursor', async () => {
  const site = await makeSite(app.ctx)
  await makeDecisions(app, site, [{}, {}])
  expect(await list(site, { limit: 2 })).toMatchObject({ nextCursor: null, searchedTo: null })
})

test("never returns another tenant's decisions, even by site or by cursor", async () => {
  const [own, foreign] = [await makeSite(app.ctx), await makeSite(app.ctx)]
  const [mine] = await makeDecisions(app, own, [{ ago: 5 }])
  await makeDecisions(app, foreign, [{}, { ago: 10 }])
  expect((await list(own, { site: foreign.siteId, limit: 9 })).rows).toEqual([])
  const { nextCursor } = await list(foreign, { limit: 1 })
  expect((await list(own, { cursor: nextCursor ?? '', limit: 9 })).rows.map(({ id }) => id)).toEqual([mine])
})
