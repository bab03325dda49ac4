import { addBalance } from '../../server/accounts/plans/addBalance.ts'
import { setQuota } from '../../server/accounts/plans/setQuota.ts'
import { createSite } from '../../server/accounts/sites/create.ts'
import { addHostname } from '../../server/accounts/sites/hostnames/add.ts'
import { rotateSecret } from '../../server/accounts/sites/secrets/rotate.ts'
import { DEFAULT_POLICY, type SitePolicy } from '../../server/contract/sitePolicy.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import { byActor } from '../../server/ledger/audit/actor.ts'
import { recordAudit } from '../../server/ledger/audit/record.ts'
import type { Cast, SeedContext, Site, Sites } from './context.ts'
import { RELEASE } from './forms.ts'
import { past, shiftBack } from './past.ts'

const HOUR = 3600
const DAY = 24 * HOUR

const CALM = DEFAULT_POLICY
const STRICTER: SitePolicy = { ...CALM, subjectLimit: 5 }

/** The changes that people made in both tenants over the weeks, through the service's own functions where possible, each at its time. */
export async function seedChanges(ctx: SeedContext, cast: Cast): Promise<Sites> {
  const { demo, second, shop, boxOffice } = cast
  const tenants = [demo.id, second.id]
  await shiftBack(ctx, { tenants, since: new Date(0) }, 41 * DAY)
  const { since, month } = await clock(ctx)
  const by = <Out>(person: { id: string }, ago: number, verb: (ctx: SeedContext) => Promise<Out>): Promise<Out> =>
    past(
      ctx,
      { tenants, since },
      { actor: { type: person === cast.lead ? 'staff' : 'user', id: person.id }, ago },
      verb,
    )
  const site = async (tenant: { id: string }, maker: { id: string }, ago: number, name: string, hostname: string) => {
    const { id } = await by(maker, ago, (ctx) => createSite(ctx, tenant, { name, hostnames: [hostname] }))
    return { id, tenantId: tenant.id }
  }

  const sites: Sites = {
    shop,
    boxOffice,
    storefront: await site(demo, cast.owner, 40 * DAY, 'Storefront', 'shop.demo.example'),
    portal: await site(demo, cast.developer, 38 * DAY, 'Customer portal', 'account.demo.example'),
    fanClub: await site(second, cast.admin, 39 * DAY, 'Fan club', 'fans.northwind.example'),
  }
  const units = (tenant: { id: string }, ago: number, units: number, reason: string) =>
    by(cast.lead, ago, (ctx) => addBalance(ctx, tenant, { units, reason }))

  await units(second, 36 * DAY, 15_000, 'Top-up, invoice 2041')
  await by(cast.developer, 33 * DAY, (ctx) => addHostname(ctx, sites.storefront, 'www.demo.example'))
  await units(demo, 29 * DAY, 2500, 'Top-up, invoice 2107')
  await changeRole(ctx, cast, 24 * DAY)
  await units(demo, 20 * DAY, 250, 'Goodwill credit')
  await units(demo, 20 * DAY - HOUR, -50, 'Correction: the credit is 200 units')
  await by(cast.developer, RELEASE.hoursAgo * HOUR - RELEASE.brokenSeconds, (ctx) =>
    addHostname(ctx, sites.storefront, RELEASE.hostname),
  )
  await setPolicy(ctx, cast.admin, sites.storefront, 9 * DAY - 10 * HOUR, CALM, STRICTER)
  await setPolicy(ctx, cast.admin, sites.storefront, 8 * DAY - 8 * HOUR, STRICTER, CALM)
  await by(cast.developer, 6 * DAY, (ctx) => rotateSecret(ctx, sites.portal, DAY))
  await invite(ctx, cast, 14 * HOUR)
  await by(cast.lead, month, async (ctx) =>
    setQuota(ctx, await ctx.prisma.tenant.findUniqueOrThrow({ where: { id: second.id } }), 9000),
  )
  return sites
}

/** When this transaction began, and how many seconds ago the month began. */
async function clock({ prisma }: SeedContext): Promise<{ since: Date; month: number }> {
  const [row] = await prisma.$queryRaw<{ since: Date; month: number }[]>`
    select now() as since, extract(epoch from (now() at time zone 'utc') - utc_month()::timestamp)::float8 as month`
  if (!row) throw new Error('the database has no clock')
  return row
}

/** The function needs a signed-in member, so only its result is written. */
async function changeRole({ prisma }: SeedContext, { demo, owner, developer }: Cast, ago: number): Promise<void> {
  const { id } = await prisma.member.findFirstOrThrow({ where: { tenantId: demo.id, userId: developer.id } })
  await recordAudit(
    { prisma },
    {
      tenantId: demo.id,
      ...byActor({ type: 'user', id: owner.id }),
      action: 'member.change_role',
      target: id,
      before: { role: 'viewer' },
      after: { role: 'developer' },
      createdAt: before(ago),
    },
  )
}

async function setPolicy(
  { prisma }: SeedContext,
  by: { id: string },
  site: Site,
  ago: number,
  was: SitePolicy,
  is: SitePolicy,
): Promise<void> {
  await recordAudit(
    { prisma },
    {
      tenantId: site.tenantId,
      ...byActor({ type: 'user', id: by.id }),
      action: 'site.set_policy',
      target: site.id,
      before: was,
      after: is,
      createdAt: before(ago),
    },
  )
}

/** An invitation that has not been accepted yet. */
async function invite({ prisma }: SeedContext, { demo, owner }: Cast, ago: number): Promise<void> {
  const [email, role, createdAt] = ['leonie.brandt@demo.example', 'developer', before(ago)] as const
  const { id } = await prisma.invitation.create({
    data: {
      id: newId(),
      tenantId: demo.id,
      email,
      role,
      inviterId: owner.id,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 72 * HOUR * 1000),
    },
  })
  await recordAudit(
    { prisma },
    {
      tenantId: demo.id,
      ...byActor({ type: 'user', id: owner.id }),
      action: 'member.invite',
      target: id,
      after: { email, role },
      createdAt,
    },
  )
}

const before = (seconds: number): Date => new Date(Date.now() - seconds * 1000)
