import { type ComponentProps, type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { lazyPart } from '../overlay/lazyPart.ts'
import { short } from '../text/format.ts'
import { useZone } from '../text/zone.ts'
import { ChartTable, ChartTooltip, DASHES, FILLS, Legend } from './ChartParts.tsx'
import { axisLabels, axisTicks, type ChartData, isUnfinished, NO_MARKS, type Series, stepName } from './chartData.ts'
import { groupMarks, Marks } from './Marks.tsx'
import type { PointItem } from './PointMenu.tsx'

const PointMenu = lazyPart(async () => (await import('./PointMenu.tsx')).PointMenu)

/** What a chart's steps offer. Ranges are in Unix seconds. */
export type ChartMenu = {
  itemsAt: (index: number) => PointItem[]
  onZoom: (range: { from: number; to: number }) => void
}

type Picked = Pick<ComponentProps<typeof PointMenu>, 'title' | 'items' | 'anchor'>

const HEIGHT = 240
const PLOT = { left: 48, right: 8, top: 12, bottom: 24 }
/** Labels of the time axis nearer to the right edge would be cut off if they were centred. */
const HALF_A_LABEL = 24
/** Pixels from one label of the time axis to the next, at least. */
const LABEL_APART = 68
const HEIGHT_OF_PLOT = HEIGHT - PLOT.top - PLOT.bottom

/**
 * Values over time, as stacked areas or lines. `summary` says in a sentence what the chart shows. The table below it has
 * the values for the keyboard and for screen readers. A click on a step, or its button in the table, opens the step's menu;
 * dragging over several steps zooms in.
 */
export function Chart({
  label,
  summary,
  data,
  kind,
  format = short,
  menu,
}: {
  label: string
  summary: string
  data: ChartData
  kind: 'areas' | 'lines'
  /** Formats a value with its unit, on the axis with the unit of `scale`, its end. */
  format?: (value: number, scale?: number) => string
  menu?: ChartMenu
}) {
  const { times, step, series, marks = NO_MARKS } = data
  const zone = useZone()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 800)
  const [at, setAt] = useState<number | null>(null)
  const [dragFrom, setDragFrom] = useState<number | null>(null)
  const [picked, setPicked] = useState<Picked | null>(null)
  const pick = (index: number, anchor: Picked['anchor']) => {
    const items = menu?.itemsAt(index) ?? []
    if (items.length > 0) setPicked({ title: stepName(times[index] ?? 0, step, zone), items, anchor })
  }

  const stacked = kind === 'areas' ? stack(series) : series.map(({ values }) => values)
  const ticks = axisTicks(Math.max(0, ...stacked.flatMap((values) => values.map((value) => value ?? 0))))
  const top = ticks.at(-1) ?? 1
  const inner = Math.max(1, width - PLOT.left - PLOT.right)
  const x = (index: number) => PLOT.left + (times.length < 2 ? inner / 2 : (index / (times.length - 1)) * inner)
  const y = (value: number) => PLOT.top + HEIGHT_OF_PLOT * (1 - value / top)
  const groups = groupMarks(data, x)
  const marksOf = (index: number) => groups.find(({ steps }) => steps.has(index))?.marks ?? NO_MARKS
  const nearest = (clientX: number) => {
    const { left } = frame.current?.getBoundingClientRect() ?? { left: 0 }
    const share = (clientX - left - PLOT.left) / inner
    return Math.min(times.length - 1, Math.max(0, Math.round(share * (times.length - 1))))
  }

  return (
    <figure aria-label={label} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <figcaption className="text-13 text-ink-2">{summary}</figcaption>
      {/* pointer only; the table below is for the keyboard */}
      <div
        role="presentation"
        ref={frame}
        className={`relative touch-pan-y select-none ${menu && at !== null ? 'cursor-pointer' : ''}`}
        style={{ height: HEIGHT }}
        onPointerDown={(event) => event.button === 0 && setDragFrom(nearest(event.clientX))}
        onPointerMove={(event) => setAt(nearest(event.clientX))}
        onPointerLeave={() => {
          setAt(null)
          setDragFrom(null)
        }}
        onClick={(event) => {
          const index = nearest(event.clientX)
          const [from, to] = [times[Math.min(dragFrom ?? index, index)], times[Math.max(dragFrom ?? index, index)]]
          setDragFrom(null)
          if (from === undefined || to === undefined) return
          if (from < to) menu?.onZoom({ from, to: to + step })
          else pick(index, { getBoundingClientRect: () => new DOMRect(event.clientX, event.clientY, 0, 0) })
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
                {format(tick, ticks.at(-1))}
              </text>
            </g>
          ))}
          {axisLabels(times, step, zone, Math.max(2, Math.floor(inner / LABEL_APART))).map(({ index, text }) => (
            <text
              key={index}
              x={x(index)}
              y={HEIGHT - 6}
              textAnchor={x(index) > width - HALF_A_LABEL ? 'end' : 'middle'}
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
          {/* the values of a step that is not over will grow: they are faint, so that they look like no fall */}
          {times.length > 1 && isUnfinished(times.at(-1) ?? 0, step) && (
            <rect
              x={x(times.length - 2) + 1}
              y={PLOT.top}
              width={Math.max(0, width - x(times.length - 2))}
              height={HEIGHT_OF_PLOT - 1}
              className="fill-bg/70"
            />
          )}
          <Marks data={data} groups={groups} x={x} top={PLOT.top} bottom={HEIGHT - PLOT.bottom} />
          {at !== null && dragFrom !== null && (
            <rect
              x={Math.min(x(at), x(dragFrom))}
              y={PLOT.top}
              width={Math.abs(x(at) - x(dragFrom))}
              height={HEIGHT_OF_PLOT}
              className="fill-brand/15"
            />
          )}
          {at !== null && (
            <line x1={x(at)} x2={x(at)} y1={PLOT.top} y2={HEIGHT - PLOT.bottom} className="stroke-line-strong" />
          )}
        </svg>
        {at !== null && (
          <ChartTooltip
            data={data}
            marks={marksOf(at)}
            at={at}
            left={x(at)}
            width={width}
            format={format}
            zone={zone}
          />
        )}
      </div>
      <Legend data={data} kind={kind} />
      {marks.length > 0 && (
        <ul aria-label={`Marks in ${label}`} className="sr-only">
          {marks.map(({ id, at, text }) => (
            <li key={id}>
              {stepName(at, step, zone)}: {text}
            </li>
          ))}
        </ul>
      )}
      <ChartTable label={label} data={data} format={format} onPick={menu && pick} />
      {picked && (
        <Suspense>
          <PointMenu {...picked} onClose={() => setPicked(null)} />
        </Suspense>
      )}
    </figure>
  )
}

/** The values of each series added to those of the series before it. */
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

/** The path of a line. It is interrupted where a value is missing; a single value is a dot. */
function line(values: readonly (number | null)[], x: Scale, y: Scale): string {
  let path = ''
  let drawing = false
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${drawing ? 'L' : 'M'}${x(index)},${y(value)}${drawing ? '' : 'h0'}`
    drawing = value !== null
  }
  return path
}

/** The element's current width in pixels; `initial` before it is measured. */
function useWidth(ref: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
