import { useRef, useState } from 'react'
import { short } from '../text/number.ts'
import { useZone } from '../text/zone.ts'
import { DASHES, FILLS, Legend, Reading } from './ChartParts.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartData, labelled, type Series } from './chartData.ts'
import { thin, ticksTo } from './scale.ts'
import { useWidth } from './useWidth.ts'

const HEIGHT = 240
const PLOT = { left: 48, right: 8, top: 12, bottom: 24 }
const HEIGHT_OF_PLOT = HEIGHT - PLOT.top - PLOT.bottom

/**
 * How something went over time: areas one upon the other, or lines. What it says stands above in words and below as a
 * table, where each step links to its list; `onPick` is the same for who points.
 */
export function Chart({
  label,
  summary,
  data,
  kind,
  format = short,
  onPick,
}: {
  label: string
  summary: string
  data: ChartData
  kind: 'areas' | 'lines'
  /** Of a value, with its unit. */
  format?: (value: number) => string
  /** Opens what is behind a step. */
  onPick?: (range: { from: number; to: number }) => void
}) {
  const { times, step, series } = data
  const zone = useZone()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 800)
  const [at, setAt] = useState<number | null>(null)

  const stacked = kind === 'areas' ? stack(series) : series.map(({ values }) => values)
  const ticks = ticksTo(Math.max(0, ...stacked.flatMap((values) => values.map((value) => value ?? 0))))
  const top = ticks.at(-1) ?? 1
  const inner = Math.max(1, width - PLOT.left - PLOT.right)
  const x = (index: number) => PLOT.left + (times.length < 2 ? inner / 2 : (index / (times.length - 1)) * inner)
  const y = (value: number) => PLOT.top + HEIGHT_OF_PLOT * (1 - value / top)
  const nearest = (clientX: number) => {
    const { left } = frame.current?.getBoundingClientRect() ?? { left: 0 }
    const share = (clientX - left - PLOT.left) / inner
    return Math.min(times.length - 1, Math.max(0, Math.round(share * (times.length - 1))))
  }

  return (
    <figure aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <figcaption className="text-13 text-ink-2">{summary}</figcaption>
      {/* for who points; the keyboard has the table below */}
      <div
        role="presentation"
        ref={frame}
        className={`relative touch-pan-y ${onPick && at !== null ? 'cursor-pointer' : ''}`}
        style={{ height: HEIGHT }}
        onPointerMove={(event) => setAt(nearest(event.clientX))}
        onPointerLeave={() => setAt(null)}
        onClick={(event) => {
          const from = times[nearest(event.clientX)]
          if (onPick && from !== undefined) onPick({ from, to: from + step })
        }}
      >
        <svg aria-hidden width={width} height={HEIGHT} className="block max-w-full text-11">
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                x1={PLOT.left}
                x2={width - PLOT.right}
                y1={y(tick)}
                y2={y(tick)}
                strokeDasharray={tick === 0 ? undefined : '3 3'}
                className="stroke-line"
              />
              <text x={PLOT.left - 8} y={y(tick) + 4} textAnchor="end" className="fill-ink-2">
                {format(tick)}
              </text>
            </g>
          ))}
          {thin(labelled(times, step, zone), Math.max(2, Math.floor(inner / 96))).map(({ index, text }) => (
            <text
              key={index}
              x={x(index)}
              y={HEIGHT - 6}
              textAnchor={index === 0 ? 'start' : index === times.length - 1 ? 'end' : 'middle'}
              className="fill-ink-2"
            >
              {text}
            </text>
          ))}
          {kind === 'areas'
            ? series
                .map((one, i) => (
                  <path
                    key={one.name}
                    d={area(stacked[i] ?? [], stacked[i - 1], x, y)}
                    strokeWidth={1.5}
                    strokeLinejoin="round"
                    className={FILLS[one.tone]}
                  />
                ))
                .toReversed()
            : series.map((one, i) => (
                <path
                  key={one.name}
                  d={line(one.values, x, y)}
                  strokeWidth={1.75}
                  strokeLinejoin="round"
                  strokeLinecap="round"
                  strokeDasharray={DASHES[i % DASHES.length]}
                  className={`${FILLS[one.tone]} fill-none!`}
                />
              ))}
          {at !== null && (
            <line x1={x(at)} x2={x(at)} y1={PLOT.top} y2={HEIGHT - PLOT.bottom} className="stroke-line-strong" />
          )}
        </svg>
        {at !== null && <Reading data={data} at={at} left={x(at)} width={width} format={format} zone={zone} />}
      </div>
      <Legend series={series} kind={kind} />
      <ChartTable label={label} data={data} format={format} onPick={onPick} />
    </figure>
  )
}

/** Each series upon the ones before it. */
function stack(series: readonly Series[]): number[][] {
  const sums: number[][] = []
  for (const { values } of series) {
    const under = sums.at(-1)
    sums.push(values.map((value, index) => (value ?? 0) + (under?.[index] ?? 0)))
  }
  return sums
}

type Scale = (value: number) => number

function area(values: readonly (number | null)[], under: readonly (number | null)[] | undefined, x: Scale, y: Scale) {
  const upper = values.map((value, index) => `${x(index)},${y(value ?? 0)}`)
  const lower = values.map((_, index) => `${x(index)},${y(under?.[index] ?? 0)}`).toReversed()
  return `M${[...upper, ...lower].join('L')}Z`
}

/** The line breaks where there is no value; a value alone is a dot. */
function line(values: readonly (number | null)[], x: Scale, y: Scale): string {
  let path = ''
  let drawing = false
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${drawing ? 'L' : 'M'}${x(index)},${y(value)}${drawing ? '' : 'h0'}`
    drawing = value !== null
  }
  return path
}
