import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { FormDialog } from '../ui/form/FormSheet.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorNote } from '../ui/page/ErrorNotice.tsx'
import { Panel } from '../ui/page/Page.tsx'
import { counted } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'

/** Requires two-factor authentication of all members. Asks before locking someone out. */
export function RequireTwoFactor() {
  const { slug, require2fa, whyNot } = useTenant()
  const { user } = useMe()
  const [confirming, setConfirming] = useState(false)
  const unprotected = useQuery(
    trpc.members.unprotected.queryOptions({ tenant: slug }, { enabled: confirming && !require2fa }),
  )
  const set = useMutation(
    trpc.tenants.update.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ require2fa }) => {
        setConfirming(false)
        toast(
          require2fa ? 'Two-factor authentication is now required' : 'Two-factor authentication is no longer required',
        )
        await refreshMe()
      },
    }),
  )
  const ownLockout =
    user.twoFactorEnabled || require2fa ? undefined : 'Turn on two-factor authentication for your own account first.'
  return (
    <Panel title="Two-factor authentication" description="Protects against stolen passwords.">
      <Switch
        label="Require it for all members"
        hint={
          <>
            Members without it must turn it on before they can continue. Yours is in{' '}
            <Link to="/account">your account</Link>.
          </>
        }
        checked={require2fa}
        onChange={() => setConfirming(true)}
        reason={whyNot('tenant.write') ?? ownLockout}
      />
      <FormDialog
        open={confirming}
        onClose={() => {
          setConfirming(false)
          set.reset()
        }}
        title={require2fa ? 'Stop requiring two-factor authentication?' : 'Require two-factor authentication?'}
        submit={require2fa ? 'Stop requiring it' : 'Require it'}
        danger={require2fa}
        reason={!require2fa && unprotected.isPending ? 'Checking which members would be locked out.' : undefined}
        mutation={set}
        onSubmit={() => set.mutate({ tenant: slug, require2fa: !require2fa })}
      >
        <div className="text-13 text-ink-2">
          {require2fa ? (
            <p>Members without two-factor authentication can then sign in with their password alone.</p>
          ) : unprotected.data ? (
            <LockedOutMembers {...unprotected.data} />
          ) : unprotected.error ? (
            <ErrorNote error={unprotected.error} />
          ) : (
            <p>Checking members…</p>
          )}
        </div>
      </FormDialog>
    </Panel>
  )
}

/** The members who would be locked out. */
function LockedOutMembers({ count, first }: inferOutput<typeof trpc.members.unprotected>) {
  if (count === 0) return <p>All members already use it.</p>
  return (
    <>
      <p>{counted(count, 'member does', 'members do')} not use it and will lose access until they turn it on:</p>
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
