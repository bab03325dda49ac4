import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answered } from '../session/answered.ts'
import { auth } from '../session/auth.ts'
import { addPasskey } from '../session/passkeys.ts'
import { queryClient } from '../trpc.ts'
import { Button } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FailureNote } from '../ui/Failure.tsx'
import { listingOf } from '../ui/listing.ts'
import { Section } from '../ui/Page.tsx'
import { Time } from '../ui/Time.tsx'
import { toast } from '../ui/toast.ts'
import { browserOf } from './browserOf.ts'

type Passkey = { id: string; name?: string | undefined; createdAt: Date | string }

const KEY = ['passkeys']

const columns: readonly Column<Passkey>[] = [
  { header: 'Passkey', width: 'wide', cell: ({ name }) => name ?? 'Passkey' },
  {
    header: 'Made',
    cell: ({ createdAt }) => <Time at={Math.floor(new Date(createdAt).getTime() / 1000)} as="relative" />,
  },
  { header: 'Action', hidden: true, align: 'right', cell: (passkey) => <Remove passkey={passkey} /> },
]

/** Signing in by fingerprint, face or security key. */
export function Passkeys() {
  const passkeys = useQuery({
    queryKey: KEY,
    queryFn: async (): Promise<Passkey[]> => answered(auth.$fetch<Passkey[]>('/passkey/list-user-passkeys')),
  })
  const add = useMutation({
    meta: { inline: true },
    mutationFn: () => addPasskey(browserOf(navigator.userAgent)),
    onSuccess: async () => {
      toast('Passkey added')
      await queryClient.invalidateQueries({ queryKey: KEY })
    },
  })
  const button = (
    <Button busy={add.isPending} onClick={() => add.mutate()}>
      Add a passkey
    </Button>
  )
  return (
    <Section
      title="Passkeys"
      description="Sign in by fingerprint, face or security key: nothing to type, nothing to phish."
      actions={passkeys.data?.length ? button : undefined}
    >
      <div className="grid gap-3">
        <DataTable
          label="Passkeys"
          list={listingOf(passkeys)}
          columns={columns}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No passkey yet" action={button}>
              Your device keeps it and asks for your fingerprint, face or PIN. Your password keeps working beside it.
            </EmptyState>
          }
        />
        <FailureNote error={add.error} />
      </div>
    </Section>
  )
}

function Remove({ passkey: { id, name = 'this passkey' } }: { passkey: Passkey }) {
  const [asking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => answered(auth.$fetch('/passkey/delete-passkey', { method: 'POST', body: { id } })),
    onSuccess: async () => {
      toast('Passkey removed')
      await queryClient.invalidateQueries({ queryKey: KEY })
    },
  })
  return (
    <>
      <Button size="small" busy={remove.isPending} onClick={() => setAsking(true)} aria-label={`Remove ${name}`}>
        Remove
      </Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Remove ${name}?`}
        action="Remove passkey"
        onConfirm={() => remove.mutate()}
      >
        You can no longer sign in with it. Your device may go on offering it until you delete it there too.
      </Confirm>
    </>
  )
}
