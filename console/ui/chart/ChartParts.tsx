import type { Zone } from '../text/zone.ts'
import { type ChartData, type Series, stepName, type Tone } from './chartData.ts'

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
/** Lines differ by more than colour. */
export const DASHES = ['', '6 4', '2 3', '10 4 2 4']

/** What the values are at the step that is pointed at. */
export function Reading({
  data: { times, step, series },
  at,
  left,
  width,
  format,
  zone,
}: {
  data: ChartData
  at: number
  left: number
  width: number
  format: (value: number) => string
  zone: Zone
}) {
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute top-2 z-10 grid min-w-36 gap-1 rounded-control border border-line bg-surface p-2 text-12 shadow-float"
      style={left > width / 2 ? { right: width - left + 8 } : { left: left + 8 }}
    >
      <span className="font-medium">{stepName(times[at] ?? 0, step, zone)}</span>
      {series.map(({ name, tone, values }) => (
        <span key={name} className="flex items-center gap-2 whitespace-nowrap">
          <span className={`size-2 rounded-full ${DOTS[tone]}`} />
          {name}
          <span className="ml-auto pl-3 tabular-nums">{values[at] == null ? '–' : format(values[at])}</span>
        </span>
      ))}
    </div>
  )
}

/** Which look is whose. */
export function Legend({ series, kind }: { series: readonly Series[]; kind: 'areas' | 'lines' }) {
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
    </ul>
  )
}
