export type Product = {
  readonly slug: 'bell' | 'saddle' | 'lamp'
  readonly name: string
  readonly line: string
  readonly detail: string
  /** Price of one, in euro cents, VAT included. */
  readonly cents: number
}

export const products: readonly Product[] = [
  {
    slug: 'bell',
    name: 'Brass bell No. 3',
    line: 'One clear note, eleven seconds long.',
    detail: 'Spun brass, steel clamp, fits 22–26 mm',
    cents: 2800,
  },
  {
    slug: 'saddle',
    name: 'Harbour saddle',
    line: 'Oak-bark leather that learns your weight.',
    detail: 'Copper rivets, steel rails, 510 g',
    cents: 9400,
  },
  {
    slug: 'lamp',
    name: 'Lantern front lamp',
    line: 'Forty lux on the road, none in the eyes.',
    detail: 'Runs on any hub dynamo, stays lit at stops',
    cents: 6200,
  },
]

export function findProduct(slug: string | undefined): Product | undefined {
  return products.find((product) => product.slug === slug)
}

const euros = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })

/** Euro cents as a price to read, such as `€28.00`. */
export function formatPrice(cents: number): string {
  return euros.format(cents / 100)
}

/** Formats an order's number as people quote it. */
export function formatOrder(number: number): string {
  return `PW-${number}`
}
