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

/** Marks nearer to each other than this many pixels are shown as one. */
const APART = 18

type MarkGroup = { left: number; marks: ChartMark[]; steps: Set<number> }

/** The marks in the order of their times, those that would overlap together. `x`: the place of a step in pixels. */
export function groupMarks(data: ChartData, x: (index: number) => number): MarkGroup[] {
  const groups: MarkGroup[] = []
  for (const mark of (data.marks ?? []).toSorted((a, b) => a.at - b.at)) {
    const step = stepAt(data, mark.at)
    const last = groups.at(-1)
    if (last && x(step) - last.left < APART) {
      last.marks.push(mark)
      last.steps.add(step)
    } else groups.push({ left: x(step), marks: [mark], steps: new Set([step]) })
  }
  return groups
}

/** The shapes of marks with a line below each, the number of grouped ones, and bands over incidents. */
export function Marks({
  data,
  groups,
  x,
  top,
  bottom,
}: {
  data: ChartData
  groups: readonly MarkGroup[]
  x: (index: number) => number
  top: number
  bottom: number
}) {
  return groups.map(({ left, marks }) => {
    const [first] = marks
    const kind = marks.every((mark) => mark.kind === first?.kind) ? first?.kind : undefined
    const tone = kind ? KINDS[kind].tone : KINDS.change.tone
    return (
      <g key={first?.id} className={tone}>
        {marks.map(({ id, at, to }) => {
          const from = x(stepAt(data, at))
          const right = to === undefined ? from : x(stepAt(data, to))
          return (
            right > from && (
              <rect
                key={id}
                x={from}
                y={top}
                width={right - from}
                height={bottom - top}
                fillOpacity={0.1}
                className="fill-block stroke-none"
              />
            )
          )
        })}
        <line x1={left} x2={left} y1={top} y2={bottom} strokeDasharray="2 3" />
        {marks.length === 1 && kind ? (
          <path d={KINDS[kind].shape} transform={`translate(${left} ${top})`} stroke="none" />
        ) : (
          <>
            <circle cx={left} cy={top} r={8} />
            <text x={left} y={top + 4} textAnchor="middle" className="fill-surface stroke-none font-semibold">
              {marks.length}
            </text>
          </>
        )}
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
