import { X } from 'lucide-react'
import { Button } from '../ui/form/Button.tsx'
import { FILTERS, type Filters } from './search.ts'
import { useSites } from './useSites.ts'
import { DEVICES, duration, OUTCOMES, PAID, RAISED, WAYS } from './words.ts'

/** The active filters, each with a button that removes it. */
export function Chips({ filters, onAsk }: { filters: Filters; onAsk: (filters: Filters) => void }) {
  const sites = useSites()
  const given = FILTERS.filter((name) => filters[name] !== undefined)
  if (given.length === 0) return null
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {given.map((name) => {
        const words = wordsOf(name, filters, sites)
        return (
          <li key={name} className="flex h-7 max-w-full items-center rounded-full border border-line-strong bg-surface">
            <span className="min-w-0 truncate pl-3 text-12">{words}</span>
            <button
              type="button"
              aria-label={`Remove filter: ${words}`}
              onClick={() => onAsk({ ...filters, [name]: undefined })}
              className="ml-0.5 grid size-7 shrink-0 place-items-center rounded-full text-ink-2 hover:bg-line hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          </li>
        )
      })}
      {given.length > 1 && (
        <li>
          <Button look="quiet" size="small" onClick={() => onAsk({})}>
            Clear all
          </Button>
        </li>
      )}
    </ul>
  )
}

function wordsOf(name: keyof Filters, filters: Filters, sites: Readonly<Record<string, string>>): string {
  const { site, action, hostname, outcome, way, device, paid, slow, raised } = filters
  const words: Record<keyof Filters, string> = {
    site: `Site: ${sites[site ?? ''] ?? '…'}`,
    action: `Action: ${action}`,
    hostname: `Hostname: ${hostname}`,
    outcome: outcome === 'none' ? OUTCOMES.none : `Feedback: ${OUTCOMES[outcome ?? 'unknown']}`,
    way: WAYS[way ?? 'solved'],
    device: `Device: ${DEVICES[device ?? 'mobile']}`,
    paid: `Charged to: ${PAID[paid ?? 'quota']}`,
    slow: `Solved in ${duration(slow ?? 0)} or more`,
    raised: `Difficulty raised by: ${RAISED[raised ?? 'any']}`,
  }
  return words[name]
}
