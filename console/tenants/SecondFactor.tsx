import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { FailureNote } from '../ui/Failure.tsx'
import { FormDialog } from '../ui/FormSheet.tsx'
import { Link } from '../ui/Link.tsx'
import { counted } from '../ui/number.ts'
import { Panel } from '../ui/Page.tsx'
import { Switch } from '../ui/Switch.tsx'
import { toast } from '../ui/toast.ts'

/** Whether the tenant lets in only who has a second factor. Asks before it locks somebody out. */
export function SecondFactor() {
  const { slug, require2fa, whyNot } = useTenant()
  const { user } = useMe()
  const [asking, setAsking] = useState(false)
  const unprotected = useQuery(
    trpc.members.unprotected.queryOptions({ tenant: slug }, { enabled: asking && !require2fa }),
  )
  const set = useMutation(
    trpc.tenants.update.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ require2fa }) => {
        setAsking(false)
        toast(require2fa ? 'A second factor is required now' : 'A second factor is not required any more')
        await refreshMe()
      },
    }),
  )
  const locksOut =
    user.twoFactorEnabled || require2fa
      ? undefined
      : 'Turn on your own second factor first: you would lock yourself out.'
  return (
    <Panel title="Second factor" description="A stolen password alone opens nothing then.">
      <Switch
        label="Require a second factor of every member"
        hint={
          <>
            Whoever has none is asked to turn it on before they get in. Yours is in{' '}
            <Link to="/account">your account</Link>.
          </>
        }
        checked={require2fa}
        onChange={() => setAsking(true)}
        reason={whyNot('tenant.write') ?? locksOut}
      />
      <FormDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          set.reset()
        }}
        title={require2fa ? 'Let in members without a second factor?' : 'Require a second factor?'}
        submit={require2fa ? 'Stop requiring it' : 'Require it'}
        danger={require2fa}
        reason={!require2fa && unprotected.isPending ? 'Wait until it is clear whom this locks out.' : undefined}
        busy={set.isPending}
        error={set.error}
        onSubmit={(event) => {
          event.preventDefault()
          set.mutate({ tenant: slug, require2fa: !require2fa })
        }}
      >
        <div className="text-13 text-ink-2">
          {require2fa ? (
            <p>A password alone opens the tenant again, for every member who has nothing else.</p>
          ) : unprotected.data ? (
            <LockedOut {...unprotected.data} />
          ) : unprotected.error ? (
            <FailureNote error={unprotected.error} />
          ) : (
            <p>Looking for members who have none…</p>
          )}
        </div>
      </FormDialog>
    </Panel>
  )
}

/** Who has to act before they get in again. */
function LockedOut({ count, first }: inferOutput<typeof trpc.members.unprotected>) {
  if (count === 0) return <p>Nobody is locked out: every member has one.</p>
  return (
    <>
      <p>
        {counted(count, 'member has', 'members have')} none, and {count === 1 ? 'is' : 'are'} out with the next request
        until they turn it on:
      </p>
      <ul className="mt-2 list-disc pl-4">
        {first.map(({ id, email }) => (
          <li key={id} className="wrap-anywhere">
            {email}
          </li>
        ))}
        {count > first.length && <li>and {counted(count - first.length, 'other')}</li>}
      </ul>
    </>
  )
}
