import { getRouteApi } from '@tanstack/react-router'
import { Printer } from 'lucide-react'
import { useTenant } from '../frame/useTenant.ts'
import { Button, PageLink } from '../ui/form/Button.tsx'
import { ErrorPanel } from '../ui/page/ErrorNotice.tsx'
import { codeOf } from '../ui/page/errorMessage.ts'
import { Page, Panel, Section, Skeleton } from '../ui/page/Page.tsx'
import { EmptyState } from '../ui/table/EmptyState.tsx'
import { ExportLink } from '../ui/table/Export.tsx'
import { Fact, Facts } from '../ui/table/Facts.tsx'
import { type Column, column, Table } from '../ui/table/Table.tsx'
import { calendarDay, counted, whole } from '../ui/text/format.ts'
import { type StatementData, useStatement } from './api.ts'
import { SiteUnits } from './SiteUnits.tsx'
import { monthName, periodWords, signed } from './words.ts'

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
      description={data && (data.over ? 'Final.' : 'Preliminary: the month is not over yet.')}
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
              <Fact name="Issued by">{location.host}</Fact>
              <Fact name="Units used">{data ? whole(data.quota + data.balance) : <Skeleton width="short" />}</Fact>
              <Fact name="From your plan">
                {data ? (
                  `${whole(data.quota)} of ${counted(data.included, 'unit')} included`
                ) : (
                  <Skeleton width="short" />
                )}
              </Fact>
              <Fact name="From your balance">{data ? whole(data.balance) : <Skeleton width="short" />}</Fact>
              <Fact name="Added to your balance">
                {data ? data.added === 0 ? '0' : signed(data.added) : <Skeleton width="short" />}
              </Fact>
            </Facts>
          </Panel>
          <Section title="By site">
            <SiteUnits statement={data} />
          </Section>
          <StatementDays statement={data} />
        </>
      )}
    </Page>
  )
}

type Line = StatementData['lines'][number]

const columns: readonly Column<Line>[] = [
  column('Day', ({ day }) => <span className="font-medium">{calendarDay(day)}</span>),
  column('Site', ({ name }) => name ?? 'Deleted site', { width: 'wide' }),
  column('From the plan', ({ quota }) => whole(quota), { align: 'right' }),
  column('From the balance', ({ balance }) => whole(balance), { align: 'right' }),
]

/** The lines of a statement. */
function StatementDays({ statement }: { statement: StatementData | undefined }) {
  const data = statement?.lines
  return (
    <Section title="By day and site">
      <Table
        label="Units by day and site"
        list={{ data, error: null, isFetching: !data, refetch: () => undefined }}
        columns={columns}
        rowKey={({ day, site }) => `${day} ${site}`}
        empty={<EmptyState title="No units used">No completed verifications in this month.</EmptyState>}
      />
    </Section>
  )
}
