import { z } from 'zod'
import { listDeliveries, resendDelivery, testWebhook } from '../accounts/webhooks/deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhook,
  updateWebhook,
  viewWebhook,
} from '../accounts/webhooks/endpoints.ts'
import { CHOSEN_TYPES } from '../contract/webhooks.ts'
import { boundedText } from './fields.ts'
import { fresh, member, paging, rest, router } from './trpc.ts'

const webhook = z.object({ id: z.uuid() })
const fields = z.object({
  url: boundedText(2000),
  types: z.array(z.enum(CHOSEN_TYPES)).min(1).max(CHOSEN_TYPES.length),
})

export const webhooksRouter = router({
  list: member('webhook.read')
    .meta(rest('GET /webhooks', 'List the webhooks'))
    .input(paging)
    .query(({ ctx, input }) => listWebhooks(ctx.member, input)),
  get: member('webhook.read')
    .meta(rest('GET /webhooks/{id}', 'Get a webhook'))
    .input(webhook)
    .query(({ ctx, input }) => viewWebhook(ctx.member, input.id)),
  /** Only this reply contains the signing secret's text. */
  create: fresh('webhook.write')
    .meta(rest('POST /webhooks', 'Create a webhook; only this reply contains its signing secret'))
    .input(fields)
    .mutation(({ ctx, input }) => createWebhook(ctx.member, input)),
  update: member('webhook.write')
    .meta(rest('PATCH /webhooks/{id}', 'Change the URL or the types of a webhook, disable or enable it'))
    .input(fields.extend({ enabled: z.boolean() }).partial().extend(webhook.shape))
    .mutation(({ ctx, input }) => updateWebhook(ctx.member, input)),
  /** Only this reply contains the new secret's text. */
  rotate: fresh('webhook.write')
    .meta(
      rest(
        'POST /webhooks/{id}/rotate',
        'Create a new signing secret; for 24 hours deliveries are signed with both. Only this reply contains its text',
      ),
    )
    .input(webhook)
    .mutation(({ ctx, input }) => rotateWebhook(ctx.member, input.id)),
  delete: member('webhook.write')
    .meta(rest('DELETE /webhooks/{id}', 'Delete a webhook with its deliveries'))
    .input(webhook)
    .mutation(({ ctx, input }) => deleteWebhook(ctx.member, input.id)),
  test: member('webhook.write')
    .meta(rest('POST /webhooks/{id}/test', 'Send a test event'))
    .input(webhook)
    .mutation(({ ctx, input }) => testWebhook(ctx.member, input.id)),
  deliveries: member('webhook.read')
    .meta(rest('GET /webhooks/{id}/deliveries', 'List the last 200 deliveries of 30 days'))
    .input(paging.extend(webhook.shape))
    .query(({ ctx, input }) => listDeliveries(ctx.member, input)),
  resend: member('webhook.write')
    .meta(rest('POST /webhooks/{id}/deliveries/{delivery}/resend', 'Send a delivery again'))
    .input(webhook.extend({ delivery: z.uuid() }))
    .mutation(({ ctx, input }) => resendDelivery(ctx.member, input)),
})
