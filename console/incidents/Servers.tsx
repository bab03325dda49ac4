import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { Link } from '../ui/text/Link.tsx'
import { Code } from '../ui/text/Snippet.tsx'
import { Time } from '../ui/text/Time.tsx'
import type { Incident } from './words.ts'

/** Seconds: the last use of a secret is written at most once a minute. */
const USE_ACCURACY = 120

/** The servers that called with a secret of the site since the incident began; nothing for members who may not read secrets. */
export function Servers({ incident: { site, startedAt } }: { incident: Incident }) {
  const { slug, may } = useTenant()
  const mayRead = may('secret.read') && site.name !== null
  const { data, isError } = useQuery(
    trpc.secrets.list.queryOptions({ tenant: slug, site: site.id, limit: 20 }, { enabled: mayRead }),
  )
  // until they are known, the room that one takes
  if (mayRead && !data && !isError) return <span className="block invisible">…</span>
  const callers = data?.rows.filter(({ lastCallAt }) => (lastCallAt ?? 0) >= startedAt - USE_ACCURACY)
  if (!callers || callers.length === 0) return null
  return (
    <>
      {callers.map(({ id, last4, usedBy, usedFrom, lastCallAt }) => (
        <span key={id} className="block">
          {usedBy ?? 'A server'}
          {usedFrom !== null && (
            <>
              {' '}
              in <Code>{usedFrom}</Code>
            </>
          )}
          , with the secret{' '}
          <Link to="/o/$tenant/sites/$site/keys" params={{ tenant: slug, site: site.id }}>
            …{last4}
          </Link>
          {lastCallAt !== null && (
            <>
              , last call <Time at={lastCallAt} as="relative" />
            </>
          )}
        </span>
      ))}
    </>
  )
}
