import { beforeAll, expect, test } from 'vitest'
import { type MadeSite, makeSite } from '../../../../test/support/make.ts'
import { testApp } from '../../../../test/support/testApp.ts'
import { admitOperator, type OperatorCtx } from '../../../accounts/access.ts'
import { addNetwork } from '../../../accounts/networks/add.ts'

const app = testApp()
let operator: OperatorCtx
beforeAll(async () => {
  operator = admitOperator(app.ctx, 'test')
})

const ALLOWED = '198.51.100.77'
/** Not the same for two tests: unsolved challenges count at all sites. */
let others = 0
const other = () => `203.0.${++others}.77`

async function makeAllowed(policy: NonNullable<Parameters<typeof makeSite>[1]>['policy']): Promise<MadeSite> {
  const site = await makeSite(app.ctx, { policy: { networkLimit: 1_000, ...policy } })
  const owner = { site: { id: site.siteId, tenantId: site.tenantId } }
  await addNetwork(operator, owner, { network: `${ALLOWED}/32`, verdict: 'allow', note: 'test' })
  return site
}

async function ask(site: MadeSite, address: string, kinds?: string[]) {
  const intent_id = String((await app.client.intent(site)).body['intent_id'])
  return { intent_id, reply: await app.client.challenge(site, intent_id, { address, ...(kinds && { kinds }) }) }
}

type Limited = () => Promise<boolean>

const askOnly =
  async (site: MadeSite, address: string): Promise<Limited> =>
  async () =>
    (await ask(site, address)).reply.status === 429

const askForUnknown =
  async (site: MadeSite, address: string): Promise<Limited> =>
  async () =>
    (await app.client.challenge(site, '01890000-0000-7000-8000-000000000000', { address })).status === 429

/** Asks for the kind that the site does not prefer. */
async function fallBack(site: MadeSite, address: string): Promise<Limited> {
  const target = async () => Number((await ask(site, address, ['pow-sha256'])).reply.body['target'])
  const usual = await target()
  return async () => (await target()) < usual
}

/** Each limit by network: after how many times others are limited at the latest. */
const LIMITS: [
  name: string,
  policy: Parameters<typeof makeAllowed>[0],
  most: number,
  visit: (site: MadeSite, address: string) => Promise<Limited>,
][] = [
  ['requests about unknown intents', { networkLimit: 3 }, 4, askForUnknown],
  ['unsolved challenges', {}, 90, askOnly],
  ['unsolved challenges in attack mode', { workMode: 'attack' }, 90, askOnly],
  ['challenges of SHA-256 at the usual difficulty', { challengeKind: 'auto', workMode: 'fixed' }, 20, fallBack],
]

test.each(LIMITS)('a network on the list “allow” has no limit of %s', async (_, policy, most, visit) => {
  const site = await makeAllowed(policy)
  const isLimitedAt = async (address: string): Promise<boolean> => {
    const isLimited = await visit(site, address)
    for (let times = 0; times < most; times++) if (await isLimited()) return true
    return false
  }
  expect({ allowed: await isLimitedAt(ALLOWED), other: await isLimitedAt(other()) }).toEqual({
    allowed: false,
    other: true,
  })
})
