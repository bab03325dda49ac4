import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHOSEN_TYPES } from '../../server/contract/webhooks.ts'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { Webhook } from './api.ts'
import { WebhookSheet } from './WebhookSheet.tsx'
import { stateOf } from './words.ts'

const columns: readonly Column<Webhook>[] = [
  column('URL', (webhook) => <WebhookLink {...webhook} />, { width: 'wide' }),
  column('Events', ({ types }) =>
    types.length === CHOSEN_TYPES.length ? 'All' : types.length === 1 ? types[0] : counted(types.length, 'event'),
  ),
  column('State', (webhook) => <Pill tone={stateOf(webhook).tone}>{stateOf(webhook).word}</Pill>),
  column('Created', ({ createdAt }) => <Time at={createdAt} as="relative" />),
]

function WebhookLink({ id, url }: Webhook) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/settings/webhooks/$id" params={{ tenant: slug, id }}>
      {url}
    </Link>
  )
}

/** The tenant's webhooks. */
export function Webhooks() {
  const { name, may, whyNot } = useTenant()
  const [creating, setCreating] = useState(false)
  return (
    <Page
      title="Webhooks"
      context={name}
      description="Requests to your servers when something happens in this tenant."
      actions={
        may('webhook.read') ? (
          <Button look="primary" onClick={() => setCreating(true)} reason={whyNot('webhook.write')}>
            Create webhook
          </Button>
        ) : undefined
      }
    >
      <WithPermission permission="webhook.read" title="You don’t have access to webhooks">
        <List creating={creating} onClose={() => setCreating(false)} />
      </WithPermission>
    </Page>
  )
}

function List({ creating, onClose }: { creating: boolean; onClose: () => void }) {
  const { slug } = useTenant()
  const { data, ...query } = useQuery(trpc.webhooks.list.queryOptions({ tenant: slug }))
  // in component state only: the response is not cached
  const [secret, setSecret] = useState<string | null>(null)
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      meta: { inline: true },
      gcTime: 0,
      onSuccess: ({ secret }) => {
        setSecret(secret)
        create.reset()
        onClose()
      },
    }),
  )
  return (
    <>
      <Table
        label="Webhooks"
        list={{ ...query, data: data?.rows }}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No webhooks">
            Create one to get a request when an incident starts, the quota is used up, or an integration has a mistake.
          </EmptyState>
        }
      />
      <WebhookSheet
        open={creating}
        onClose={onClose}
        title="Create a webhook"
        submit="Create webhook"
        mutation={create}
        onSubmit={(values) => create.mutate({ tenant: slug, ...values })}
      />
      <Reveal
        title="The signing secret"
        name="Signing secret"
        secret={secret}
        description="Copy it now – you won’t see it again. Your server verifies with it that a request is from Tollgate."
        onDone={() => setSecret(null)}
      />
    </>
  )
}
