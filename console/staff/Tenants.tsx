import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { PAGED, trpc } from '../trpc.ts'
import { Button } from '../ui/form/Button.tsx'
import { Checkbox } from '../ui/form/Checkbox.tsx'
import { INPUT } from '../ui/form/Field.tsx'
import { Page } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Time } from '../ui/text/Time.tsx'
import type { TenantRow } from './api.ts'
import { HealthPills } from './HealthPills.tsx'
import { TenantLink } from './StaffParts.tsx'

const route = getRouteApi('/staff/tenants')

const columns: readonly Column<TenantRow>[] = [
  column('Tenant', (tenant) => (
    <>
      <TenantLink tenant={tenant} />
      <span className="block text-12 text-ink-2">{tenant.slug}</span>
    </>
  )),
  column('Health', ({ anomalies, suspended }) => <HealthPills anomalies={anomalies} suspended={suspended} />),
  column('Sites', ({ sites }) => whole(sites), { align: 'right' }),
  column(
    '24 hours',
    ({ health }) => (
      <>
        {whole(health.redeemed)}
        <span className="block text-12 text-ink-2">{whole(health.redeemedBefore)} a week before</span>
      </>
    ),
    { align: 'right' },
  ),
  column(
    'Quota',
    ({ health: { used, included, balance } }) => (
      <>
        {included === 0 ? 'none' : percent(used / included)}
        <span className="block text-12 text-ink-2">
          of {whole(included)}
          {balance > 0 && ` (+${whole(balance)} prepaid)`}
        </span>
      </>
    ),
    { align: 'right' },
  ),
  column(
    'Last decision',
    ({ health: { lastDecisionAt } }) =>
      lastDecisionAt === null ? 'never' : <Time at={lastDecisionAt} as="relative" />,
    { align: 'right' },
  ),
]

/** All tenants with their health. */
export function Tenants() {
  const { q = '', attention = false } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(trpc.staff.tenants.list.infiniteQueryOptions({ text: q, attention, limit: 25 }, PAGED))
  const show = (next: { q: string; attention: boolean }) =>
    void navigate({ search: { ...(next.q !== '' && { q: next.q }), ...(next.attention && { attention: true }) } })
  return (
    <Page
      title="Tenants"
      context="Staff"
      description="Completed verifications of the last 24 hours, vs the same time last week."
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <search className="min-w-0 grow">
          <form
            key={q}
            className="flex max-w-120 gap-2"
            onSubmit={(event) => {
              event.preventDefault()
              const typed = new FormData(event.currentTarget).get('q')
              show({ q: typeof typed === 'string' ? typed.trim() : '', attention })
            }}
          >
            <div className="relative min-w-0 grow">
              <Search size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-3 text-ink-2" />
              <input
                name="q"
                type="text"
                aria-label="Search tenants"
                defaultValue={q}
                placeholder="Name or slug"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                className={`${INPUT} pl-9`}
              />
            </div>
            <Button type="submit" size="field">
              Search
            </Button>
          </form>
        </search>
        <Checkbox
          label="Only what needs attention"
          checked={attention}
          onChange={(event) => show({ q, attention: event.target.checked })}
        />
      </div>
      <Table
        label="Tenants"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            title={list.hasNextPage ? 'No matches among the first tenants' : 'No matching tenants'}
            action={
              list.hasNextPage ? (
                <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                  Load more
                </Button>
              ) : (
                <Button onClick={() => show({ q: '', attention: false })}>Show all</Button>
              )
            }
          >
            {attention ? 'No tenants need attention.' : 'Part of a name or a slug is enough.'}
          </EmptyState>
        }
      />
    </Page>
  )
}
