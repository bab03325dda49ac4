import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { WithPermission } from '../frame/Permitted.tsx'
import { useAsked } from '../frame/useAsked.ts'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Reveal } from '../ui/text/Reveal.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type Secret, useDoctor, useSite, useSiteInput } from './api.ts'
import { ClientName } from './ClientName.tsx'
import { keyOf, Mistake } from './Mistake.tsx'
import { RotateSecret } from './RotateSecret.tsx'

const STATE_PILLS = {
  live: <Pill tone="pass">Active</Pill>,
  ending: <Pill tone="challenge">Ending</Pill>,
  ended: <Pill tone="neutral">Ended</Pill>,
} satisfies Record<Secret['state'], unknown>

const columns: readonly Column<Secret>[] = [
  column('Secret', ({ prefix, last4 }) => (
    <span className="whitespace-nowrap">
      <Code>{`${prefix}…${last4}`}</Code>
    </span>
  )),
  column('State', ({ state }) => STATE_PILLS[state]),
  column('Created', ({ createdAt }) => <Time at={createdAt} as="relative" />),
  column('Last used', ({ lastUsedAt, lastCallAt, usedBy }) =>
    lastCallAt === null ? (
      <span className="text-ink-2">Never</span>
    ) : (
      <>
        {lastCallAt !== lastUsedAt && <span className="font-medium text-block">Refused </span>}
        <Time at={lastCallAt} as="relative" />
        {usedBy !== null && (
          <>
            {' '}
            <span className="whitespace-nowrap text-ink-2">
              by <ClientName userAgent={usedBy} />
            </span>
          </>
        )}
      </>
    ),
  ),
  column('Expires', ({ endsAt }) =>
    endsAt === null ? <span className="text-ink-2">No expiry</span> : <Time at={endsAt} as="relative" />,
  ),
  column('Action', (secret) => (secret.state === 'ended' ? null : <RevokeSecret secret={secret} />), {
    hidden: true,
    align: 'right',
  }),
]

/** The site key, and the secret keys of the site's backend. */
export function Keys() {
  return (
    <WithPermission permission="secret.read" title="You don’t have access to keys">
      <SiteKeys />
    </WithPermission>
  )
}

function SiteKeys() {
  const input = useSiteInput()
  const site = useSite()
  const secrets = useInfiniteQuery(trpc.secrets.list.infiniteQueryOptions(input, PAGED))
  // in component state only: the response is not cached
  const [revealed, setRevealed] = useState<string | null>(null)
  return (
    <>
      <Section
        title="Secret keys"
        description="For your backend only, as Authorization: Bearer. At most two are active at the same time, during a rotation."
        actions={
          <>
            <CreateSecret liveSecrets={site.liveSecrets} onCreated={setRevealed} />
            <RotateSecret liveSecrets={site.liveSecrets} onRotated={setRevealed} />
          </>
        }
      >
        <AfterRotation secrets={secrets.data?.pages[0]?.rows ?? []} />
        <Table
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
        {/* its place depends on the rows above */}
        {secrets.data && <EndedInUse />}
      </Section>
      <Reveal title="Your new secret key" name="Secret key" secret={revealed} onDone={() => setRevealed(null)} />
    </>
  )
}

/** What comes next during the overlap of a rotation, and after one without an overlap until the new secret is used. */
function AfterRotation({ secrets }: { secrets: readonly Secret[] }) {
  const current = secrets.find(({ state }) => state === 'live')
  const old = secrets.find(({ state }) => state === 'ending')
  const isUnused = current?.lastUsedAt === null && secrets.some(({ state }) => state === 'ended')
  if (!current || !(old || isUnused)) return null
  return (
    <p className="mb-3 max-w-136 text-13 text-pretty">
      Next, put the new secret <Code>…{current.last4}</Code> on your servers:{' '}
      {old && old.endsAt !== null ? (
        <>
          the old one, <Code>…{old.last4}</Code>, works until <Time at={old.endsAt} />, and “Last used” shows whether a
          server still sends it.
        </>
      ) : (
        'the old one no longer works.'
      )}
    </p>
  )
}

/** Creates another secret beside the active one, which no rotation ends. `onCreated` gets its text. */
function CreateSecret({ liveSecrets, onCreated }: { liveSecrets: number; onCreated: (secret: string) => void }) {
  const input = useSiteInput()
  const { whyNot, may } = useTenant()
  const [open, setOpen] = useAsked('create-secret')
  const full = may('secret.revoke')
    ? 'Two secrets are active. Revoke the one that is not used, or wait until its overlap ends.'
    : 'Two secrets are active. Wait until the overlap ends, or ask an owner or admin to revoke the one that is not used.'
  const reason = whyNot('secret.issue') ?? (liveSecrets >= 2 ? full : undefined)
  const issue = useMutation(
    trpc.secrets.issue.mutationOptions({
      meta: { inline: true },
      gcTime: 0,
      onSuccess: ({ secret }) => {
        setOpen(false)
        onCreated(secret)
        issue.reset()
      },
    }),
  )
  return (
    <>
      <Button
        busy={issue.isPending}
        reason={reason}
        onClick={() => {
          issue.reset()
          setOpen(true)
        }}
      >
        Create secret
      </Button>
      <FormDialog
        open={open && reason === undefined}
        onClose={() => setOpen(false)}
        title="Create a secret key"
        description="You get a new secret, shown once."
        submit="Create secret"
        mutation={issue}
        onSubmit={() => issue.mutate(input)}
      >
        <p className="text-13">
          {liveSecrets === 0
            ? 'No secret is active: your backend works as soon as it has this one.'
            : 'The current secret keeps working until you revoke it. To let it end by itself after an overlap, rotate instead.'}
        </p>
      </FormDialog>
    </>
  )
}

/** The servers that still send an ended secret, with what to change there. */
function EndedInUse() {
  const { data } = useDoctor()
  const findings = data?.findings.filter(({ mistake }) => mistake === 'ended-secret') ?? []
  if (findings.length === 0) return null
  return (
    <ul className="mt-3 grid gap-3">
      {findings.map((finding) => (
        <Mistake key={keyOf(finding)} finding={finding} onKeys />
      ))}
    </ul>
  )
}

/** A secret that was used this recently is still in use. */
const IN_USE_SECONDS = 86_400

/** Revokes one secret after a confirmation. */
function RevokeSecret({ secret }: { secret: Secret }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const { liveSecrets } = useSite()
  const [confirming, setConfirming] = useState(false)
  const name = `${secret.prefix}…${secret.last4}`
  const [now] = useState(() => Date.now() / 1000)
  const inUse = secret.lastUsedAt !== null && secret.lastUsedAt > now - IN_USE_SECONDS
  const revoke = useMutation(
    trpc.secrets.revoke.mutationOptions({
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
        busy={revoke.isPending}
        reason={whyNot('secret.revoke')}
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
        title="Revoke this secret?"
        action="Revoke now"
        onConfirm={() => revoke.mutate({ ...input, secret: secret.id })}
        mutation={revoke}
      >
        <p>
          Within 10 seconds calls with <Code>{name}</Code> are refused with <Code>unauthorized</Code>. You can’t undo
          this.
        </p>
        {inUse && (
          <p className="mt-2 font-medium text-block">
            Not safe to revoke yet: {secret.usedBy === null ? 'a server' : <ClientName userAgent={secret.usedBy} />}
            {secret.usedFrom !== null && `, in the network ${secret.usedFrom},`} used it{' '}
            <Time at={secret.lastUsedAt ?? 0} as="relative" />.
          </p>
        )}
        {liveSecrets <= 1 && (
          <p className="mt-2 font-medium text-block">
            It is the only active secret: your backend stops working until it has another.
          </p>
        )}
      </Confirm>
    </>
  )
}
