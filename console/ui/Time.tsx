const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** A moment (Unix seconds) in the reader's zone: date and minute, or only the time of day to the second. */
export function Time({ at, as = 'moment' }: { at: number; as?: 'moment' | 'clock' }) {
  const date = new Date(at * 1000)
  return <time dateTime={date.toISOString()}>{(as === 'clock' ? CLOCK : MOMENT).format(date)}</time>
}
