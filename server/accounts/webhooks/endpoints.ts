import type { Prisma } from '../../../prisma/client/client.ts'
import type { ChosenType } from '../../contract/webhooks.ts'
import { newId } from '../../kit/crypto/ids.ts'
import { seconds } from '../../kit/db/clock.ts'
import type { Db } from '../../kit/db/transact.ts'
import { AppError } from '../../kit/error.ts'
import { type Resolve, reachableAddresses, type Unreachable } from '../../kit/http/outbound.ts'
import { type Page, type PageInput, toPage } from '../../ledger/page.ts'
import type { MemberCtx } from '../access.ts'
import { change } from '../change.ts'
import { stopDeliveries } from './deliver.ts'
import { encryptSecret, newSigningSecret } from './secret.ts'

const MOST = 10
const URL_LENGTH = 2000

const REFUSED = {
  unresolved: 'webhook-url-unresolved',
  'not-public': 'webhook-url-refused',
  'not-https': 'webhook-url-invalid',
} as const satisfies Record<Unreachable, string>

/** Times in Unix seconds. */
export type WebhookView = {
  id: string
  url: string
  types: ChosenType[]
  enabled: boolean
  /** `failures`: nothing was delivered for five days; null while enabled. */
  disabled: 'failures' | 'member' | null
  /** The first failed attempt after the last successful one; null if the last one was successful. */
  failingSince: number | null
  createdAt: number
  /** Until when deliveries are also signed with the secret before the last rotation; null outside of an overlap. */
  formerSecretUntil: number | null
}

type Row = Prisma.WebhookEndpointModel

const viewOf = (row: Row): WebhookView => ({
  id: row.id,
  url: row.url,
  types: row.types as ChosenType[],
  enabled: row.disabledAt === null,
  disabled: row.disabledAt === null ? null : row.disabledByFailures ? 'failures' : 'member',
  failingSince: row.failingSince && seconds(row.failingSince.getTime()),
  createdAt: seconds(row.createdAt.getTime()),
  formerSecretUntil:
    row.formerUntil && row.formerUntil.getTime() > Date.now() ? seconds(row.formerUntil.getTime()) : null,
})

/** The tenant's webhook with this id. Throws AppError. */
async function find({ prisma, tenant }: Db & Pick<MemberCtx, 'tenant'>, id: string): Promise<Row> {
  const row = await prisma.webhookEndpoint.findFirst({ where: { id, tenantId: tenant.id } })
  if (!row) throw new AppError('webhook-not-found')
  return row
}

export const viewWebhook = async (ctx: MemberCtx, id: string): Promise<WebhookView> => viewOf(await find(ctx, id))

/** The tenant's webhooks, newest first. */
export async function listWebhooks(
  { prisma, tenant }: MemberCtx,
  { cursor, limit }: PageInput,
): Promise<Page<WebhookView>> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { tenantId: tenant.id, ...(cursor && { id: { lt: cursor } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  })
  return toPage(rows.map(viewOf), limit)
}

/** The URL in canonical form, if webhooks may call it now; each attempt checks its addresses again. Throws AppError. */
async function checkUrl({ config }: Pick<MemberCtx, 'config'>, text: string, resolve?: Resolve): Promise<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.href.length > URL_LENGTH)
    throw new AppError('webhook-url-invalid', { field: 'url' })
  url.hash = ''
  const reached = await reachableAddresses(url, { allowed: config.webhooksAllow, resolve })
  if (typeof reached === 'string') throw new AppError(REFUSED[reached], { field: 'url' })
  return url.href
}

type Input = { url: string; types: ChosenType[] }

/** Creates a webhook. The text of its signing secret is returned only here. Throws AppError. */
export async function createWebhook(
  ctx: MemberCtx,
  input: Input,
  resolve?: Resolve,
): Promise<WebhookView & { secret: string }> {
  const url = await checkUrl(ctx, input.url, resolve)
  const types = [...new Set(input.types)]
  const tenantId = ctx.tenant.id
  return change(ctx, async ({ prisma, keyring }) => {
    // webhooks of a tenant are created one at a time; the count is a second statement, whose snapshot is newer than the lock
    await prisma.$queryRaw`select 1 from tenant where id = ${tenantId}::uuid for no key update`
    if ((await prisma.webhookEndpoint.count({ where: { tenantId } })) >= MOST)
      throw new AppError('too-many-webhooks', { most: MOST })
    const [id, secret] = [newId(), newSigningSecret()]
    const row = await prisma.webhookEndpoint.create({
      data: { id, tenantId, url, types, secret: encryptSecret(keyring, id, secret) },
    })
    return {
      out: { ...viewOf(row), secret },
      change: { tenantId, action: 'webhook.create', target: id, after: { url, types } },
    }
  })
}

/** Changes what is given. Disabling ends the attempts that are still due; enabling starts none. Throws AppError. */
export async function updateWebhook(
  ctx: MemberCtx,
  { id, ...input }: { id: string } & { [K in keyof Input | 'enabled']?: (Input & { enabled: boolean })[K] | undefined },
  resolve?: Resolve,
): Promise<WebhookView> {
  const url = input.url === undefined ? undefined : await checkUrl(ctx, input.url, resolve)
  return change(ctx, async (ctx) => {
    const former = await find(ctx, id)
    const isEnabled = input.enabled ?? former.disabledAt === null
    const isTurned = isEnabled !== (former.disabledAt === null)
    const row = await ctx.prisma.webhookEndpoint.update({
      where: { id },
      data: {
        ...(url !== undefined && { url }),
        ...(input.types && { types: [...new Set(input.types)] }),
        ...(isTurned && { disabledAt: isEnabled ? null : new Date(), disabledByFailures: false, failingSince: null }),
      },
    })
    if (isTurned && !isEnabled) await stopDeliveries(ctx, id)
    const audited = (row: Row) => ({ url: row.url, types: row.types, enabled: row.disabledAt === null })
    return {
      out: viewOf(row),
      change: {
        tenantId: ctx.tenant.id,
        action: 'webhook.update',
        target: id,
        before: audited(former),
        after: audited(row),
      },
    }
  })
}

/** Creates a new secret, whose text is returned only here. For 24 hours deliveries are signed with the former one, too. Throws AppError. */
export async function rotateWebhook(ctx: MemberCtx, id: string): Promise<WebhookView & { secret: string }> {
  return change(ctx, async (ctx) => {
    await find(ctx, id)
    const secret = newSigningSecret()
    await ctx.prisma.$executeRaw`
      update webhook_endpoint set former_secret = secret, former_until = now() + interval '24 hours',
        secret = ${encryptSecret(ctx.keyring, id, secret)} where id = ${id}::uuid`
    return {
      out: { ...viewOf(await find(ctx, id)), secret },
      change: { tenantId: ctx.tenant.id, action: 'webhook.rotate', target: id },
    }
  })
}

/** Deletes a webhook with its deliveries. Throws AppError. */
export async function deleteWebhook(ctx: MemberCtx, id: string): Promise<{ id: string }> {
  return change(ctx, async (ctx) => {
    const { url, types } = await find(ctx, id)
    await ctx.prisma.webhookEndpoint.delete({ where: { id } })
    return {
      out: { id },
      change: { tenantId: ctx.tenant.id, action: 'webhook.delete', target: id, before: { url, types } },
    }
  })
}
