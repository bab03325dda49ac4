import { randomBytes, randomUUID } from 'node:crypto'
import { type Browser, expect, type Page } from '@playwright/test'
import { newId } from '../../server/kit/crypto/ids.ts'
import { heading } from './page.ts'
import type { Service } from './service.ts'

export type Role = 'owner' | 'admin' | 'developer' | 'billing' | 'viewer'

/** Somebody with a verified address, of one role in one tenant. */
export type Member = { userId: string; email: string; password: string; tenantId: string; slug: string }

const PASSWORD = 'correct horse battery'
/** Of the password; made once, because it is slow on purpose. */
let hash: Promise<string> | undefined

/** The service's address as its own pages know it: the origin that a browser has to name. */
export const consoleUrl = ({ url }: Service): string => url.replace('127.0.0.1', 'localhost')

/** A page of the tenant in the console. `path`: after the tenant's own, with its slash, or a query. */
export const tenantUrl = (service: Service, { slug }: { slug: string }, path = ''): string =>
  `${consoleUrl(service)}/o/${slug}${path}`

/** Makes a tenant without sites, and its owner. `quota`: units a month. */
export async function openTenant(service: Service, name = 'Pennywheel', quota = 100_000): Promise<Member> {
  const { id, slug } = await service.operator.createTenant({ name, quota })
  return makeMember(service, { tenantId: id, slug }, 'owner')
}

/** Makes somebody of this role in the tenant. */
export async function makeMember(
  service: Service,
  { tenantId, slug }: { tenantId: string; slug: string },
  role: Role,
): Promise<Member> {
  const userId = newId()
  const email = `${role}.${randomUUID().slice(0, 8)}@people.example`
  await service.sql.query(
    `insert into "user" (id, name, email, email_verified, updated_at) values ($1, 'Pat Person', $2, true, now())`,
    [userId, email],
  )
  await service.sql.query(
    `insert into account (id, user_id, account_id, provider_id, password, updated_at)
     values ($1, $2::uuid, $2::uuid::text, 'credential', $3, now())`,
    [newId(), userId, await (hash ??= service.operator.hashPassword(PASSWORD))],
  )
  await service.sql.query('insert into member (id, tenant_id, user_id, role) values ($1, $2, $3, $4::role)', [
    newId(),
    tenantId,
    userId,
    role,
  ])
  return { userId, email, password: PASSWORD, tenantId, slug }
}

/** Gives the page a network of its own: on one and the same, wrong tries of all tests would add up. Its header. */
export async function moveToNewNetwork(page: Page): Promise<{ 'x-forwarded-for': string }> {
  const network = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` }
  await page.setExtraHTTPHeaders(network)
  return network
}

/** Signs in without a page, as the one for it does in `givePassword`; the browser has the session then. */
export async function signIn(page: Page, service: Service, { email, password }: Member): Promise<void> {
  const { 'x-forwarded-for': address } = await moveToNewNetwork(page)
  const userAgent = await page.evaluate<string>('navigator.userAgent')
  const cookies = await service.operator.signIn({ email, password }, { address, userAgent })
  await page.context().addCookies(
    cookies.map((cookie) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      return { name, value, url: consoleUrl(service), httpOnly: true, sameSite: 'Lax' as const }
    }),
  )
}

/** Types address and password into the page for signing in, and sends them. */
export async function givePassword(
  page: Page,
  service: Service,
  { email, password }: Pick<Member, 'email' | 'password'>,
): Promise<void> {
  await moveToNewNetwork(page)
  await page.goto(`${consoleUrl(service)}/sign-in`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Lets the member's sign-in become older than what a fresh one may be. */
export async function ageSignIn({ sql }: Service, { userId }: Member): Promise<void> {
  await sql.query(`update session set created_at = created_at - interval '11 minutes' where user_id = $1`, [userId])
}

/** Answers the question for a fresh sign-in. */
export async function confirmIdentity(page: Page, { password }: Member): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Somebody else's browser, signed in. */
export async function openBrowser(browser: Browser, service: Service, member: Member): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, service, member)
  return page
}

/** The link of the newest letter to the address. */
export async function mailed({ mailbox }: Service, email: string, path: string): Promise<string> {
  await expect.poll(() => mailbox.linkTo(email, path), { message: `a letter to ${email}` }).toBeDefined()
  return String(mailbox.linkTo(email, path))
}

/** The owner of a new tenant, signed in at its overview. */
export async function openOverview(page: Page, service: Service): Promise<Member> {
  const owner = await openTenant(service)
  await signIn(page, service, owner)
  await page.goto(consoleUrl(service))
  await expect(heading(page, 'Overview')).toBeVisible()
  return owner
}
