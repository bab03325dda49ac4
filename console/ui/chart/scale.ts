/** Round numbers from 0 that cover `max`, about `count` of them: 1, 2 or 5 times a power of ten apart. */
export function ticksTo(max: number, count = 4): number[] {
  if (!(max > 0)) return [0, 1]
  const rough = max / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough * 0.999) ?? 10) * power
  const ticks = [0]
  while ((ticks.at(-1) ?? 0) < max * 0.999) ticks.push(Number((ticks.length * step).toPrecision(12)))
  return ticks
}

/** At most `most` of the items, evenly spread, the last one always among them. */
export function thin<Item>(items: readonly Item[], most: number): Item[] {
  const every = Math.max(1, Math.ceil(items.length / Math.max(1, most)))
  return items.filter((_, index) => (items.length - 1 - index) % every === 0)
}
