import { expect, test } from 'vitest'
import { causesOf, type Reasons, unpackReasons } from '../../server/captcha/challenges/difficulty/reasons.ts'
import { eventsOf, gap, why } from './events.ts'

const intent = { id: 'p', createdAt: 100, kept: true, expiresAt: 400, session: 'ab12ab12', subject: null }
const reasons = unpackReasons(0)
const trace: Parameters<typeof eventsOf>[0] = {
  tenantId: 't',
  site: { id: 's', name: 'Shop', deleted: false },
  action: 'checkout',
  hostname: 'shop.example',
  intent,
  exemption: null,
  refusals: [
    {
      requestId: 'req_1',
      at: 105,
      endpoint: '/siteverify',
      code: 'binding-mismatch',
      field: null,
      hostname: 'x.example',
    },
  ],
  decision: {
    id: 'dec_p',
    redeemedAt: 106.5,
    chargedTo: 'quota',
    challenge: { challengedAt: 101, solvedAt: 102.8, work: 65_536, reasons, causes: [], mobile: true },
    feedback: [
      {
        eventId: 'e1',
        revision: 1,
        outcome: 'unknown',
        businessType: 'order',
        occurredAt: 107,
        receivedAt: 200,
        supersedes: null,
      },
    ],
    mark: null,
    grant: {
      id: 'g',
      decisionId: 'dec_p',
      createdAt: 110,
      expiresAt: 1010,
      revokedAt: null,
      uses: 2,
      used: 1,
      changes: [
        { what: 'revoked', at: 150 },
        { what: 'restored', at: 160 },
      ],
    },
  },
}

test('events are in order, with refused requests', () => {
  expect(eventsOf(trace).map(({ title }) => title)).toEqual([
    'Intent opened',
    'Challenge started',
    'Challenge solved',
    '/siteverify refused',
    'Token redeemed',
    'Charged',
    'Grant issued',
    'Grant revoked',
    'Grant restored',
    'Feedback received',
  ])
})

test('a refusal has the code and the field of the answer, not how they are stored', () => {
  const refusal = { requestId: 'req_2', at: 103, endpoint: '/solve', code: 'bad-field', hostname: null }
  const factsOf = (field: string) =>
    eventsOf({ ...trace, refusals: [{ ...refusal, field }] }).find(({ key }) => key === 'req_2')?.facts
  expect(factsOf('solution')).toEqual(['bad-request · solution'])
  expect(factsOf('*')).toEqual(['bad-request · unknown field'])
})

test('a report begins with its business type in words, or says that it is one', () => {
  const factsOf = (businessType: string) => {
    const feedback = trace.decision?.feedback.map((report) => ({ ...report, businessType }))
    return eventsOf({ ...trace, decision: trace.decision && { ...trace.decision, feedback: feedback ?? [] } }).find(
      ({ key }) => key === 'e1',
    )?.facts[0]
  }
  expect(factsOf('customer_called')).toBe('Customer called, occurred right after the redemption.')
  expect(factsOf('order')).toBe('Business type `order`, occurred right after the redemption.')
  expect(factsOf('constructor')).toBe('Business type `constructor`, occurred right after the redemption.')
})

test('a grant shows the requested duration, although its expiry is rounded to whole seconds', () => {
  const { decision } = trace
  const grant = decision?.grant && { ...decision.grant, createdAt: 110.7 }
  const given = eventsOf({ ...trace, decision: decision && { ...decision, grant: grant ?? null } })
  expect(given.find(({ key }) => key === 'g')?.facts).toEqual(['For 15 min and 2 uses; 1 of them used.'])
})

test('a correction says which report it replaces', () => {
  const [first] = trace.decision?.feedback ?? []
  const second = first && { ...first, eventId: 'e2', revision: 2, receivedAt: 300, supersedes: 'e1' }
  const feedback = first && second ? [first, second] : []
  const events = eventsOf({ ...trace, decision: trace.decision && { ...trace.decision, feedback } })
  const replaces = (key: string) => events.find((event) => event.key === key)?.replaces
  expect(replaces('e1')).toBeUndefined()
  expect(replaces('e2')).toBe(first?.receivedAt)
})

test('a solved challenge says of which kind it was', () => {
  const facts = (kind: Reasons['kind']) => {
    const challenge = trace.decision?.challenge && { ...trace.decision.challenge, reasons: { ...reasons, kind } }
    const events = eventsOf({
      ...trace,
      decision: trace.decision && { ...trace.decision, challenge: challenge ?? null },
    })
    return events.find(({ key }) => key === 'solve')?.facts
  }
  expect(facts('pow-sha256')).toEqual(['Solved SHA-256 in 1.8 s, on a phone or tablet.'])
  expect(facts('pow-hashwx')).toEqual(['Solved HashWX in 1.8 s, on a phone or tablet.'])
})

test('an intent without a decision has its own events only', () => {
  expect(eventsOf({ ...trace, decision: null }).map(({ key }) => key)).toEqual(['intent', 'req_1'])
})

test('the time between two events is rounded by its length', () => {
  expect([gap(5, 5), gap(5, 5.38), gap(5, 6.8), gap(5, 47), gap(5, 90.5), gap(5, 3605)]).toEqual([
    'immediately',
    '380 ms later',
    '1.8 s later',
    '42 s later',
    '1 min 25 s later',
    '1 h later',
  ])
})

test('the explanation of the difficulty says what raised it, by how much, and what limited it', () => {
  const said = (over: Partial<Reasons>) => {
    const all = { ...unpackReasons(0), ...over }
    return why({ reasons: all, causes: causesOf(all) })
  }
  expect(said({})).toBe('Site default.')
  expect(said({ fallback: 3 })).toBe('Site default, raised ×12 for a browser without WebAssembly.')
  expect(said({ network: 2, site: 1, bounded: true })).toBe(
    'Site default, raised ×4 for a busy network, ×2 for a traffic spike at the site, limited to the maximum.',
  )
  expect(said({ network: 1, tier: 2, list: 'dear', feedback: 1, hints: ['automation'] })).toBe(
    'Site default, raised ×2 for a busy network range (an IPv4 /24 or IPv6 /48), ×2 for abuse that was reported for the network or subject, ×4 for a network on a list, ×4 for signs of automation: it names an automation tool.',
  )
  expect(said({ list: 'allow', subject: 1 })).toBe(
    'Site default, raised ×2 for a busy subject. The network is on an allow list: being busy costs it nothing.',
  )
  expect(said({ network: 3, mode: 'fixed' })).toBe('Fixed difficulty.')
  expect(said({ hints: ['idle', 'headers'], mode: 'fixed' })).toBe(
    'Fixed difficulty. Noticed, without effect: nobody used the page, a header that this browser sends is missing.',
  )
  expect(said({ hints: ['idle'], noticed: ['honeypot'] })).toBe(
    'Site default, raised ×2 for signs of automation: nobody used the page. Noticed with the solution: a hidden field was filled in.',
  )
})

test('feedback as abuse raises the difficulty for some days, until it is taken back', () => {
  const { decision } = trace
  const [first] = decision?.feedback ?? []
  if (!decision || !first) throw new Error('no feedback')
  const report = (revision: number, outcome: typeof first.outcome) => ({
    ...first,
    eventId: `e${revision}`,
    revision,
    outcome,
    receivedAt: 200 + revision,
  })
  const mark = { markedAt: 201, withdrawnAt: null, network: true, subject: true, raisesUntil: 400_000 }
  const reported = (...outcomes: (typeof first.outcome)[]) =>
    eventsOf({
      ...trace,
      decision: { ...decision, mark, feedback: outcomes.map((outcome, i) => report(i + 1, outcome)) },
    })
      .filter(({ key }) => key.startsWith('e'))
      .map(({ facts, raises }) => raises ?? facts.find((fact) => fact.includes('difficulty')))
  const raises = { what: 'network and subject', until: 400_000 }
  expect(reported('confirmed_abuse')).toEqual([raises])
  expect(reported('confirmed_abuse', 'confirmed_abuse')).toEqual([raises, undefined])
  expect(reported('confirmed_abuse', 'legitimate', 'confirmed_abuse')).toEqual([
    'Raised the difficulty for this network and subject until it was taken back.',
    'Taken back: the difficulty for this network and subject is no longer raised.',
    raises,
  ])
  expect(reported('unknown')).toEqual([undefined])
})
