import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { ErrorNote, ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import { Card } from './Card.tsx'
import { refreshMe, signOut, useMe } from './me.ts'

const route = getRouteApi('/session/invite/$id')

type Offer = inferOutput<typeof trpc.members.invitation>

const ENDINGS = {
  accepted: 'This invitation has already been used.',
  ended: 'This invitation was revoked or has expired. Ask for a new one.',
} satisfies Record<Exclude<Offer['state'], 'open'>, string>

/** An invitation, for the person it was sent to. */
export function Invitation() {
  const { id } = route.useParams()
  const navigate = route.useNavigate()
  const { user } = useMe()
  const offer = useQuery(trpc.members.invitation.queryOptions({ id }))
  const accept = useMutation(
    trpc.members.accept.mutationOptions({
      meta: { inline: true },
      onSuccess: async ({ slug }) => {
        await refreshMe()
        await navigate({ to: '/o/$tenant', params: { tenant: slug } })
      },
    }),
  )
  const { data } = offer
  return (
    <Card
      title={data ? `Join ${data.tenant.name}` : 'Invitation'}
      description={`You are signed in as ${user.email}.`}
      footer={
        <>
          <p>
            Not for this account? Sign out, then open the link in the e-mail again.{' '}
            <Link to="/">Go to the console</Link>
          </p>
          <div>
            <Button onClick={() => void signOut()}>Sign out</Button>
          </div>
        </>
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
              ENDINGS[data.state]
            )}
          </p>
          <ErrorNote error={accept.error} />
          {data.state === 'open' && (
            <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ id })}>
              Join {data.tenant.name}
            </Button>
          )}
        </>
      ) : (
        <p>
          <Skeleton width="long" />
        </p>
      )}
    </Card>
  )
}
