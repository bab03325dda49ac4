import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { SiteTable } from '../sites/SiteTable.tsx'
import { trpc } from '../trpc.ts'
import { PageLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FailurePanel } from '../ui/Failure.tsx'
import { counted, whole } from '../ui/number.ts'
import { Page, Section } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Figure, Strip } from '../ui/Strip.tsx'
import { Time } from '../ui/Time.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { glanceOptions } from './glance.ts'

/** The tenant's day: what is used and left, which sites work, and what is missing before the first verification. */
export function Overview() {
  const { slug, name } = useTenant()
  const glance = useQuery(glanceOptions(slug))
  return (
    <Page title="Overview" context={name} description={`${name}, this month and today.`}>
      {glance.error && !glance.data ? (
        <FailurePanel error={glance.error} retrying={glance.isFetching} onRetry={() => void glance.refetch()} />
      ) : (
        <>
          {glance.data && !glance.data.done.decision && <FirstSteps done={glance.data.done} />}
          <Figures glance={glance.data} />
        </>
      )}
      <Sites />
    </Page>
  )
}

function Figures({ glance }: { glance: { today: number; lastDecisionAt: number | null } | undefined }) {
  const { slug } = useTenant()
  // the rail's meter keeps it fresh
  const { data: meter } = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }))
  const waiting = <Skeleton width="short" />
  return (
    <Strip busy={!glance || !meter}>
      <Figure
        name="Decisions today"
        value={glance ? whole(glance.today) : waiting}
        note={
          glance ? (
            glance.lastDecisionAt === null ? (
              'none yet'
            ) : (
              <>
                last <Time at={glance.lastDecisionAt} as="relative" />
              </>
            )
          ) : (
            waiting
          )
        }
      />
      <Figure
        name="Used this month"
        value={meter ? whole(meter.used) : waiting}
        note={meter ? `of ${counted(meter.included, 'unit')} included` : waiting}
      />
      <Figure
        name="Left"
        value={meter ? whole(Math.max(0, meter.included - meter.used) + meter.balance) : waiting}
        note={meter ? `units, ${whole(meter.balance)} of them prepaid` : waiting}
      />
      <Figure
        name="Forecast"
        value={meter ? (meter.forecast === null ? '–' : whole(meter.forecast)) : waiting}
        note={meter ? forecastNote(meter) : waiting}
      />
    </Strip>
  )
}

function forecastNote({ forecast, included }: { forecast: number | null; included: number }): string {
  if (forecast === null) return 'after the month’s first day'
  return forecast > included ? 'units by month’s end: over the quota' : 'units by the end of the month'
}

function Sites() {
  const { slug } = useTenant()
  return (
    <Section
      title="Sites"
      actions={
        <PageLink to="/o/$tenant/sites" params={{ tenant: slug }}>
          All sites
        </PageLink>
      }
    >
      <SiteTable
        columns={['site', 'state', 'hostnames', 'liveSecrets']}
        empty={
          <EmptyState title="No site yet">
            A site is one form or shop that you protect, with keys of its own.
          </EmptyState>
        }
      />
    </Section>
  )
}
