import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { Code } from '../ui/Code.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'
import { refreshKeys } from './refreshKeys.ts'
import { useSite, useSiteInput } from './useSite.ts'

/** Ends one secret at once, after saying what follows. */
export function RevokeSecret({ secret }: { secret: { id: string; prefix: string; last4: string } }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const { liveSecrets } = useSite()
  const [asking, setAsking] = useState(false)
  const name = `${secret.prefix}…${secret.last4}`
  const revoke = useMutation(
    trpc.secrets.revoke.mutationOptions({
      onSuccess: async () => {
        toast(`${name} is revoked`)
        await refreshKeys()
      },
    }),
  )
  return (
    <>
      <Button
        size="small"
        busy={revoke.isPending}
        reason={whyNot('secret.revoke')}
        onClick={() => setAsking(true)}
        aria-label={`Revoke ${name}`}
      >
        Revoke
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title="Revoke this secret?"
        action="Revoke now"
        onConfirm={() => revoke.mutate({ ...input, secret: secret.id })}
      >
        <p>
          Calls with <Code>{name}</Code> are refused with <Code>unauthorized</Code>, everywhere within 10 seconds. This
          cannot be undone.
        </p>
        {liveSecrets <= 1 && (
          <p className="mt-2 font-medium text-block">
            It is the only one that works: your backend stops until it has another.
          </p>
        )}
      </Confirm>
    </>
  )
}
