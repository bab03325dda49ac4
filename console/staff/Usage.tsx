import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { Figure, Strip } from '../ui/chart/Strip.tsx'
import { Select } from '../ui/form/Select.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { Page, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { CsvButton } from '../ui/table/Export.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { counted, percent, whole } from '../ui/text/format.ts'
import { monthName } from '../usage/words.ts'
import type { MonthUsage } from './api.ts'
import { TenantLink } from './StaffParts.tsx'

const route = getRouteApi('/staff/usage')
const DAY = 86_400
const MONTHS = 12

/** The last twelve months, the current one first, as `2026-11` and their names. */
function recentMonths(): Record<string, string> {
  const now = new Date()
  const months = Array.from({ length: MONTHS }, (_, monthsAgo) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo)).toISOString().slice(0, 7),
  )
  return Object.fromEntries(months.map((month) => [month, monthName(`${month}-01`)]))
}

const tenantColumns: readonly Column<MonthUsage['byTenant'][number]>[] = [
  column('Tenant', (tenant) => <TenantLink tenant={tenant} />, { width: 'wide' }),
  column('From the quota', ({ quota }) => whole(quota), { align: 'right' }),
  column('From the balance', ({ balance }) => whole(balance), { align: 'right' }),
  column('Units', ({ quota, balance }) => whole(quota + balance), { align: 'right' }),
  column('Share of quota', ({ quota, included }) => (included ? percent(quota / included) : 'No quota'), {
    align: 'right',
  }),
]

const siteColumns: readonly Column<MonthUsage['topSites'][number]>[] = [
  column('Site', ({ name }) => name ?? <span className="text-ink-2">deleted</span>, { width: 'wide' }),
  column('Tenant', ({ tenant }) => <TenantLink tenant={tenant} />),
  column('Units', ({ units }) => whole(units), { align: 'right' }),
]

/** The units of all tenants in a month. */
export function Usage() {
  const months = recentMonths()
  const [current = ''] = Object.keys(months)
  const { month = current } = route.useSearch()
  const navigate = route.useNavigate()
  const usage = useQuery(trpc.staff.usage.queryOptions({ month }))
  const { data } = usage
  const figure = (value: (data: MonthUsage) => number) => (data ? whole(value(data)) : <Skeleton width="short" />)
  const total = data ? data.units.quota + data.units.balance : 0
  return (
    <Page
      title="Usage"
      context="Staff"
      description="Units of all tenants, by UTC day. Test keys are not counted."
      actions={
        <>
          <Select
            label="Month"
            value={month in months ? month : current}
            options={months}
            onChange={(next) => void navigate({ search: next === current ? {} : { month: next } })}
          />
          <CsvButton
            name={`usage-${month}`}
            table={() => ({
              head: ['tenant_id', 'slug', 'name', 'from_quota', 'from_balance', 'quota'],
              rows: (data?.byTenant ?? []).map((row) => [
                row.id,
                row.slug,
                row.name,
                row.quota,
                row.balance,
                row.included ?? '',
              ]),
            })}
            reason={data?.byTenant.length ? undefined : 'Nothing to export.'}
          />
        </>
      }
    >
      {usage.error && !data ? (
        <ErrorPanel error={usage.error} retrying={usage.isFetching} onRetry={() => void usage.refetch()} />
      ) : (
        <>
          <Strip busy={!data}>
            <Figure name="Units" value={figure(() => total)} note="redeemed tokens" />
            <Figure name="From quotas" value={figure(({ units }) => units.quota)} note="monthly quotas" />
            <Figure name="From balances" value={figure(({ units }) => units.balance)} note="prepaid units" />
            <Figure name="Tenants" value={figure(({ tenants }) => tenants)} note="with any traffic" />
          </Strip>
          <Section title="By day">
            {/* as high while it loads */}
            <div className="min-h-80">
              {data ? (
                <Chart
                  label="Units by day"
                  kind="areas"
                  summary={`${counted(total, 'unit')} in ${months[month] ?? month}.`}
                  data={{
                    times: data.byDay.map(({ at }) => at),
                    step: DAY,
                    series: [{ name: 'Units', tone: 'brand', values: data.byDay.map(({ units }) => units) }],
                  }}
                />
              ) : (
                <Skeleton width="long" />
              )}
            </div>
          </Section>
          <Section title="Tenants" description="Top 100.">
            <Table
              label="Tenants by units"
              list={{ ...usage, data: data?.byTenant }}
              columns={tenantColumns}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No units in this month">No completed verifications.</EmptyState>}
            />
          </Section>
          <Section title="Sites" description="Top 20.">
            <Table
              label="Sites by units"
              list={{ ...usage, data: data?.topSites }}
              columns={siteColumns}
              rowKey={({ id }) => id}
              empty={<EmptyState title="No units in this month">No completed verifications.</EmptyState>}
            />
          </Section>
        </>
      )}
    </Page>
  )
}
