import { useQuery } from '@tanstack/react-query'
import { useTenant } from '../frame/useTenant.ts'
import { trpc } from '../trpc.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page } from '../ui/page/Page.tsx'
import { Alerts } from './Alerts.tsx'
import { ByDay } from './ByDay.tsx'
import { Entries } from './Entries.tsx'
import { Months } from './Months.tsx'
import { ThisMonth } from './ThisMonth.tsx'

const REFRESH_MS = 30_000

/** The tenant's usage, forecast, alerts, statements and balance. */
export function Usage() {
  const { slug, name, may } = useTenant()
  const meter = useQuery(trpc.usage.meter.queryOptions({ tenant: slug }, { refetchInterval: REFRESH_MS }))
  return (
    <Page
      title="Usage"
      context={name}
      description="One completed verification is one unit. Refusals, failed challenges and retries are free."
    >
      {meter.error && !meter.data ? (
        <ErrorPanel error={meter.error} retrying={meter.isFetching} onRetry={() => void meter.refetch()} />
      ) : (
        <ThisMonth meter={meter.data} />
      )}
      {may('billing.read') && <ByDay />}
      <Alerts />
      <Months />
      <Entries />
    </Page>
  )
}
