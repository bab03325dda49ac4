import type { ReactNode } from 'react'
import type { FeedbackSearch } from '../routes/search.ts'
import { Panel, Section, Skeleton } from '../ui/page/Page.tsx'
import { percent, whole } from '../ui/text/format.ts'
import { Link } from '../ui/text/Link.tsx'
import type { Rates } from './api.ts'
import { Label } from './BusinessType.tsx'
import { abuseOf, fine, type Reported, rateOf, reportedOf, standsOut } from './words.ts'

const LEGEND = { 'Confirmed abuse': 'bg-block', Unknown: 'bg-challenge', Legitimate: 'bg-pass' }

/** Reports by action and site. */
export function Breakdowns({ rates, site }: { rates: Rates | undefined; site: string | undefined }) {
  return (
    <Section title="Reports by kind">
      <ul aria-hidden className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-2">
        {Object.entries(LEGEND).map(([word, dot]) => (
          <li key={word} className="flex items-center gap-2">
            <span className={`size-2 rounded-full ${dot}`} />
            {word}
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Breakdown title="By action" head="Action" kinds={rates?.byAction.map(ofAction)} />
        {site === undefined && <Breakdown title="By site" head="Site" kinds={rates?.bySite.map(ofSite)} />}
      </div>
    </Section>
  )
}

function ofAction({ name, ...rate }: Rates['byAction'][number]): Kind {
  if (name === null) return { ...rate, key: '', words: 'all others', name: 'All others' }
  const link = (
    <KindLink narrow={{ action: name }}>
      <Label is={name} />
    </KindLink>
  )
  return { ...rate, key: name, words: name, name: link }
}

const ofSite = ({ id, name, ...rate }: Rates['bySite'][number]): Kind => ({
  ...rate,
  key: id,
  words: name ?? 'a deleted site',
  name: name === null ? 'Deleted' : <KindLink narrow={{ site: id }}>{name}</KindLink>,
})

type Kind = Reported & {
  key: string
  /** Its name within a sentence. */
  words: string
  /** Its name in the table, perhaps as a link. */
  name: ReactNode
  /** Completed verifications, if known. */
  redeemed?: number
}

const SEGMENTS = [
  ['confirmed_abuse', 'bg-block'],
  ['unknown', 'bg-challenge'],
  ['legitimate', 'bg-pass'],
] as const

/** Reports and abuse by kind: a sentence, bars and figures. */
function Breakdown({ title, head, kinds }: { title: string; head: string; kinds: Kind[] | undefined }) {
  const most = Math.max(1, ...(kinds ?? []).map(reportedOf))
  const withRedeemed = kinds?.some(({ redeemed }) => redeemed !== undefined)
  return (
    <Panel title={title} description={kinds ? standsOut(kinds) : <Skeleton width="long" />}>
      {kinds && kinds.length > 0 && (
        <table aria-label={title} className="w-full text-13">
          <thead>
            <tr className="border-b border-line text-12 text-ink-2">
              <th scope="col" className="py-1.5 pr-3 text-left font-medium">
                {head}
              </th>
              {withRedeemed && <Head wide>Completed</Head>}
              <Head>Reported</Head>
              <Head>Abuse, of reports</Head>
              {withRedeemed && <Head wide>Abuse, of completed</Head>}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {kinds.map((kind) => (
              <tr key={kind.key}>
                <th scope="row" className="w-full py-2 pr-3 text-left font-normal">
                  <span className="wrap-anywhere">{kind.name}</span>
                  <Bar kind={kind} most={most} />
                </th>
                {withRedeemed && <Cell wide>{whole(kind.redeemed ?? 0)}</Cell>}
                <Cell>{whole(reportedOf(kind))}</Cell>
                <Cell>{shown(abuseOf(kind), percent)}</Cell>
                {withRedeemed && <Cell wide>{shown(rateOf({ ...kind, redeemed: kind.redeemed ?? 0 }), fine)}</Cell>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

const shown = (share: number | null, format: (share: number) => string) => (share === null ? '–' : format(share))

type CellProps = {
  /** Hidden on phones. */
  wide?: boolean
  children: string
}

const cellClass = ({ wide = false }: CellProps) => `pl-3 text-right whitespace-nowrap ${wide ? 'max-sm:hidden' : ''}`

const Head = (props: CellProps) => (
  <th scope="col" className={`py-1.5 font-medium ${cellClass(props)}`}>
    {props.children}
  </th>
)

const Cell = (props: CellProps) => <td className={`py-2 align-top ${cellClass(props)}`}>{props.children}</td>

/** A bar as long as the number of reports, divided by outcome. The figures beside it say the same. */
function Bar({ kind, most }: { kind: Reported; most: number }) {
  return (
    <span aria-hidden className="mt-1.5 flex h-1.5 gap-px">
      {SEGMENTS.map(
        ([outcome, tone]) =>
          kind[outcome] > 0 && (
            <span
              key={outcome}
              className={`min-w-0.5 rounded-full ${tone}`}
              style={{ width: `${(kind[outcome] / most) * 100}%` }}
            />
          ),
      )}
    </span>
  )
}

/** Filters the reports below and scrolls to them. */
function KindLink({ narrow, children }: { narrow: Pick<FeedbackSearch, 'action' | 'site'>; children: ReactNode }) {
  return (
    <Link
      from="/o/$tenant/feedback"
      search={({ period, from, to, site }) => ({ period, from, to, site, ...narrow })}
      hash="reports"
      resetScroll={false}
    >
      {children}
    </Link>
  )
}
