import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorNote, ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Card } from './Card.tsx'
import { type Offer, useInvitation } from './invitations.ts'
import { refreshMe, signOut, useMaybeMe } from './me.ts'

const route = getRouteApi('/session/invite/$id')

const ENDINGS = {
  accepted: 'It has already been used.',
  revoked: 'It was revoked, or a newer one was sent.',
  expired: 'It has expired.',
} satisfies Record<Exclude<Offer['state'], 'open'>, string>

/** An invitation, signed in or not. */
export function Invitation() {
  const { id } = route.useParams()
  const me = useMaybeMe()
  const offer = useInvitation(id)
  const { data } = offer
  const next = `/invite/${id}`
  return (
    <Card
      title={data ? `Join ${data.tenant.name}` : 'Invitation'}
      {...(me && { description: `You are signed in as ${me.user.email}.` })}
      footer={
        me && (
          <>
            <p>
              Not your account? Sign in with another one. <Link to="/">Go to the console</Link>
            </p>
            <div>
              <Button onClick={() => void signOut(next)}>Sign out</Button>
            </div>
          </>
        )
      }
    >
      {offer.error ? (
        <ErrorPanel error={offer.error} retrying={offer.isFetching} onRetry={() => void offer.refetch()} />
      ) : data ? (
        <>
          <p className="text-14">
            {data.inviter} invites you to <strong>{data.tenant.name}</strong> as <strong>{data.role}</strong>.{' '}
            {data.state === 'open' ? (
              <>
                The invitation expires <Time at={data.expiresAt} />.
              </>
            ) : (
              <>
                {ENDINGS[data.state]}
                {data.state !== 'accepted' && <> Ask {data.inviter} for a new one.</>}
              </>
            )}
          </p>
          {data.state === 'open' && <Answer offer={data} email={me?.user.email} next={next} />}
        </>
      ) : (
        <p>
          <Skeleton width="long" />
        </p>
      )}
    </Card>
  )
}

/** What the person can do. `email`: of the account that is signed in. */
function Answer({ offer, email, next }: { offer: Offer; email: string | undefined; next: string }) {
  const navigate = route.useNavigate()
  const accept = useMutation(
    trpc.members.accept.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        await navigate({ to: '/o/$tenant', params: { tenant: slug } })
      },
    }),
  )
  if (email === undefined)
    return (
      <>
        <p className="text-13 text-ink-2">It is for {offer.email}.</p>
        <PageLink to="/sign-up" search={{ next }} look="primary">
          Create an account
        </PageLink>
        <PageLink to="/sign-in" search={{ next }}>
          Sign in
        </PageLink>
      </>
    )
  if (email !== offer.email)
    return <p className="text-13 text-ink-2">It is for {offer.email}. Sign out, then sign in with that address.</p>
  return (
    <>
      <ErrorNote error={accept.error} />
      <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ id: offer.id })}>
        Join {offer.tenant.name}
      </Button>
    </>
  )
}
