import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Confirm } from '../ui/overlay/Confirm.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { Code } from '../ui/text/Snippet.tsx'
import { refreshKeys } from './refreshKeys.ts'
import { useSite, useSiteInput } from './useSite.ts'

/** Revokes one secret after a confirmation. */
export function RevokeSecret({ secret }: { secret: { id: string; prefix: string; last4: string } }) {
  const input = useSiteInput()
  const { whyNot } = useTenant()
  const { liveSecrets } = useSite()
  const [asking, setAsking] = useState(false)
  const name = `${secret.prefix}…${secret.last4}`
  const revoke = useMutation(
    trpc.secrets.revoke.mutationOptions({
      meta: { inline: true },
      onSuccess: async () => {
        setAsking(false)
        toast(`${name} revoked`)
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
        onClick={() => {
          revoke.reset()
          setAsking(true)
        }}
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
        busy={revoke.isPending}
        error={revoke.error}
      >
        <p>
          Within 10 seconds calls with <Code>{name}</Code> are refused with <Code>unauthorized</Code>. You can’t undo
          this.
        </p>
        {liveSecrets <= 1 && (
          <p className="mt-2 font-medium text-block">
            It is the only active secret: your backend stops working until it has another.
          </p>
        )}
      </Confirm>
    </>
  )
}
