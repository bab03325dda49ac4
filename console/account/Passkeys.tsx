import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { addPasskey, auth, type Proof, removePasskey, unwrap } from '../session/auth.ts'
import { useMe } from '../session/me.ts'
import { queryClient } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Time } from '../ui/text/Time.tsx'
import { browserOf } from './words.ts'

type Passkey = { id: string; name?: string | undefined; createdAt: Date | string }

const AskPassword = lazyPart(async () => (await import('./SecondFactorDialogs.tsx')).AskPassword)

const KEY = ['passkeys']

const columns: readonly Column<Passkey>[] = [
  column('Passkey', ({ name }) => name ?? 'Passkey', { width: 'wide' }),
  column('Created', ({ createdAt }) => <Time at={Math.floor(new Date(createdAt).getTime() / 1000)} as="relative" />),
  column('Action', (passkey) => <Remove passkey={passkey} />, { hidden: true, align: 'right' }),
]

/** Signing in by fingerprint, face or security key. */
export function Passkeys() {
  const { user, hasPassword } = useMe()
  const [asking, setAsking] = useState(false)
  const passkeys = useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<Passkey[]> => unwrap(auth.$fetch<Passkey[]>('/passkey/list-user-passkeys')),
  })
  const add = useMutation({
    meta: { inline: true },
    mutationFn: (proof: Proof) => addPasskey(browserOf(navigator.userAgent), proof),
    onSuccess: async () => {
      setAsking(false)
      toast('Passkey created')
      await queryClient.invalidateQueries({ queryKey: KEY })
    },
  })
  const button = (
    <Button
      onClick={() => {
        add.reset()
        setAsking(true)
      }}
    >
      Create passkey
    </Button>
  )
  return (
    <Section
      title="Passkeys"
      description={`Sign in with your fingerprint, face or security key${hasPassword ? ' instead of a password' : ''}.`}
      actions={passkeys.data?.length ? button : undefined}
    >
      <div className="grid gap-3">
        <Table
          label="Passkeys"
          list={passkeys}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No passkeys yet" action={button}>
              A passkey is stored on your device, which asks for your fingerprint, face or PIN. Your other ways to sign
              in continue to work.
            </EmptyState>
          }
        />
      </div>
      <Suspense>
        {asking && (
          <AskPassword
            title="Create a passkey"
            description="A passkey signs in without your password, so confirm that it’s you first."
            submit="Continue"
            code={user.twoFactorEnabled}
            mutation={add}
            onClose={() => setAsking(false)}
            onSubmit={(proof) => add.mutate(proof)}
          />
        )}
      </Suspense>
    </Section>
  )
}

function Remove({ passkey: { id, name = 'this passkey' } }: { passkey: Passkey }) {
  const { user } = useMe()
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    meta: { inline: true },
    mutationFn: (proof: Proof) => removePasskey(id, proof),
    onSuccess: async () => {
      setAsking(false)
      toast('Passkey removed')
      await queryClient.invalidateQueries({ queryKey: KEY })
    },
  })
  return (
    <>
      <Button
        size="small"
        busy={remove.isPending}
        onClick={() => {
          remove.reset()
          setAsking(true)
        }}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
      <Suspense>
        {asking && (
          <AskPassword
            title={`Remove ${name}?`}
            description="You can no longer sign in with this passkey. Also delete it on your device."
            submit="Remove passkey"
            code={user.twoFactorEnabled}
            mutation={remove}
            onClose={() => setAsking(false)}
            onSubmit={(proof) => remove.mutate(proof)}
          />
        )}
      </Suspense>
    </>
  )
}
