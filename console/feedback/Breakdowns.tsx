import { Section } from '../ui/page/Page.tsx'
import { Breakdown, type Kind } from './Breakdown.tsx'
import { KindLink } from './KindLink.tsx'
import type { Rates } from './useRates.ts'
import { hashesWords, secondsWords } from './words.ts'

const LEGEND = { 'Confirmed abuse': 'bg-block', Unknown: 'bg-challenge', Legitimate: 'bg-pass' }

/** Reports by business type, action, solve time, difficulty and site. */
export function Breakdowns({ rates, site }: { rates: Rates | undefined; site: string | undefined }) {
  return (
    <Section
      title="Reports by kind"
      description="“Abuse” is the share of reports, “Rate” the share of all completed verifications."
    >
      <ul aria-hidden className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-2">
        {Object.entries(LEGEND).map(([word, dot]) => (
          <li key={word} className="flex items-center gap-2">
            <span className={`size-2 rounded-full ${dot}`} />
            {word}
          </li>
        ))}
      </ul>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Breakdown
            title="By business type"
            head="Business type"
            kinds={rates?.byType.map((rate) => named(rate, 'type'))}
          />
          <Breakdown title="By action" head="Action" kinds={rates?.byAction.map((rate) => named(rate, 'action'))} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Breakdown
            title="By solve time"
            head="Solved in"
            kinds={rates?.bySolveTime.map((rate) => ranged(rate, secondsWords(rate)))}
          />
          <Breakdown
            title="By difficulty"
            head="Expected hashes"
            kinds={rates?.byWork.map((rate) => ranged(rate, hashesWords(rate)))}
          />
          {site === undefined && <Breakdown title="By site" head="Site" kinds={rates?.bySite.map(ofSite)} />}
        </div>
      </div>
    </Section>
  )
}

function named({ name, ...rate }: Rates['byType'][number], by: 'type' | 'action'): Kind {
  if (name === null) return { ...rate, key: '', words: 'all others', name: 'All others' }
  return { ...rate, key: name, words: name, name: <KindLink narrow={{ [by]: name }}>{name}</KindLink> }
}

const ranged = (range: Rates['byWork'][number], words: string): Kind => ({
  ...range,
  key: String(range.from),
  words,
  name: words,
})

const ofSite = ({ id, name, ...rate }: Rates['bySite'][number]): Kind => ({
  ...rate,
  key: id,
  words: name ?? 'a deleted site',
  name: name === null ? 'Deleted' : <KindLink narrow={{ site: id }}>{name}</KindLink>,
})
