import { findProduct } from './catalogue.ts'

/** What an intent is opened for. An intent for one action cannot be spent on the other. */
export type Action = 'checkout' | 'signup'

/** A submitted form in the shape in which it is frozen: trimmed text by field name, and for an order its total in cents. */
export type Payload = Readonly<Record<string, string>>

/** A field that has to be corrected; `field` is also the id of its control. */
export type Fault = { readonly field: string; readonly message: string }

/** An id as this shop and Tollgate write them. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Rule = { readonly accepts: (value: string) => boolean; readonly message: string }

const email: Rule = {
  accepts: (value) => /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,180}\.[^\s@\p{Cc}]{2,60}$/u.test(value),
  message: 'Enter an e-mail address such as ada@example.com',
}

const rules: Readonly<Record<Action, Readonly<Record<string, Rule>>>> = {
  checkout: {
    product: { accepts: (value) => findProduct(value) !== undefined, message: 'Choose one of the three parts' },
    quantity: { accepts: (value) => /^[1-9]$/.test(value), message: 'Choose a quantity from 1 to 9' },
    name: {
      accepts: (value) => /^[^\p{Cc}]{1,80}$/u.test(value),
      message: 'Enter the name for the parcel, at most 80 characters',
    },
    email,
    address: {
      accepts: (value) => value.length <= 300 && /^[^\p{Cc}]+(\n[^\p{Cc}]*){0,5}$/u.test(value),
      message: 'Enter the delivery address, at most six lines',
    },
  },
  signup: { email },
}

/**
 * Reads and judges the visitor's own fields of a form. The payload keeps what was typed even when there are faults, so
 * that it can be shown again; it may be frozen only when there are none.
 */
export function readFields(action: Action, form: URLSearchParams): { payload: Payload; faults: readonly Fault[] } {
  const typed: Record<string, string> = {}
  const faults: Fault[] = []
  for (const [field, rule] of Object.entries(rules[action])) {
    // a browser writes the line breaks of the same text differently
    const value = readOne(form, field).trim().replaceAll('\r\n', '\n')
    typed[field] = value
    if (!rule.accepts(value)) faults.push({ field, message: rule.message })
  }
  const product = findProduct(typed.product)
  if (product === undefined || faults.length > 0) return { payload: typed, faults }
  return { payload: { ...typed, total: String(product.cents * Number(typed.quantity)) }, faults }
}

/** Whether two payloads say the same of the visitor's own fields. The shop's total is none of them: prices change. */
export const saysTheSame = (action: Action, one: Payload, other: Payload): boolean =>
  Object.keys(rules[action]).every((field) => one[field] === other[field])

/** The value of a field that was sent exactly once, otherwise empty: of two values neither is the one that was meant. */
export function readOne(form: URLSearchParams, field: string): string {
  const [value, ...more] = form.getAll(field)
  return more.length === 0 ? (value ?? '') : ''
}
