import { useQuery } from '@tanstack/react-query'
import type { inferOutput } from '@trpc/tanstack-react-query'
import { useTenant } from '../frame/useTenant.ts'
import { RefusalCode } from '../traffic/TopRefusals.tsx'
import { change } from '../traffic/words.ts'
import { trpc } from '../trpc.ts'
import type { Range } from '../ui/form/period.ts'
import { FailurePanel } from '../ui/page/Failure.tsx'
import { Section } from '../ui/page/Page.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { Link, OuterLink } from '../ui/text/Link.tsx'
import { counted } from '../ui/text/number.ts'

type Kind = { endpoint?: string | undefined; code?: string | undefined; field?: string | undefined }

/** Refusals of the period by type, with cause and fix, most frequent first. */
export function Groups({ range, site, chosen }: { range: Range; site: string | undefined; chosen: Kind }) {
  const { slug } = useTenant()
  const { data, error, isFetching, refetch } = useQuery(
    trpc.refusals.groups.queryOptions(
      { tenant: slug, ...range, ...(site && { site }) },
      { placeholderData: (shown) => shown },
    ),
  )
  if (error && !data) return <FailurePanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
  const shown = data?.filter(
    ({ endpoint, code, field }) =>
      (chosen.endpoint ?? endpoint) === endpoint &&
      (chosen.code ?? code) === code &&
      (chosen.field === undefined || chosen.field === field),
  )
  if (shown?.length === 0) return null
  return (
    <Section title="By type">
      {shown ? (
        <ul className="divide-y divide-line overflow-clip rounded-panel border border-line bg-surface text-13">
          {shown.map((group) => (
            <Group key={`${group.endpoint} ${group.code} ${group.field}`} {...group} />
          ))}
        </ul>
      ) : (
        <div aria-busy className="h-72 rounded-panel border border-line bg-surface p-4">
          <Skeleton width="long" />
        </div>
      )}
    </Section>
  )
}

type GroupRow = inferOutput<typeof trpc.refusals.groups>[number]

function Group({ endpoint, code, field, n, before, cause, fix, docs, status }: GroupRow) {
  return (
    <li className="grid gap-x-6 gap-y-1 p-4 md:grid-cols-[minmax(0,2fr)_minmax(0,5fr)]">
      <div className="min-w-0">
        <p>
          <Link
            from="/o/$tenant/refusals"
            search={({ period, from, to, site }) => ({
              period,
              from,
              to,
              site,
              endpoint,
              code,
              ...(field !== null && { field }),
            })}
          >
            <RefusalCode code={code} field={field} />
          </Link>
        </p>
        <p className="mt-1 text-12 text-ink-2">
          {counted(n, 'time')} at <code className="font-mono">{endpoint}</code> · {change(n, before)}
        </p>
      </div>
      <div className="min-w-0">
        <p>{cause}</p>
        <p className="mt-1 text-ink-2">
          {fix} <OuterLink href={docs}>Docs for {status}</OuterLink>
        </p>
      </div>
    </li>
  )
}
