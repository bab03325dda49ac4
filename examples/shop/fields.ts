/** What an intent is opened for. The token of one action is not valid for the other. */
export const ACTIONS = ['checkout', 'signup'] as const
export type Action = (typeof ACTIONS)[number]

/** The visitor's own fields, trimmed. A valid order also has its `total` in euro cents. */
export type Payload = Readonly<Record<string, string>>

/** A message for each field to correct. */
export type Faults = Readonly<Record<string, string>>

/** `cents` is the price of one in euro cents, VAT included. */
export const products = [
  { slug: 'bell', name: 'Brass bell No. 3', line: 'Spun brass with a steel clamp for 22–26 mm bars.', cents: 2800 },
  { slug: 'saddle', name: 'Harbour saddle', line: 'Oak-bark leather, copper rivets, steel rails.', cents: 9400 },
  { slug: 'lamp', name: 'Lantern front lamp', line: 'Forty lux from any hub dynamo, with a standlight.', cents: 6200 },
]

export const findProduct = (slug: string | undefined) => products.find((product) => product.slug === slug)

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

type Rule = readonly [accepts: RegExp, message: string]

const email: Rule = [
  /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,180}\.[^\s@\p{Cc}]{2,60}$/u,
  'Enter an e-mail address such as ada@example.com',
]
const rules: Readonly<Record<Action, Readonly<Record<string, Rule>>>> = {
  checkout: {
    product: [/^(bell|saddle|lamp)$/, 'Choose one of the three parts'],
    quantity: [/^[1-9]$/, 'Choose a quantity from 1 to 9'],
    name: [/^[^\p{Cc}]{1,80}$/u, 'Enter the name for the parcel, at most 80 characters'],
    email,
    address: [
      /^(?=[^]{1,300}$)[^\p{Cc}]+(\n[^\p{Cc}]*){0,5}$/u,
      'Enter the delivery address, at most six lines and 300 characters',
    ],
  },
  signup: { email },
}

/** Reads and validates the visitor's own fields. The payload can be shown again; it may be frozen only without faults. */
export function readFields(action: Action, form: URLSearchParams): { payload: Payload; faults: Faults } {
  // browsers differ in how they send line breaks
  const read = (field: string) => readOne(form, field).trim().replaceAll('\r\n', '\n')
  const payload: Record<string, string> = Object.fromEntries(Object.keys(rules[action]).map((key) => [key, read(key)]))
  const broken = Object.entries(rules[action]).filter(([field, [accepts]]) => !accepts.test(payload[field] ?? ''))
  const faults = Object.fromEntries(broken.map(([field, [, message]]) => [field, message]))
  const product = findProduct(payload['product'])
  if (product && broken.length === 0) payload['total'] = String(product.cents * Number(payload['quantity']))
  return { payload, faults }
}

/** Whether the visitor's own fields are the same. The total is not one of them: prices change. */
export const isSameContent = (action: Action, one: Payload, other: Payload): boolean =>
  Object.keys(rules[action]).every((field) => one[field] === other[field])

/** The value of a field that was sent exactly once, otherwise an empty text. */
export function readOne(form: URLSearchParams, field: string): string {
  const [value = '', ...more] = form.getAll(field)
  return more.length === 0 ? value : ''
}
