import { getRouteApi } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useMemo } from 'react'
import { useTenant } from '../frame/useTenant.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { calendarDay, counted, shortId, whole } from '../ui/text/format.ts'
import { daysOfMonth, type StatementData, unitsByDay, useStatement } from './api.ts'
import { SiteUnits } from './SiteUnits.tsx'
import { money, monthName, periodWords, signed } from './words.ts'

const route = getRouteApi('/o/$tenant/usage/$month')

/** The statement of one month by site and day, with a print style. */
export function Statement() {
  const { slug, name, id } = useTenant()
  const { month } = route.useParams()
  const first = `${month}-01`
  const { data, error, isFetching, refetch } = useStatement(first)
  if (error && codeOf(error) === 'NOT_FOUND')
    return (
      <Page title="No statement" context={name}>
        <EmptyState title={`No statement for ${monthName(first)}`}>
          {name} did not exist then, or the month has not started yet.
        </EmptyState>
      </Page>
    )
  return (
    <Page
      title={`Statement for ${monthName(first)}`}
      context={name}
      description={!data ? '\u00a0' : data.over ? 'Final.' : 'Preliminary: the month is not over yet.'}
      actions={
        <span className="flex flex-wrap gap-2 sm:justify-end print:hidden">
          <PageLink to="/o/$tenant/usage" params={{ tenant: slug }}>
            All months
          </PageLink>
          <ExportLink name="statement" query={{ tenant: slug, month: first }} />
          <Button onClick={() => print()}>
            <Printer size={14} aria-hidden />
            Print
          </Button>
        </span>
      }
    >
      {error && !data ? (
        <ErrorPanel error={error} retrying={isFetching} onRetry={() => void refetch()} />
      ) : (
        <>
          <Panel title={data?.tenant.name ?? name}>
            <Facts>
              <Fact name="Period">{periodWords(month)}</Fact>
              <Fact name="Account">
                {slug} · {id}
              </Fact>
              <Fact name="Issued by">
                {data ? <Seller seller={data.seller ?? location.host} /> : <Skeleton width="short" />}
              </Fact>
              <Fact name="Units used">{data ? whole(data.quota + data.balance) : <Skeleton width="short" />}</Fact>
              <Fact name="From the quota">
                {data ? `${whole(data.quota)} of ${counted(data.included, 'unit')}` : <Skeleton width="short" />}
              </Fact>
              {data?.price && <Fact name="Price">{data.price}</Fact>}
              {data?.amount && <Fact name="Amount">{money(data.amount)}</Fact>}
            </Facts>
          </Panel>
          {data && <Balance statement={data} />}
          <Section title="By site">
            <SiteUnits statement={data} />
          </Section>
          {data && <StatementDays statement={data} />}
        </>
      )}
    </Page>
  )
}

/** Name, address and VAT id of who sells, each on its line. */
function Seller({ seller }: { seller: string }) {
  return seller.split(';').map((line) => (
    <span key={line} className="block">
      {line.trim()}
    </span>
  ))
}

type BalanceRow = { key: string; id?: string; day: string; what: string; units: string }

const balanceColumns: readonly Column<BalanceRow>[] = [
  column('Entry', ({ what }) => <span className="font-medium">{what}</span>, { width: 'wide' }),
  column('Day', ({ day }) => day),
  column('Entry id', ({ id }) => (id === undefined ? '–' : <span className="font-mono text-12">{shortId(id)}</span>)),
  column('Units', ({ units }) => units, { align: 'right' }),
]

const dayOf = (at: number) => calendarDay(new Date(at * 1000).toISOString().slice(0, 10))

/** From the opening to the closing balance: each entry, and what was used. Left out if there never was one. */
function Balance({ statement }: { statement: StatementData }) {
  const { month, over, opening, closing, balance, entries } = statement
  if (opening === 0 && closing === 0 && entries.length === 0) return null
  const end = daysOfMonth(month).at(-1)
  const closed = end === undefined ? '' : dayOf(end)
  const rows: BalanceRow[] = [
    { key: 'opening', day: calendarDay(month), what: 'Opening balance', units: whole(opening) },
    ...entries.map(({ id, createdAt, reason, units, undoes }) => ({
      key: id,
      day: dayOf(createdAt),
      id,
      what: undoes === null ? reason : `${reason} (undoes ${shortId(undoes)})`,
      units: signed(units),
    })),
    { key: 'used', day: closed, what: 'Units used from the balance', units: signed(-balance) },
    { key: 'closing', day: closed, what: over ? 'Closing balance' : 'Balance now', units: whole(closing) },
  ]
  return (
    <Section title="Balance">
      <Table label="Balance" list={{ data: rows }} columns={balanceColumns} rowKey={({ key }) => key} empty={null} />
    </Section>
  )
}

/** The number of sites with a column each; the others are combined. */
const SITES_SHOWN = 5

type Day = { day: string; bySite: Readonly<Record<string, number>>; balance: number; units: number }

/** The units of each day, with a column per site. */
function StatementDays({ statement }: { statement: StatementData }) {
  const { columns, days } = useMemo(() => {
    const times = daysOfMonth(statement.month)
    const sites = unitsByDay(statement, times, SITES_SHOWN)
    const days = times.map((at, i): Day => {
      const day = new Date(at * 1000).toISOString().slice(0, 10)
      const values = sites.map(({ site, values }) => [site, values[i] ?? 0] as const)
      return {
        day,
        bySite: Object.fromEntries(values),
        balance: statement.lines.reduce((sum, line) => (line.day === day ? sum + line.balance : sum), 0),
        units: values.reduce((sum, [, units]) => sum + units, 0),
      }
    })
    return {
      days: statement.lines.length === 0 ? [] : days,
      columns: [
        column<Day>('Day', ({ day }) => <span className="font-medium">{calendarDay(day)}</span>),
        ...sites.map(({ site, name }) =>
          column<Day>(name, ({ bySite }) => whole(bySite[site] ?? 0), { align: 'right' }),
        ),
        ...(statement.balance === 0
          ? []
          : [column<Day>('From the balance', ({ balance }) => whole(balance), { align: 'right' })]),
        column<Day>('Units', ({ units }) => whole(units), { align: 'right' }),
      ],
    }
  }, [statement])
  return (
    <Section title="By day">
      <Table
        label="Units by day and site"
        list={{ data: days }}
        columns={columns}
        rowKey={({ day }) => day}
        empty={<EmptyState title="No units used">No completed verifications in this month.</EmptyState>}
      />
    </Section>
  )
}
