import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { CHOSEN_TYPES } from '../../server/contract/webhooks.ts'
import { WithPermission } from '../frame/Permitted.tsx'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel, Skeleton } from '../ui/page/Page.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { Link } from '../ui/text/Link.tsx'
import { Pill } from '../ui/text/Pill.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { Webhook as WebhookRow } from './api.ts'
import { Deliveries } from './Deliveries.tsx'
import { WebhookActions } from './WebhookActions.tsx'
import { stateOf } from './words.ts'

const route = getRouteApi('/o/$tenant/settings/webhooks/$id')

/** One webhook and its deliveries. */
export function Webhook() {
  const { slug, name, may } = useTenant()
  const { id } = route.useParams()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.webhooks.get.queryOptions({ tenant: slug, id }, { enabled: may('webhook.read') }),
  )
  return (
    <Page
      title="Webhook"
      context={name}
      breadcrumb={
        <Link to="/o/$tenant/settings/webhooks" params={{ tenant: slug }}>
          Webhooks
        </Link>
      }
      description={data ? <Code>{data.url}</Code> : <Skeleton width="long" />}
      actions={data && <WebhookActions webhook={data} />}
    >
      <WithPermission permission="webhook.read" title="You don’t have access to webhooks">
        {error ? (
          <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
        ) : (
          <>
            <Panel title="Settings">{data ? <Settings webhook={data} /> : <Skeleton width="long" />}</Panel>
            <Deliveries id={id} isEnabled={data?.enabled ?? false} />
          </>
        )}
      </WithPermission>
    </Page>
  )
}

function Settings({ webhook }: { webhook: WebhookRow }) {
  const { types, failingSince, formerSecretUntil, createdAt } = webhook
  const { tone, word } = stateOf(webhook)
  return (
    <Facts>
      <Fact name="State">
        <Pill tone={tone}>{word}</Pill>{' '}
        {failingSince !== null && (
          <span className="text-ink-2">
            No success since <Time at={failingSince} as="moment" />. After five days it is disabled.
          </span>
        )}
      </Fact>
      <Fact name="Events">{types.length === CHOSEN_TYPES.length ? 'All' : types.join(', ')}</Fact>
      {formerSecretUntil !== null && (
        <Fact name="Former secret">
          Also signs until <Time at={formerSecretUntil} />
        </Fact>
      )}
      <Fact name="Created">
        <Time at={createdAt} />
      </Fact>
    </Facts>
  )
}
