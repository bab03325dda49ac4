import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Panel, Section } from '../ui/page/Page.tsx'
import { type Column, DataTable } from '../ui/table/DataTable.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CopyText } from '../ui/text/Copy.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Permitted } from './Permitted.tsx'
import { RevokeSecret } from './RevokeSecret.tsx'
import { RotateSecret } from './RotateSecret.tsx'
import { refreshKeys } from './refreshKeys.ts'
import { useSite, useSiteInput } from './useSite.ts'

type Secret = inferOutput<typeof trpc.secrets.list>['rows'][number]

const STATES = {
  live: <Pill tone="pass">Live</Pill>,
  ending: <Pill tone="challenge">Ending</Pill>,
  ended: <Pill tone="neutral">Ended</Pill>,
} satisfies Record<Secret['state'], unknown>

const columns: readonly Column<Secret>[] = [
  { header: 'Secret', width: 'wide', cell: ({ prefix, last4 }) => <Code>{`${prefix}…${last4}`}</Code> },
  { header: 'State', cell: ({ state }) => STATES[state] },
  { header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} as="relative" /> },
  {
    header: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? <span className="text-ink-2">Never</span> : <Time at={lastUsedAt} as="relative" />,
  },
  {
    header: 'Expires',
    cell: ({ endsAt }) =>
      endsAt === null ? <span className="text-ink-2">No expiry</span> : <Time at={endsAt} as="relative" />,
  },
  {
    header: 'Action',
    hidden: true,
    align: 'right',
    cell: (secret) => (secret.state === 'ended' ? null : <RevokeSecret secret={secret} />),
  },
]

/** The site key, and the secret keys of the site's backend. */
export function Keys() {
  return (
    <Permitted to="secret.read" title="You don’t have access to keys">
      <OwnKeys />
    </Permitted>
  )
}

function OwnKeys() {
  const input = useSiteInput()
  const site = useSite()
  const { whyNot } = useTenant()
  const secrets = useInfiniteQuery(
    trpc.secrets.list.infiniteQueryOptions(input, { getNextPageParam: ({ nextCursor }) => nextCursor }),
  )
  // in component state only: the response is not cached
  const [revealed, setRevealed] = useState<string | null>(null)
  const issue = useMutation(
    trpc.secrets.issue.mutationOptions({
      gcTime: 0,
      onSuccess: async ({ secret }) => {
        setRevealed(secret)
        issue.reset()
        await refreshKeys()
      },
    }),
  )
  const full = site.liveSecrets >= 2 ? 'Two secrets are active. Revoke one, or wait until its overlap ends.' : undefined
  return (
    <>
      <Panel title="Site key" description="Public. Goes into data-sitekey on your pages and never changes.">
        <CopyText text={site.sitekey} name="site key" />
      </Panel>
      <Section
        title="Secret keys"
        description="For your backend only, as Authorization: Bearer. At most two are active at the same time, during a rotation."
        actions={
          <>
            <Button busy={issue.isPending} reason={whyNot('secret.issue') ?? full} onClick={() => issue.mutate(input)}>
              Create secret
            </Button>
            <RotateSecret live={site.liveSecrets} onRotated={setRevealed} />
          </>
        }
      >
        <DataTable
          label="Secret keys"
          list={secrets}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No secret key">
              Your backend can’t call the API without one. Create a secret, add it to your backend’s environment, and
              open an intent.
            </EmptyState>
          }
        />
      </Section>
      <Reveal title="Your new secret key" name="Secret key" secret={revealed} onDone={() => setRevealed(null)} />
    </>
  )
}
