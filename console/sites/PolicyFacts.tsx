import { DocsLink } from '../frame/DocsLink.tsx'
import { calendarDay, whole } from '../ui/text/format.ts'
import { attackPrices, dollars, PRICES_AS_OF } from './attackPrice.ts'
import { DEVICES, difficultyRange, formatSeconds, waitFor } from './solveTimes.ts'

type Policy = Parameters<typeof attackPrices>[0]
type Row = { name: string; note?: string; usually: string; most: string }

/** What a policy means for visitors and for attackers, updated while it is edited. */
export function PolicyFacts(policy: Policy) {
  const valid = Number.isFinite(policy.baseWork) && policy.baseWork > 0
  const { usual, most } = difficultyRange(policy)
  // in attack mode everyone's challenge counts as raised
  const raised = { usual: policy.workMode === 'attack', most: policy.workMode !== 'fixed' }
  return (
    <div className="grid gap-4">
      <RangeTable
        title="Average solve time. One in twenty visitors takes a third longer."
        heading="Device"
        rows={DEVICES.map(({ name, note, hashesPerSecond }) => ({
          name,
          note,
          usually: valid ? formatSeconds(waitFor(usual, { raised: raised.usual }, hashesPerSecond)) : '–',
          most: valid ? formatSeconds(waitFor(most, { raised: raised.most }, hashesPerSecond)) : '–',
        }))}
      >
        {valid && `${whole(usual)} hashes usually, ${whole(most)} at most. `}
        {valid && raised.most && most > usual && 'A raised challenge also has a minimum age, on every device. '}
        Visitors with a grant skip it.
      </RangeTable>
      <RangeTable
        title="What 1,000,000 passes cost an attacker."
        heading="For"
        rows={attackPrices(policy).map(({ way, usually, most }) => ({
          name: way,
          usually: valid ? dollars(usually) : '–',
          most: valid ? dollars(most) : '–',
        }))}
      >
        Prices of {calendarDay(PRICES_AS_OF)}.{' '}
        <DocsLink page="attack-price">How they are measured, and what no challenge can stop</DocsLink>
      </RangeTable>
    </div>
  )
}

/** A value for most visitors, and one for the maximum, by row. */
function RangeTable({
  title,
  heading,
  rows,
  children,
}: {
  title: string
  heading: string
  rows: readonly Row[]
  children: React.ReactNode
}) {
  return (
    <figure className="overflow-clip rounded-panel border border-line">
      <table className="w-full text-13">
        <caption className="border-b border-line px-4 py-2 text-left text-12 text-ink-2">{title}</caption>
        <thead className="text-left text-12 text-ink-2">
          <tr className="border-b border-line">
            <th scope="col" className="px-4 py-2 font-medium">
              {heading}
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
              Usually
            </th>
            <th scope="col" className="px-4 py-2 text-right font-medium whitespace-nowrap">
              At most
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ name, note, usually, most }) => (
            <tr key={name}>
              <th scope="row" className="px-4 py-2 text-left font-normal">
                {name} {note && <span className="text-12 text-ink-2 max-sm:block">{note}</span>}
              </th>
              <td className="px-4 py-2 text-right whitespace-nowrap">{usually}</td>
              <td className="px-4 py-2 text-right whitespace-nowrap">{most}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption className="border-t border-line px-4 py-2 text-12 text-ink-2">{children}</figcaption>
    </figure>
  )
}
