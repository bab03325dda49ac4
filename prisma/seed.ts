import type { OperatorCtx } from '../server/accounts/access.ts'
import { addMember } from '../server/accounts/members/add.ts'
import { type EnsuredPerson, ensurePerson } from '../server/accounts/sessions/person.ts'
import { createSite } from '../server/accounts/sites/create.ts'
import { appointStaff } from '../server/accounts/staff/appoint.ts'
import { createTenant } from '../server/accounts/tenants/create.ts'
import type { Role } from '../server/contract/permissions.ts'
import { createDatabase } from '../server/kit/db/db.ts'
import type { Chapter } from '../server/ledger/overview.ts'
import { seedHistory } from './seed/history.ts'
import { readStory } from './seed/story.ts'

export type SeededPerson = EnsuredPerson & { name: string; role: Role | 'staff lead' }

export type Seeded = {
  /** The demo shop's keys. */
  site: { id: string; tenantId: string; sitekey: string }
  /** The secret's text, if this call created the site. */
  secret: string | undefined
  people: SeededPerson[]
  story: Chapter[]
}

const DEMO = { name: 'Demo', slug: 'demo', quota: 10_000 }
const SECOND = { name: 'Northwind Tickets', slug: 'northwind', quota: 1000 }

const MEMBERS = [
  { email: 'owner@demo.example', name: 'Mara Lindqvist', role: 'owner', inSecond: 'admin' },
  { email: 'admin@demo.example', name: 'Jonas Okafor', role: 'admin', inSecond: 'owner' },
  { email: 'developer@demo.example', name: 'Yuki Tanaka', role: 'developer', inSecond: undefined },
  { email: 'billing@demo.example', name: 'Elena Petrova', role: 'billing', inSecond: undefined },
  { email: 'viewer@demo.example', name: 'Sam Whitfield', role: 'viewer', inSecond: undefined },
] as const

const LEAD = { email: 'lead@tollgate.example', name: 'Robin Alvarez' }

/**
 * The demo data of an evaluation: two tenants, the demo shop's site, a person of each role, a member of staff, and the
 * traffic of the last weeks. Seeds once; later calls only add what is missing. `ownerUrl`: for the role that owns the tables,
 * because changes are moved into the past, and the service itself cannot change history. `ending`: when it is to fail.
 */
export async function seed(ctx: OperatorCtx, ownerUrl: string, ending?: AbortSignal): Promise<Seeded> {
  const owner = createDatabase({ url: ownerUrl }, ctx.log, { isUnbounded: true })
  try {
    return await seedAll({ ...ctx, prisma: owner.prisma }, ending)
  } finally {
    await owner.close()
  }
}

async function seedAll(ctx: OperatorCtx, ending: AbortSignal | undefined): Promise<Seeded> {
  const [demo, second] = [await ensureTenant(ctx, DEMO), await ensureTenant(ctx, SECOND)]
  const people: SeededPerson[] = []
  for (const { email, name, role, inSecond } of MEMBERS) {
    const person = await ensurePerson(ctx, { email, name })
    await ensureMember(ctx, demo.id, person, role)
    if (inSecond) await ensureMember(ctx, second.id, person, inSecond)
    people.push({ ...person, name, role })
  }
  const lead = await ensureLead(ctx)
  people.push({ ...lead, name: LEAD.name, role: 'staff lead' })
  const { site: boxOffice } = await ensureSite(ctx, second, {
    name: 'Box office',
    hostnames: ['tickets.northwind.example'],
  })
  const shop = await ensureSite(ctx, demo, { name: 'Demo shop', hostnames: ['localhost', '127.0.0.1'] })
  const whoIs = (role: Role): SeededPerson => {
    const person = people.find((one) => one.role === role)
    if (!person) throw new Error(`no person has the role ${role}`)
    return person
  }
  const [owner, admin, developer] = [whoIs('owner'), whoIs('admin'), whoIs('developer')]
  await seedHistory(ctx, { demo, second, shop: shop.site, boxOffice, owner, admin, developer, lead }, ending)
  return { ...shop, people, story: await readStory(ctx, demo) }
}

const ensureTenant = async (ctx: OperatorCtx, tenant: typeof DEMO) =>
  (await ctx.prisma.tenant.findUnique({ where: { slug: tenant.slug } })) ??
  (await createTenant(ctx, { ...tenant, demo: true }))

async function ensureMember(ctx: OperatorCtx, tenantId: string, person: EnsuredPerson, role: Role): Promise<void> {
  const known = await ctx.prisma.member.findUnique({ where: { tenantId_userId: { tenantId, userId: person.id } } })
  if (!known) await addMember(ctx, { tenantId, person, role })
}

async function ensureLead(ctx: OperatorCtx): Promise<EnsuredPerson> {
  const known = await ctx.prisma.user.findFirst({ where: { email: LEAD.email, staffLevel: 'lead' } })
  return known ? ensurePerson(ctx, LEAD) : appointStaff(ctx, { ...LEAD, level: 'lead' })
}

async function ensureSite(
  ctx: OperatorCtx,
  tenant: { id: string },
  site: { name: string; hostnames: string[] },
): Promise<Pick<Seeded, 'site' | 'secret'>> {
  const known = await ctx.prisma.site.findFirst({ where: { tenantId: tenant.id }, orderBy: { createdAt: 'asc' } })
  if (known) return { site: known, secret: undefined }
  const { id, sitekey, secret } = await createSite(ctx, tenant, site)
  return { site: { id, tenantId: tenant.id, sitekey }, secret }
}
