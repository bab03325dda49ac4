import { useTenant } from '../frame/useTenant.ts'
import { Panel } from '../ui/page/Page.tsx'
import { counted, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Outcome } from '../ui/text/Pill.tsx'
import { Time, useNow } from '../ui/text/Time.tsx'
import type { SiteAttention } from './api.ts'

const DAY = 86_400

type SiteError = SiteAttention['errors'][number]

/** The sites that a person should look at: each error of the doctor and each pause, with a link to where it is fixed. */
export function Attention({ sites }: { sites: readonly SiteAttention[] }) {
  return (
    <Panel title="Needs attention">
      <ul className="grid gap-2 text-13">
        {sites.flatMap((site) => [
          ...(site.pausedSince === null ? [] : [<Paused key={site.id} site={site} />]),
          ...site.errors.map((error) => <Broken key={`${site.id} ${error.title}`} site={site} error={error} />),
        ])}
      </ul>
    </Panel>
  )
}

function Broken({ site: { id, name }, error }: { site: SiteAttention; error: SiteError }) {
  const { slug, may } = useTenant()
  const { mistake, title, count, daily, endedAt, lastAt, hostname } = error
  const now = useNow()
  return (
    <li>
      {/* what has not happened for a day may be over */}
      <Outcome is={lastAt !== null && lastAt < now - DAY ? 'challenge' : 'block'} word={`${name}:`} />{' '}
      {mistake === 'ended-secret' && endedAt !== undefined ? (
        <>
          a server still uses the secret that ended <Time at={endedAt} as="relative" />
        </>
      ) : (
        title
      )}{' '}
      <span className="text-ink-2">
        · {daily === undefined ? `${counted(count, 'call')} in 7 days` : `${counted(daily, 'call')} in 24 hours`}
        {hostname !== undefined && lastAt !== null && (
          <>
            , the last <Time at={lastAt} as="relative" />
          </>
        )}
      </span>{' '}
      {may('integration.read') &&
        (hostname !== undefined ? (
          <Link to="/o/$tenant/sites/$site/hostnames" params={{ tenant: slug, site: id }}>
            Fix<span className="sr-only"> {hostname}</span>
          </Link>
        ) : (
          <Link to="/o/$tenant/sites/$site/integrate" params={{ tenant: slug, site: id }} hash={mistake}>
            Fix<span className="sr-only"> {name}</span>
          </Link>
        ))}
    </li>
  )
}

function Paused({
  site: { id, name, pausedSince, completed },
}: {
  site: Extract<SiteAttention, { pausedSince: number }>
}) {
  const { slug } = useTenant()
  return (
    <li>
      <Outcome is="challenge" word={`${name}:`} /> paused <Time at={pausedSince} as="relative" />, all calls are refused{' '}
      <span className="text-ink-2">· {whole(completed)} completed in the last 7 days</span>{' '}
      <Link to="/o/$tenant/sites/$site" params={{ tenant: slug, site: id }}>
        Resume<span className="sr-only"> {name}</span>
      </Link>
    </li>
  )
}
