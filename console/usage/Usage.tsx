import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { ALERT_PERCENTS } from '../../server/contract/alerts.ts'
import { useTenant } from '../frame/useTenant.ts'
import { PAGED, queryClient, trpc } from '../trpc.ts'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Panel, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CsvButton } from '../ui/table/Export.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import { Time } from '../ui/text/Time.tsx'
import { type BalanceEntry, type Month, type MonthUsage, useUnitRequest } from './api.ts'
import { ByDay } from './ByDay.tsx'
import { forecastRange, outlook } from './outlook.ts'
import { RequestState, RequestUnits } from './RequestUnits.tsx'
import { monthName, nextMonth, signed } from './words.ts'

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
      actions={<RequestUnits />}
    >
      {meter.error && !meter.data ? (
        <ErrorPanel error={meter.error} retrying={meter.isFetching} onRetry={() => void meter.refetch()} />
      ) : (
        <ThisMonth meter={meter.data} />
      )}
      {may('billing.read') && <ByDay />}
      <Alerts />
      <Months />
      <BalanceEntries />
    </Page>
  )
}

/** The current month in figures, its outlook, and what became of a request for units. Reserves its height while loading. */
function ThisMonth({ meter }: { meter: MonthUsage | undefined }) {
  const request = useUnitRequest()
  const figure = (value: (meter: MonthUsage) => string) => (meter ? value(meter) : <Skeleton width="short" />)
  const note = (value: (meter: MonthUsage) => string) => (meter ? value(meter) : <Skeleton width="long" />)
  return (
    <section aria-label="This month" className="grid gap-3">
      <Strip busy={!meter}>
        <Figure
          name="Used"
          value={figure(({ used }) => whole(used))}
          note={note(({ included, month }) => `of ${whole(included)} in ${monthName(month)}`)}
        />
        <Figure
          name="Forecast"
          value={figure(({ forecast }) => (forecast === null ? 'None yet' : whole(forecast.likely)))}
          note={note(({ forecast }) =>
            forecast === null ? 'after the first full day' : `likely ${forecastRange(forecast)}`,
          )}
        />
        <Figure
          name="Balance"
          value={figure(({ balance }) => whole(balance))}
          note={note(() => 'prepaid, used after the quota')}
        />
        <Figure name="Quota resets" value={figure(({ month }) => nextMonth(month))} note={note(() => '00:00 UTC')} />
      </Strip>
      <div className="min-h-10 text-13 sm:min-h-5">
        {meter && request !== undefined && (
          <>
            <p className="text-ink-2">{outlook(meter)}</p>
            {request && <RequestState request={request} />}
          </>
        )}
      </div>
    </section>
  )
}

/** The percentages of the quota at which owners, admins and billing get an e-mail. */
function Alerts() {
  const { slug, whyNot } = useTenant()
  const options = trpc.usage.alerts.queryOptions({ tenant: slug })
  const { data } = useQuery(options)
  const set = useMutation(
    trpc.usage.setAlerts.mutationOptions({
      onMutate: ({ percents }) => queryClient.setQueryData(options.queryKey, percents),
      onSuccess: (percents) =>
        toast(percents.length === 0 ? 'Usage e-mails turned off' : `E-mails will be sent at ${percents.join('%, ')}%`),
    }),
  )
  const reason = whyNot('usage.alert')
  return (
    <Panel
      title="E-mail when usage reaches"
      description="Sent to owners, admins and billing, at most once a month for each percentage."
    >
      <div className="flex min-h-8 flex-wrap gap-x-8 gap-y-3">
        {data ? (
          ALERT_PERCENTS.map((percent) => (
            <Checkbox
              key={percent}
              label={`${percent}%`}
              checked={data.includes(percent)}
              disabled={reason !== undefined}
              onChange={({ target: { checked } }) =>
                set.mutate({
                  tenant: slug,
                  percents: ALERT_PERCENTS.filter((one) => (one === percent ? checked : data.includes(one))),
                })
              }
            />
          ))
        ) : (
          <Skeleton width="long" />
        )}
      </div>
      {reason && <p className="mt-2 text-12 text-ink-2">{reason}</p>}
    </Panel>
  )
}

const monthColumns: readonly Column<Month>[] = [
  column('Month', ({ month }) => <MonthLink month={month} />, { width: 'wide' }),
  column('Used', ({ used }) => whole(used), { align: 'right' }),
  column('Added to balance', ({ added }) => (added === 0 ? '0' : signed(added)), { align: 'right' }),
]

/** Usage by month, with links to the statements. */
function Months() {
  const { slug } = useTenant()
  const months = useInfiniteQuery(trpc.usage.months.infiniteQueryOptions({ tenant: slug }, PAGED))
  const rows = months.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Section
      title="Months"
      description="Closed months never change."
      actions={
        <CsvButton
          name={`usage-${slug}`}
          table={() => ({
            head: ['month', 'quota', 'used', 'added_to_balance'],
            rows: rows.map(({ month, included, used, added }) => [month.slice(0, 7), included, used, added]),
          })}
          reason={rows.length > 0 ? undefined : 'Nothing to export.'}
        />
      }
    >
      <Table
        label="Months"
        list={months}
        columns={monthColumns}
        rowKey={({ month }) => month}
        empty={<EmptyState title="No usage yet">The first completed verification appears here.</EmptyState>}
      />
    </Section>
  )
}

/** A link to the month's statement. */
function MonthLink({ month }: { month: string }) {
  const { slug } = useTenant()
  return (
    <Link to="/o/$tenant/usage/$month" params={{ tenant: slug, month: month.slice(0, 7) }}>
      {monthName(month)}
    </Link>
  )
}

const entryColumns: readonly Column<BalanceEntry>[] = [
  column('Reason', ({ reason }) => <span className="font-medium">{reason}</span>, { width: 'wide' }),
  column('Units', ({ units }) => signed(units), { align: 'right' }),
  column('When', ({ createdAt }) => <Time at={createdAt} />, { align: 'right' }),
]

/** Manual changes of the balance. */
function BalanceEntries() {
  const { slug } = useTenant()
  const entries = useInfiniteQuery(trpc.usage.entries.infiniteQueryOptions({ tenant: slug }, PAGED))
  return (
    <Section
      title="Balance entries"
      description="Top-ups and adjustments. The balance is the sum of these entries, less the units charged to it."
    >
      <Table
        label="Balance entries"
        list={entries}
        columns={entryColumns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No balance entries yet">
            The balance is used when the monthly quota is used up. Each addition is listed here with its reason.
          </EmptyState>
        }
      />
    </Section>
  )
}
