const WIDTH = 96
const HEIGHT = 20

/** A small bar chart beside a number. Decorative, so it is hidden from screen readers. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const top = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length)
  const bars = values.map((value, index) => {
    const height = value === 0 ? 1 : Math.max(2, (value / top) * HEIGHT)
    return `M${index * step},${HEIGHT}v${-height}h${Math.max(1, step - 2)}v${height}z`
  })
  return (
    <svg aria-hidden width={WIDTH} height={HEIGHT} className="shrink-0 fill-brand/60">
      <path d={bars.join('')} />
    </svg>
  )
}
