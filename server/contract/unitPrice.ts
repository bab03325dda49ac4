/** What so many units cost, in whole or broken units of an ISO 4217 currency. */
export type Amount = { value: number; currency: string }

const PRICE = /^(?<price>\d+(?:\.\d+)?) (?<currency>[A-Z]{3}) per (?<per>[1-9]\d{0,2}(?:,\d{3})*|[1-9]\d*)(?: units)?$/

/** The amount for units at a price such as `0.50 EUR per 1,000`; null for a price in another form. */
export function amountFor(units: number, price: string | undefined): Amount | null {
  const { price: each, currency, per } = PRICE.exec(price?.trim() ?? '')?.groups ?? {}
  if (each === undefined || currency === undefined || per === undefined) return null
  return { value: (units * Number(each)) / Number(per.replaceAll(',', '')), currency }
}
