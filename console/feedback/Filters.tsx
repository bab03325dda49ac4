import { getRouteApi } from '@tanstack/react-router'
import { OUTCOMES } from '../decisions/words.ts'
import { Button } from '../ui/form/Button.tsx'
import { Select } from '../ui/form/Select.tsx'
import type { FeedbackSearch } from './search.ts'
import type { Rates } from './useRates.ts'

const { confirmed_abuse, legitimate, unknown } = OUTCOMES
const route = getRouteApi('/o/$tenant/feedback')

/** The filters of the reports. They offer the types and actions that were reported in the period. */
export function Filters({ rates }: { rates: Rates | undefined }) {
  const { outcome, type, action } = route.useSearch()
  const navigate = route.useNavigate()
  const ask = (part: Pick<FeedbackSearch, 'outcome' | 'type' | 'action'>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        label="Outcome"
        value={outcome ?? 'any'}
        onChange={(chosen) => ask({ outcome: chosen === 'any' ? undefined : chosen })}
        options={{ any: 'Any outcome', confirmed_abuse, legitimate, unknown }}
      />
      <Select
        label="Business type"
        value={type ?? ''}
        onChange={(chosen) => ask({ type: chosen === '' ? undefined : chosen })}
        options={{ '': 'Any business type', ...words(type, rates?.byType) }}
      />
      <Select
        label="Action"
        value={action ?? ''}
        onChange={(chosen) => ask({ action: chosen === '' ? undefined : chosen })}
        options={{ '': 'Any action', ...words(action, rates?.byAction) }}
      />
      {(outcome ?? type ?? action) !== undefined && (
        <Button look="quiet" onClick={() => ask({ outcome: undefined, type: undefined, action: undefined })}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** The options of the period, and the chosen one even if it is not among them. */
const words = (chosen: string | undefined, kinds: Rates['byType'] | undefined): Record<string, string> =>
  Object.fromEntries(
    [...(kinds ?? []).flatMap(({ name }) => (name === null ? [] : [name])), ...(chosen ? [chosen] : [])].map((name) => [
      name,
      name,
    ]),
  )
