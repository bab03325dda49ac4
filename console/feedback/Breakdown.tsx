import type { ReactNode } from 'react'
import { Panel } from '../ui/page/Page.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { percent, whole } from '../ui/text/number.ts'
import { abuseOf, fine, type Reported, rateOf, reportedOf, standsOut } from './words.ts'

export type Kind = Reported & {
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
export function Breakdown({ title, head, kinds }: { title: string; head: string; kinds: Kind[] | undefined }) {
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
              <Head>Abuse</Head>
              {withRedeemed && <Head>Rate</Head>}
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
                {withRedeemed && <Cell>{shown(rateOf({ ...kind, redeemed: kind.redeemed ?? 0 }), fine)}</Cell>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

const shown = (share: number | null, format: (share: number) => string) => (share === null ? '–' : format(share))

type Place = {
  /** Hidden on phones. */
  wide?: boolean
  children: string
}

const place = ({ wide = false }: Place) => `pl-3 text-right whitespace-nowrap ${wide ? 'max-sm:hidden' : ''}`

const Head = (props: Place) => (
  <th scope="col" className={`py-1.5 font-medium ${place(props)}`}>
    {props.children}
  </th>
)

const Cell = (props: Place) => <td className={`py-2 align-top ${place(props)}`}>{props.children}</td>

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
