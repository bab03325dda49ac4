import { useMutation, useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { Suspense, useState } from 'react'
import { type Proof, unlinkIdentity } from '../session/auth.ts'
import { refreshMe, useMe } from '../session/me.ts'
import { queryClient, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { lazyPart } from '../ui/overlay/lazyPart.ts'
import { toast } from '../ui/overlay/toast.ts'
import { Section } from '../ui/page/Page.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { Time } from '../ui/text/Time.tsx'

const AskPassword = lazyPart(async () => (await import('./SecondFactorDialogs.tsx')).AskPassword)

type Identity = inferOutput<typeof trpc.session.identities>[number]

const columns: readonly Column<Identity>[] = [
  column('Provider', ({ issuer }) => issuer, { width: 'wide' }),
  column('Linked', ({ linkedAt }) => <Time at={linkedAt} as="relative" />),
  column('Action', (identity) => <Unlink identity={identity} />, { hidden: true, align: 'right' }),
]

/** The identities at the provider that sign in to this account; nothing without one. */
export function Identities() {
  const identities = useQuery(trpc.session.identities.queryOptions())
  if (!identities.data?.length) return null
  return (
    <Section title="Single sign-on" description="Identities that can sign in to your account.">
      <Table label="Identities" list={identities} columns={columns} rowKey={({ id }) => id} empty={null} />
    </Section>
  )
}

function Unlink({ identity: { id, issuer } }: { identity: Identity }) {
  const { user } = useMe()
  const [asking, setAsking] = useState(false)
  const unlink = useMutation({
    meta: { inline: true },
    mutationFn: (proof: Proof) => unlinkIdentity(id, proof),
    onSuccess: async () => {
      setAsking(false)
      toast('Identity unlinked')
      await queryClient.invalidateQueries()
      // this session ends if the identity opened it
      if (!(await refreshMe())) location.assign('/sign-in')
    },
  })
  return (
    <>
      <Button
        size="small"
        aria-label={`Unlink ${issuer}`}
        onClick={() => {
          unlink.reset()
          setAsking(true)
        }}
      >
        Unlink
      </Button>
      <Suspense>
        {asking && (
          <AskPassword
            title="Unlink this identity?"
            description="You can no longer sign in with it. Browsers that are signed in with it are signed out."
            submit="Unlink"
            code={user.twoFactorEnabled}
            mutation={unlink}
            onClose={() => setAsking(false)}
            onSubmit={(proof) => unlink.mutate(proof)}
          />
        )}
      </Suspense>
    </>
  )
}
