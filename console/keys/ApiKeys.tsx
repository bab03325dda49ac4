import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted } from '../ui/text/format.ts'
import { Pill } from '../ui/text/Pill.tsx'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { CreateKey } from './CreateKey.tsx'

type ApiKey = inferOutput<typeof trpc.keys.list>['rows'][number]

/** Whether the key is accepted, and why it may do nothing although it is. */
function State({ state, creator }: ApiKey) {
  if (state === 'revoked') return <Pill tone="neutral">Revoked</Pill>
  if (state === 'expired') return <Pill tone="neutral">Expired</Pill>
  return creator?.isMember ? <Pill tone="pass">Active</Pill> : <Pill tone="challenge">Creator left</Pill>
}

/** A few items; more of them when the person opens the list, so that rows stay low. */
function Listed({ items, noun }: { items: readonly string[]; noun: string }) {
  if (items.length === 0) return <>None left</>
  if (items.length <= 3) return <>{items.join(', ')}</>
  return (
    <details>
      <summary className="cursor-pointer">{counted(items.length, noun)}</summary>
      {items.join(', ')}
    </details>
  )
}

const columns: readonly Column<ApiKey>[] = [
  column(
    'Key',
    ({ name, last4 }) => (
      <>
        <span className="font-medium">{name}</span>{' '}
        <span className="inline-block">
          <Code>{`tg_manage_…${last4}`}</Code>
        </span>
      </>
    ),
    { width: 'wide' },
  ),
  column('State', (key) => <State {...key} />),
  column('Scopes', ({ scopes }) => <Listed items={scopes} noun="scope" />, { from: 'lg' }),
  column('Sites', ({ sites }) =>
    sites === null ? 'All' : <Listed items={sites.map(({ name }) => name)} noun="site" />,
  ),
  column(
    'Last used',
    ({ lastUsedAt, usedFrom }) =>
      lastUsedAt === null ? (
        <span className="text-ink-2">Never</span>
      ) : (
        <>
          <Time at={lastUsedAt} />
          {usedFrom !== null && <span className="text-ink-2 md:block"> from {usedFrom}</span>}
        </>
      ),
    { width: 'narrow' },
  ),
  column(
    'Expires',
    ({ expiresAt }) =>
      expiresAt === null ? <span className="text-ink-2">Never</span> : <Time at={expiresAt} as="day" />,
    { width: 'narrow' },
  ),
  column('Action', (key) => (key.state === 'active' ? <RevokeKey apiKey={key} /> : null), {
    hidden: true,
    align: 'right',
  }),
]

/** The keys of the management API. */
export function ApiKeys() {
  const { name, may, whyNot } = useTenant()
  const [creating, setCreating] = useState(false)
  // in component state only: the response is not cached
  const [revealed, setRevealed] = useState<string | null>(null)
  return (
    <Page
      title="API keys"
      context={name}
      description="For programs that manage this tenant: the command line, a pipeline, your own tools."
      actions={
        may('key.read') ? (
          <Button look="primary" onClick={() => setCreating(true)} reason={whyNot('key.write')}>
            Create key
          </Button>
        ) : undefined
      }
    >
      <WithPermission permission="key.read" title="You don’t have access to API keys">
        <Keys />
      </WithPermission>
      <CreateKey open={creating} onClose={() => setCreating(false)} onCreated={setRevealed} />
      <Reveal
        title="Your new API key"
        name="API key"
        secret={revealed}
        description="Copy it now – you won’t see it again. If you lose it, revoke it and create another."
        storeHint="In the secrets of your pipeline or a secret store; never in a repository."
        onDone={() => setRevealed(null)}
      />
    </Page>
  )
}

function Keys() {
  const { slug } = useTenant()
  const keys = useInfiniteQuery(trpc.keys.list.infiniteQueryOptions({ tenant: slug }, PAGED))
  return (
    <Table
      label="API keys"
      list={keys}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState title="No API keys">
          A key lets a program do what you can do here: create sites, rotate secrets, read decisions.
        </EmptyState>
      }
    />
  )
}

function RevokeKey({ apiKey: { id, name, last4, lastUsedAt } }: { apiKey: ApiKey }) {
  const { slug, whyNot } = useTenant()
  const [confirming, setConfirming] = useState(false)
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      meta: { inline: true },
      onSuccess: () => {
        setConfirming(false)
        toast(`${name} revoked`)
      },
    }),
  )
  return (
    <>
      <Button
        size="small"
        reason={whyNot('key.write')}
        onClick={() => {
          revoke.reset()
          setConfirming(true)
        }}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </Button>
      <Confirm
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Revoke ${name}?`}
        action="Revoke now"
        onConfirm={() => revoke.mutate({ tenant: slug, key: id })}
        mutation={revoke}
      >
        <p>
          The next call with <Code>{`tg_manage_…${last4}`}</Code> is refused. You can’t undo this.
        </p>
        {lastUsedAt !== null && (
          <p className="mt-2">
            It was last used <Time at={lastUsedAt} as="relative" />.
          </p>
        )}
      </Confirm>
    </>
  )
}
