import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { Fault } from '../testing/faults.ts'
import type { Merchant } from './adapter.ts'
import { expect, Failed } from './check.ts'
import { createDeployment, newNonce, type Reply } from './deployment/call.ts'
import { KINDS, solvePuzzles } from './deployment/solve.ts'
import type { Keys } from './keys.ts'
import { type Form, formsOf, offersAgain, type Page, protectedForm, textOf, type Widget, withValues } from './page.ts'
import { maskValues } from './pieces.ts'
import type { Call, Relay, Rule } from './relay.ts'
import { createVisitor, type Sending, type Visitor } from './visitor.ts'

/** An opened form of the merchant. */
export type Opened = { visitor: Visitor; page: Page; form: Form; widget: Widget }

/** What the kit recorded, for the search at the end. Secrets, tokens and sessions must not appear in logs or pages. */
export type Recorded = {
  secrets: Set<string>
  sitekeys: Set<string>
  tokens: Set<string>
  /** Values of cookies, with the visitor. */
  sessions: Map<string, Visitor>
  /** What the page and the cookies said when an intent was opened, by the intent's id. */
  shown: Map<string, string[]>
  pages: Page[]
  logs: string
}

export const createRecorded = (): Recorded => ({
  secrets: new Set(),
  sitekeys: new Set(),
  tokens: new Set(),
  sessions: new Map(),
  shown: new Map(),
  pages: [],
  logs: '',
})

type Submission = { token?: string | undefined; fields?: Record<string, string>; extra?: Record<string, string> }

/** Maximum wait for a rate limit of the deployment, in seconds. */
const LONGEST_LIMIT = 65

/** The tools of the probes: one running merchant, the relay in front of the deployment, and visitors. */
export type Kit = ReturnType<typeof createKit>

export function createKit(
  it: { merchant: Merchant; relay: Relay; target: string; keys: Keys; recorded: Recorded },
  options: { browser: Browser | undefined; slow: boolean },
) {
  const { merchant, relay, target, keys, recorded } = it
  const healing = new Set<() => void>()
  /** Of the executions; undefined before the first count. */
  let seen: number | undefined
  let counters = 0
  let late = 0
  recorded.secrets.add(keys.secret)
  recorded.sitekeys.add(keys.sitekey)

  function newVisitor(): Visitor {
    const visitor = createVisitor((page) => {
      recorded.pages.push(page)
      for (const value of visitor.cookies.values()) if (value.length >= 16) recorded.sessions.set(value, visitor)
    })
    return visitor
  }

  /** Waits while the deployment limits the kit. */
  async function limited(reply: () => Promise<Reply>): Promise<Reply> {
    for (let waited = 0; ; ) {
      const answer = await reply()
      const seconds = Number(answer.headers.get('retry-after') ?? 1)
      if (answer.status !== 429 || waited + seconds > LONGEST_LIMIT) return answer
      waited += seconds
      await sleep(seconds * 1000)
    }
  }

  /** Solves an intent's challenge as the component does; returns its token. */
  async function solve(intent: string, sitekey = keys.sitekey): Promise<string> {
    const { origin } = new URL(merchant.form)
    const headers = { origin, 'x-forwarded-for': newVisitor().ip }
    const deployment = createDeployment({ baseUrl: target, ...keys, hostname: 'localhost' })
    const asked = { sitekey, intent_id: intent }
    const puzzle = await limited(() => deployment.post('/challenge', { ...asked, kinds: KINDS }, headers))
    if (puzzle.status !== 200) throw new Error(`/challenge answered ${puzzle.status} ${puzzle.text}`)
    if (puzzle.body['kind'] === 'none') return remember(String(puzzle.body['response']))
    const answer = { ...asked, challenge: puzzle.body['challenge'], solution: solvePuzzles(puzzle.body) }
    const solved = await limited(() => deployment.post('/solve', answer, headers))
    if (solved.status !== 200) throw new Error(`/solve answered ${solved.status} ${solved.text}`)
    return remember(String(solved.body['response']))
  }

  /** A token that no service has made, for answers that the relay gives. */
  const inventToken = (): string => remember(`tgr_${randomBytes(96).toString('base64url')}`)

  function remember(token: string): string {
    recorded.tokens.add(token)
    return token
  }

  /** Opens and solves an intent that is not in the merchant's records. */
  async function earnElsewhere(own: Keys, fields: Record<string, unknown>): Promise<{ intent: string; token: string }> {
    const deployment = createDeployment({ baseUrl: target, ...own, hostname: 'localhost' })
    const opened = await limited(() => deployment.asSite('/intents', { nonce: newNonce(), ...fields }))
    if (opened.status !== 200) throw new Error(`/intents answered ${opened.status} ${opened.text}`)
    const intent = String(opened.body['intent_id'])
    return { intent, token: await solve(intent, own.sitekey) }
  }

  /** Opens the merchant's form. @throws Failed if there is no protected form */
  async function open(visitor = newVisitor(), sending: Sending = {}): Promise<Opened> {
    const page = await openPage(visitor, sending)
    const form = protectedForm(page)
    expect(form?.widget !== undefined, `the page of the form has no form with the component: ${summarize(page)}`)
    const { intent } = form.widget
    expect(intent !== '', 'the component has no data-intent')
    recorded.shown.set(intent, [...form.values.map(([, value]) => value), ...visitor.cookies.values()])
    return { visitor, page, form, widget: form.widget }
  }

  const openPage = (visitor: Visitor, sending: Sending = {}): Promise<Page> => visitor.open(merchant.form, sending)

  /** Submits the form with the merchant's fields; without a token if `token` is undefined. */
  function submit({ visitor, form, widget }: Opened, submission: Submission, sending: Sending = {}): Promise<Page> {
    const { token, fields = merchant.fields, extra = {} } = submission
    const values = withValues(form.values, { ...fields, [widget.tokenField]: token, ...extra })
    return visitor.send(form, values, sending)
  }

  /** How often the action was executed during the work. Waits a moment for `wanted`, in case it runs in the background. */
  async function counting<T>(work: () => Promise<T>, wanted = 0): Promise<{ value: T; executed: number }> {
    const before = await countLate()
    counters += 1
    try {
      const value = await work()
      let executed = (await merchant.executed()) - before
      for (let waited = 0; executed < wanted && waited < 3_000; waited += 200) {
        await sleep(200)
        executed = (await merchant.executed()) - before
      }
      return { value, executed }
    } finally {
      counters -= 1
      seen = await merchant.executed()
    }
  }

  /** Adds to `late` what was executed while nobody counted; returns how often the action has been executed in all. */
  async function countLate(): Promise<number> {
    const all = await merchant.executed()
    if (counters === 0 && seen !== undefined) late += all - seen
    seen = all
    return all
  }

  /** @throws Failed if the work executes the action another number of times; `after` says what happened before */
  async function expectExecuted<T>(wanted: number, work: () => Promise<T>, after?: string): Promise<T> {
    const { value, executed } = await counting(work, wanted)
    const when = after === undefined ? '' : `after ${after}, `
    expect(executed === wanted, `${when}the action was executed ${times(executed)} instead of ${times(wanted)}`)
    return value
  }

  /** Injects faults into the answers of a path until the probe ends or the returned function is called. */
  function spoil(path: string, rule: Fault | Rule): () => void {
    const end = relay.spoil(path, rule)
    const heal = () => {
      end()
      healing.delete(heal)
    }
    healing.add(heal)
    return heal
  }

  return {
    merchant,
    relay,
    keys,
    recorded,
    ...options,
    newVisitor,
    solve,
    inventToken,
    earnElsewhere,
    /** How often the action was executed after the submissions that wanted it had been answered. */
    async late(): Promise<number> {
      await countLate()
      return late
    },
    open,
    openPage,
    submit,
    counting,
    expectExecuted,
    spoil,
    /**
     * Sends the form that an error page offers for the same attempt; undefined if it offers a link or a new form.
     */
    async again({ visitor }: Opened, page: Page): Promise<Page | undefined> {
      const { pathname } = new URL(merchant.form)
      const form = formsOf(page).find((each) => new URL(each.action).pathname === pathname && !each.widget)
      return form && visitor.send(form, form.values)
    },
    /** Whether the merchant still shows its form, or is stuck by itself. */
    isAlive: () =>
      openPage(newVisitor()).then(
        () => true,
        () => false,
      ),
    heal: () => {
      for (const heal of healing) heal()
    },
    /** Opens the form and solves its challenge. */
    async earn(visitor?: Visitor): Promise<Opened & { token: string }> {
      const opened = await open(visitor)
      return { ...opened, token: await solve(opened.widget.intent) }
    },
    /** The merchant's calls of /siteverify for an intent. */
    redemptions: (intent: string): Call[] =>
      relay.calls.filter(({ path, fields }) => path === '/siteverify' && sameId(fields['intent_id'], intent)),
    /** The merchant's call that opened an intent. @throws Failed if there is none */
    opening(intent: string): Call {
      const call = relay.calls.find(
        ({ path, answer }) => path === '/intents' && sameId(answer?.fields['intent_id'], intent),
      )
      expect(call !== undefined, 'the page’s intent was not opened by a call to /intents of its own')
      return call
    },
    /** @throws Failed if the answer looks like success: 2xx, unless a redirection led to a fresh form */
    expectRefused(page: Page): void {
      const isFresh = page.firstStatus >= 300 && protectedForm(page) !== undefined
      expect(
        page.firstStatus >= 300 && (page.status >= 300 || isFresh),
        `it was answered like a success: ${summarize(page)}`,
      )
    },
    /** @throws Failed unless the answer is a 4xx that says something */
    expectRejected(page: Page): void {
      expect(page.firstStatus >= 400 && page.firstStatus < 500, `it was not rejected with a 4xx: ${summarize(page)}`)
      expect(textOf(page).length >= 15, `the ${page.firstStatus} has no message that a person can read`)
    },
    /** @throws Failed unless the answer is an error page that says something and, if `again`, offers to try again */
    expectRecoverable(page: Page, again = true): void {
      const isError = page.firstStatus >= 400 && page.status >= 400
      expect(isError, `the status must not say success: ${summarize(page)}`)
      expect(textOf(page).length >= 15, `the ${page.status} has no message that a person can read`)
      const way = !again || offersAgain(page, merchant.form)
      expect(way, `the page offers no way to try again (a form, or a link to the form): ${summarize(page)}`)
    },
    /** @throws Failed unless the answer is the success page */
    expectSuccess(page: Page): void {
      expect(page.status < 300, `it did not succeed: ${summarize(page)}`)
    },
    /** Masks secrets, tokens and sessions in a text. */
    mask: (text: string) => maskValues(text, [...recorded.secrets, ...recorded.tokens, ...recorded.sessions.keys()]),
  }
}

/** Summarises a page in one line. */
export function summarize(page: Page): string {
  const text = textOf(page).replaceAll(/\s+/g, ' ').slice(0, 90)
  const status = page.firstStatus === page.status ? String(page.status) : `${page.firstStatus}, then ${page.status}`
  return `${status} “${text || page.body.slice(0, 60)}”`
}

export const times = (n: number): string => (n === 0 ? 'not at all' : n === 1 ? 'once' : `${n} times`)

/** A token with one character changed. */
export function alter(token: string): string {
  const at = Math.floor(token.length / 2)
  const other = token[at] === 'A' ? 'B' : 'A'
  if (token.length < 8) throw new Failed('the token is too short to be altered')
  return token.slice(0, at) + other + token.slice(at + 1)
}

const sameId = (one: unknown, other: string): boolean => String(one).toLowerCase() === other.toLowerCase()
