import { readFileSync } from 'node:fs'

/** Values by their names on the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** A call: path, input and answer. */
export type Call = { path: string; input: Fields; answer: Fields }

export type Keys = { sitekey: string; secret: string }

/** The expected error; null: not set. */
export type ExpectedError = {
  code: string
  status: number | null
  retryable: boolean
  field?: string | null
  request_id?: string | null
  retry_after?: number | null
  latest_event_id?: string | null
  /** Part of the message. */
  says?: string
}

/** An input: the call's, with these changes and without these fields. */
type Input = { name: string; call: string; input?: Fields; without?: string[] }

/** An answer: see the README of the vectors. */
export type Answer = {
  status?: number
  headers?: Record<string, string>
  body?: string
  body_base64?: string
  answer?: Fields
  drop?: string[]
  repeat?: number
  pad?: number
}

/** `value` is the call's answer with these changes. */
export type Outcome = { value?: Fields; error?: ExpectedError }

/** A code that a backend can get. `statuses` is empty for the SDK's own. */
export type KnownError = { code: string; class: string; statuses: number[]; retryable: boolean; says: string }

/** A request of a webhook. */
export type Hook = { name: string; headers: Record<string, string>; body: string; now?: number }

/** The files of sdk/vectors, described in its README. */
export type Vectors = {
  calls: Record<string, Call>
  grammars: Record<string, { fields: string[]; accept: unknown[]; refuse: unknown[] }>
  arguments: (Input & { code: string; field?: string })[]
  answers: (Input & Answer & { expect: Outcome })[]
  retries: (Input & {
    answers: (Answer | 'ok' | 'drop' | 'cut' | 'garbage')[]
    expect: Outcome & { tries: number; waits: number[] }
  })[]
  messages: {
    common: Record<string, string>
    component: Record<string, string>
    fields: Record<string, { rule: string; hints: { pattern: string; says: string }[] }>
    local: (Input & { field: string; says: string })[]
    service: { name: string; call: string; field: string; says: string }[]
  }
  errors: KnownError[]
  secrets: {
    accept: (Keys & { name: string })[]
    refuse: { name: string; sitekey: unknown; secret: unknown; says: string }[]
  }
  urls: { accept: { url: string; base: string }[]; insecure: string[]; refuse: unknown[] }
  hashes: {
    accept: { kind: 'session' | 'subject'; key?: string; key_hex?: string; value: string; hash: string }[]
    refuse: { name: string; key?: unknown; key_hex?: string; value: unknown; says?: string }[]
  }
  render: {
    accept: { name: string; kind: 'widget' | 'script'; input: Fields; html: string }[]
    refuse: { name: string; kind: 'widget' | 'script'; input: Fields; says: string }[]
  }
  testKeys: Record<string, Keys>
  webhooks: {
    secret: string
    now: number
    accept: Hook[]
    refuse: Hook[]
    secrets: { name: string; secret: unknown }[]
  }
}

export function readVectors<Name extends keyof Vectors>(name: Name): Vectors[Name] {
  return JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')) as Vectors[Name]
}

/** The complete input of a case. */
export function inputOf(call: Call, { input, without = [] }: Pick<Input, 'input' | 'without'>): Fields {
  return pick({ ...call.input, ...input }, without)
}

/** The bytes of an answer's body. */
export function bodyOf(call: Call, { body, body_base64, answer, drop = [], repeat = 1, pad = 0 }: Answer): Buffer {
  if (body_base64 !== undefined) return Buffer.from(body_base64, 'base64')
  const text = body ?? JSON.stringify(pick({ ...call.answer, ...answer }, drop))
  return Buffer.from(text.repeat(repeat).padEnd(pad))
}

const pick = (fields: Fields, without: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !without.includes(name)))

/** The name of the error's class. What was repeated is unavailable. A response is the visitor's value, so a malformed one is a refusal, not a mistake. */
export function classOf(errors: readonly KnownError[], { code, field, retryable }: ExpectedError): string {
  if (retryable) return 'UnavailableError'
  if (code === 'bad-request' && field === 'response') return 'RefusedError'
  return errors.find((each) => each.code === code)?.class ?? 'TollgateError'
}
