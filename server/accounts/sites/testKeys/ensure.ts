import type { Context } from '../../../kit/context.ts'
import { checksum62 } from '../../../kit/crypto/ids.ts'
import { lastFour } from '../secrets/issue.ts'
import { hashSecret } from '../secrets/verify.ts'
import { TEST_BEHAVIOURS, type TestBehaviour, TRY_BEHAVIOUR, testSitekey } from './behaviour.ts'

/** The tenant of the test keys: no plan, no quota, never billed. */
export const TEST_TENANT = '00000000-0000-7000-8000-000000000000'

/** The published secret of a test key: its 20 characters, zeros up to 43, and the checksum. */
export function testSecret(behaviour: TestBehaviour): string {
  const body = `tg_secret_${behaviour.name.padEnd(43, '0')}`
  return body + checksum62(body)
}

const idOf = (index: number, kind: number): string => `00000000-0000-7000-8000-0000000${kind}000${index}`

/** Creates the sites of the test keys and of the page /try if they are missing. They are the same in every deployment. */
export async function ensureTestKeys({ prisma, config }: Context): Promise<void> {
  const keys = config.testKeys
    ? TEST_BEHAVIOURS.map((behaviour, i) => ({ behaviour, id: idOf(i, 1), secret: testSecret(behaviour) }))
    : []
  const sites = [...keys, ...(config.tryPage ? [{ behaviour: TRY_BEHAVIOUR, id: idOf(0, 3) }] : [])]
  if (sites.length === 0) return
  await prisma.tenant.createMany({
    data: [{ id: TEST_TENANT, slug: 'test-keys', name: 'Test keys', monthlyQuota: 0 }],
    skipDuplicates: true,
  })
  await prisma.site.createMany({
    data: sites.map(({ behaviour, id }) => ({
      id,
      tenantId: TEST_TENANT,
      sitekey: testSitekey(behaviour),
      name: behaviour.name,
      baseWork: behaviour.work,
    })),
    skipDuplicates: true,
  })
  await prisma.secret.createMany({
    data: keys.map(({ id, secret }, i) => ({
      id: idOf(i, 2),
      siteId: id,
      tenantId: TEST_TENANT,
      hash: new Uint8Array(hashSecret(secret)),
      last4: lastFour(secret),
    })),
    skipDuplicates: true,
  })
}
