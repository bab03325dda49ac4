import { useState } from 'react'
import { Dialog, DialogActions, DialogBody } from '../overlay/Dialog.tsx'
import { useZone, type Zone, zoneName } from '../text/zone.ts'
import { Button } from './Button.tsx'
import { TextField } from './Field.tsx'
import { DEFAULT_PERIOD, isFixed, PERIODS, type Period, type PeriodSearch, type Range, rangeNow } from './period.ts'
import { Select } from './Select.tsx'

/** The entry of the list for two moments that were chosen, and the one that asks for them. */
type Entry = Period | 'fixed' | 'choose'

/**
 * Chooses the period of a page. `onChange` gets all three parameters, those that are to leave the URL as undefined:
 * spread them over the rest of the search.
 */
export function PeriodPicker({
  search,
  onChange,
}: {
  search: PeriodSearch
  onChange: (search: Required<PeriodSearch>) => void
}) {
  const zone = useZone()
  const [choosing, setChoosing] = useState(false)
  const fixed = isFixed(search)
  const range = rangeNow(search)

  const choose = (entry: Entry) => {
    if (entry === 'choose') setChoosing(true)
    else if (entry !== 'fixed')
      onChange({ period: entry === DEFAULT_PERIOD ? undefined : entry, from: undefined, to: undefined })
  }
  return (
    <>
      <Select<Entry>
        label="Period"
        value={fixed ? 'fixed' : (search.period ?? DEFAULT_PERIOD)}
        onChange={choose}
        options={
          {
            ...PERIODS,
            ...(fixed && { fixed: rangeWords(range, zone) }),
            choose: 'Custom…',
          } as Record<Entry, string>
        }
      />
      <Dialog
        open={choosing}
        onClose={() => setChoosing(false)}
        title="Choose a period"
        description={`Times are in ${zoneName(zone)}.`}
      >
        <Moments
          range={range}
          zone={zone}
          onCancel={() => setChoosing(false)}
          onChoose={(chosen) => {
            setChoosing(false)
            onChange({ period: undefined, ...chosen })
          }}
        />
      </Dialog>
    </>
  )
}

function Moments({
  range,
  zone,
  onCancel,
  onChoose,
}: {
  range: Range
  zone: Zone
  onCancel: () => void
  onChoose: (range: Range) => void
}) {
  const [from, setFrom] = useState(() => typed(range.from, zone))
  const [to, setTo] = useState(() => typed(range.to, zone))
  const chosen = { from: read(from, zone), to: read(to, zone) }
  const whole = Number.isFinite(chosen.from) && Number.isFinite(chosen.to)
  const reason = !whole
    ? 'Enter both times.'
    : chosen.from >= chosen.to
      ? 'The end must be after the start.'
      : undefined
  return (
    <form
      noValidate
      className="flex min-h-0 grow flex-col"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === undefined) onChoose(chosen)
      }}
    >
      <DialogBody>
        <TextField label="From" type="datetime-local" value={from} onChange={({ target }) => setFrom(target.value)} />
        <TextField label="To" type="datetime-local" value={to} onChange={({ target }) => setTo(target.value)} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" reason={reason}>
          Show this period
        </Button>
      </DialogActions>
    </form>
  )
}

/** Two moments in words: `3 Nov, 14:00 – 4 Nov, 02:00`. */
export function rangeWords({ from, to }: Range, zone: Zone): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  })
  return `${format.format(from * 1000)} – ${format.format(to * 1000)}`
}

/** Unix seconds as a field of date and time has them, in the zone. */
function typed(seconds: number, zone: Zone): string {
  const offset = zone === 'utc' ? 0 : new Date(seconds * 1000).getTimezoneOffset()
  return new Date((seconds - offset * 60) * 1000).toISOString().slice(0, 16)
}

/** The other way round; NaN where it is not whole. */
const read = (text: string, zone: Zone): number => Date.parse(zone === 'utc' ? `${text}Z` : text) / 1000
