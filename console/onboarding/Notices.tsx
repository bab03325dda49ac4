import { useQueries, useQuery } from '@tanstack/react-query'
import { useMe } from '../session/me.ts'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/form/Button.tsx'
import { Notice } from '../ui/page/Notice.tsx'
import { Skeleton } from '../ui/page/Page.tsx'

/** The invitations to the person's address, for people who want to join a tenant instead of creating one. */
export function Invitations() {
  const { data = [] } = useQuery(trpc.members.offers.queryOptions())
  return data.map(({ id, tenant, role, inviter }) => (
    <Notice
      key={id}
      tone="info"
      title={`You are invited to ${tenant.name}`}
      action={
        <PageLink to="/invite/$id" params={{ id }} look="primary">
          See the invitation
        </PageLink>
      }
    >
      {inviter} invites you to join as {role}.
    </Notice>
  ))
}

/** The number of the person's newest tenants that may be offered. */
const MOST_OFFERED = 3

/** The person's tenants whose set-up is not finished, for people who come back to continue. */
export function UnfinishedTenants() {
  const { tenants } = useMe()
  const own = tenants.filter(({ role, viewEndsAt }) => role === 'owner' && viewEndsAt === null).slice(-MOST_OFFERED)
  const summaries = useQueries({ queries: own.map(({ slug }) => trpc.tenants.summary.queryOptions({ tenant: slug })) })
  // the steps below wait for it, so that nothing moves
  if (summaries.some(({ isPending }) => isPending)) return <Skeleton width="long" />
  return own
    .filter((_, index) => summaries[index]?.data?.done.decision === false)
    .map(({ slug, name }) => (
      <Notice
        key={slug}
        tone="info"
        title={`You already have ${name}`}
        action={
          <PageLink to="/welcome" search={{ tenant: slug }}>
            {`Continue with ${name}`}
          </PageLink>
        }
      >
        Its set-up is not finished: your backend has not redeemed a token yet.
      </Notice>
    ))
}
