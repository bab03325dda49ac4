import { useState } from 'react'
import { useZone, type Zone } from '../text/zone.ts'
import { type ChartData, type ChartMark, NO_MARKS, nameInChart, type Tone } from './chartData.ts'
import { MarkNames, marksAt } from './Marks.tsx'

export const FILLS: Record<Tone, string> = {
  pass: 'fill-pass/25 stroke-pass',
  challenge: 'fill-challenge/30 stroke-challenge',
  block: 'fill-block/45 stroke-block',
  info: 'fill-info/25 stroke-info',
  brand: 'fill-brand/25 stroke-brand',
  ink: 'fill-ink/15 stroke-ink-2',
}
const DOTS: Record<Tone, string> = {
  pass: 'bg-pass',
  challenge: 'bg-challenge',
  block: 'bg-block',
  info: 'bg-info',
  brand: 'bg-brand',
  ink: 'bg-ink-2',
}
/** Lines differ by their dashes too, not only by colour. */
export const DASHES = ['', '6 4', '2 3', '10 4 2 4']

/** Of what happened in a step, the tooltip shows the first ones; the table has all. */
const MOST_TEXTS = 3

/** The values at the step under the pointer, and what happened in it. */
export function ChartTooltip({
  data,
  marks,
  at,
  left,
  width,
  format,
  zone,
}: {
  data: ChartData
  /** What happened in it and in the steps grouped with it. */
  marks: readonly ChartMark[]
  at: number
  left: number
  width: number
  format: (value: number) => string
  zone: Zone
}) {
  const { times, step, series } = data
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 grid min-w-36 gap-1 rounded-control border border-line bg-surface p-2 text-12 shadow-float"
      style={left > width / 2 ? { right: width - left + 8 } : { left: left + 8 }}
    >
      <span className="font-medium">{nameInChart(times[at] ?? 0, step, zone)}</span>
      {series.map(({ name, tone, values }) => (
        <span key={name} className="flex items-center gap-2 whitespace-nowrap">
          <span className={`size-2 rounded-full ${DOTS[tone]}`} />
          {name}
          <span className="ml-auto pl-3 tabular-nums">{values[at] == null ? '–' : format(values[at])}</span>
        </span>
      ))}
      {marks.slice(0, MOST_TEXTS).map(({ id, text }) => (
        <span key={id} className="max-w-56 border-t border-line pt-1">
          {text}
        </span>
      ))}
      {marks.length > MOST_TEXTS && <span className="text-ink-2">{marks.length - MOST_TEXTS} more</span>}
    </div>
  )
}

/** The name of each series, and of each kind of mark. */
export function Legend({ data: { series, marks = NO_MARKS }, kind }: { data: ChartData; kind: 'areas' | 'lines' }) {
  return (
    <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-2">
      {series.map(({ name, tone }, i) => (
        <li key={name} className="flex items-center gap-2">
          {kind === 'areas' ? (
            <span className={`size-2 rounded-full ${DOTS[tone]}`} />
          ) : (
            <svg width={20} height={4}>
              <line
                x1={0}
                x2={20}
                y1={2}
                y2={2}
                strokeWidth={2}
                strokeDasharray={DASHES[i % DASHES.length]}
                className={FILLS[tone]}
              />
            </svg>
          )}
          {name}
        </li>
      ))}
      <MarkNames marks={marks} />
    </ul>
  )
}

const textsAt = (data: ChartData, index: number): string =>
  marksAt(data, index)
    .map(({ text }) => text)
    .join('; ')

/** The values as a table, collapsed. Rendered only once opened, because a week has 168 rows. */
export function ChartTable({
  label,
  data,
  format,
  onPick,
}: {
  label: string
  data: ChartData
  format: (value: number) => string
  onPick?: ((index: number, anchor: Element) => void) | undefined
}) {
  const { times, step, series, marks = NO_MARKS } = data
  const zone = useZone()
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="text-12">
      <summary className="w-fit cursor-pointer rounded-xs text-ink-2 hover:text-ink">View as table</summary>
      {open && (
        <div className="mt-2 overflow-clip rounded-panel border border-line bg-surface">
          <table aria-label={label} className="w-full">
            <thead>
              <tr>
                {['From', ...series.map(({ name }) => name)].map((head, index) => (
                  <th
                    key={head}
                    scope="col"
                    className={`border-b border-line px-1.5 sm:px-3 py-2 align-bottom font-medium text-ink-2 ${index === 0 ? 'text-left' : 'text-right'}`}
                  >
                    {head}
                  </th>
                ))}
                {marks.length > 0 && (
                  <th
                    scope="col"
                    className="border-b border-line px-1.5 sm:px-3 py-2 text-left align-bottom font-medium text-ink-2 max-sm:hidden"
                  >
                    Marks
                  </th>
                )}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {times.map((time, index) => (
                <tr key={time}>
                  <th scope="row" className="px-1.5 sm:px-3 py-1 text-left font-normal">
                    {onPick ? (
                      <button
                        type="button"
                        className="rounded-xs underline decoration-line-strong underline-offset-3 hover:decoration-ink"
                        onClick={({ currentTarget }) => onPick(index, currentTarget)}
                      >
                        {nameInChart(time, step, zone)}
                      </button>
                    ) : (
                      nameInChart(time, step, zone)
                    )}
                    {marks.length > 0 && <span className="block text-ink-2 sm:hidden">{textsAt(data, index)}</span>}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="px-1.5 sm:px-3 py-1 text-right">
                      {values[index] == null ? '–' : format(values[index])}
                    </td>
                  ))}
                  {marks.length > 0 && <td className="px-1.5 sm:px-3 py-1 max-sm:hidden">{textsAt(data, index)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  )
}
