import type { ChartData, ChartMark, MarkKind } from './chartData.ts'

const KINDS = {
  change: { name: 'change of the site', shape: 'M0,-5 L5,0 L0,5 L-5,0 Z', tone: 'fill-ink-2 stroke-ink-2' },
  key: { name: 'key change', shape: 'M0,-5 L5,4 L-5,4 Z', tone: 'fill-info stroke-info' },
  incident: { name: 'incident', shape: 'M-4,-4 H4 V4 H-4 Z', tone: 'fill-block stroke-block' },
} as const satisfies Record<MarkKind, unknown>

/** The step of a chart in which a time is. Times outside of it belong to its first or last step. */
export const stepAt = ({ times, step }: ChartData, at: number): number =>
  Math.min(times.length - 1, Math.max(0, Math.floor((at - (times[0] ?? 0)) / step)))

/** What happened in a step. */
export const marksAt = (data: ChartData, index: number): ChartMark[] =>
  (data.marks ?? []).filter(({ at }) => stepAt(data, at) === index)

/** Lines at the times of changes, and bands over incidents, within the plot. Shapes differ, not only colours. */
export function Marks({
  data,
  x,
  top,
  bottom,
}: {
  data: ChartData
  x: (index: number) => number
  top: number
  bottom: number
}) {
  const taken = new Map<number, number>()
  return (data.marks ?? []).map(({ id, at, to, kind }) => {
    const { shape, tone } = KINDS[kind]
    const step = stepAt(data, at)
    // several in one step are below each other
    const row = taken.get(step) ?? 0
    taken.set(step, row + 1)
    const left = x(step)
    const right = to === undefined ? left : x(stepAt(data, to))
    return (
      <g key={id} className={tone}>
        {right > left && (
          <rect x={left} y={top} width={right - left} height={bottom - top} fillOpacity={0.1} stroke="none" />
        )}
        <line x1={left} x2={left} y1={top} y2={bottom} strokeDasharray="2 3" />
        <path d={shape} transform={`translate(${left} ${top + 12 * row})`} stroke="none" />
      </g>
    )
  })
}

/** The shape and name of each kind of mark in the chart, for its legend. */
export function MarkNames({ marks }: { marks: readonly ChartMark[] }) {
  return (Object.keys(KINDS) as MarkKind[])
    .filter((kind) => marks.some((mark) => mark.kind === kind))
    .map((kind) => (
      <li key={kind} className="flex items-center gap-2">
        <svg width={12} height={12} viewBox="-6 -6 12 12" className={KINDS[kind].tone}>
          <path d={KINDS[kind].shape} stroke="none" />
        </svg>
        {KINDS[kind].name}
      </li>
    ))
}
