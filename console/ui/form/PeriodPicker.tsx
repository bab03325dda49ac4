import { useState } from 'react'
import { Dialog, DialogActions, DialogBody } from '../overlay/Dialog.tsx'
import { fromDateInput, HOUR, LOCALE, toDateInput, useZone, type Zone, zoneName } from '../text/zone.ts'
import { Button } from './Button.tsx'
import { TextField } from './Field.tsx'
import { DEFAULT_PERIOD, isFixed, PERIODS, type Period, type PeriodSearch, type Range, rangeNow } from './period.ts'
import { Select } from './Select.tsx'

/** `fixed`: a chosen start and end. `choose`: opens the dialog for them. */
type Entry = Period | 'all' | 'fixed' | 'choose'

/**
 * Chooses the period of a page. `onChange` gets all three URL parameters, undefined for those to remove: spread them over
 * the other ones.
 */
export function PeriodPicker({
  all = false,
  search,
  onChange,
}: {
  /** Without a period in the URL, the page shows all times. */
  all?: boolean
  search: PeriodSearch
  onChange: (search: Required<PeriodSearch>) => void
}) {
  const zone = useZone()
  const unset = all ? 'all' : DEFAULT_PERIOD
  const [choosing, setChoosing] = useState(false)
  const fixed = isFixed(search)
  const range = rangeNow(search)

  const choose = (entry: Entry) => {
    if (entry === 'choose') setChoosing(true)
    else if (entry !== 'fixed')
      onChange({ period: entry === unset || entry === 'all' ? undefined : entry, from: undefined, to: undefined })
  }
  return (
    <>
      <Select<Entry>
        label="Period"
        value={fixed ? 'fixed' : (search.period ?? unset)}
        onChange={choose}
        options={
          {
            ...(all && { all: 'All time' }),
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
        <RangeForm
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

function RangeForm({
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
  const [from, setFrom] = useState(() => toDateInput(range.from, zone))
  const [to, setTo] = useState(() => toDateInput(range.to, zone))
  const chosen = { from: fromDateInput(from, zone, range.from), to: fromDateInput(to, zone, range.to) }
  const complete = Number.isFinite(chosen.from) && Number.isFinite(chosen.to)
  const reason = !complete
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

/** A range: `3 Nov, 14:00 – 4 Nov, 02:00`. */
function rangeWords({ from, to }: Range, zone: Zone): string {
  const format = new Intl.DateTimeFormat(LOCALE, {
    day: 'numeric',
    month: 'short',
    hour: HOUR,
    minute: '2-digit',
    ...(zone === 'utc' && { timeZone: 'UTC' }),
  })
  return `${format.format(from * 1000)} – ${format.format(to * 1000)}`
}
