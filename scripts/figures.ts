/** The figures that documents quote from the results of the benches. scripts/documents.ts checks them. */
import { readFileSync } from 'node:fs'

type Records = Record<string, string | number | null>[]
type Sizing = {
  flows: number
  concurrency: number
  atRest: { megabytes: number; connections: number }
  afterwards: { megabytes: number; connections: number }
  walBytes: number
  rows: Record<'intent' | 'decision' | 'feedback_event', { bytes: number; inTable: number }>
}

const read = (name: string): unknown => JSON.parse(readFileSync(`assurance/bench/results/${name}.json`, 'utf8'))
const { attackers } = read('attack') as { attackers: Records }
const { rows, ratios } = read('verification') as Record<'rows' | 'ratios', Records>
const person = read('person') as { rows: Records }
const sizing = read('sizing') as Sizing

const dollars = (value: unknown): string =>
  `$${Number(value).toLocaleString('en', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 })}`

/** The least of a mode, over all attackers of the simulator: no document may promise more. */
const least = (mode: string): string =>
  dollars(Math.min(...attackers.filter((each) => each['mode'] === mode).map(({ total }) => Number(total))))

const priceOf = (mode: string, population: string): string =>
  dollars(attackers.find((each) => each['mode'] === mode && each['population'] === population)?.['total'])

/** The attackers that docs/attack-price.md names, and the population of the simulator that each means. */
const QUOTED = [
  ['one server with one address', 'one loud host'],
  ['the same on 20 sites', 'the same on 20 sites'],
  [
    '100 addresses of a datacenter, among 500 visits a second',
    '100 addresses of a datacenter, not on the list, among 500 visits a second',
  ],
  ['10,000 addresses of a residential proxy service', 'a pool of 10,000 residential addresses'],
] as const

/** The rows of the table of attackers that compute, and the population of the simulator that each means. */
const ATTACKERS = [
  ['one server with one address', 'one loud host'],
  ['the same on 20 sites', 'the same on 20 sites'],
  ['the same among 500 visits a second, on 100 sites', 'a large deployment: 500 visits a second'],
  ['one server with an IPv6 /48', 'an IPv6 /48'],
  ['the same on 20 sites', 'the same /48 on 20 sites'],
  ['five free tunnels with a /48 each, on 20 sites', 'five tunnels with a /48 each, on 20 sites'],
  [
    '100 addresses of a datacenter that is not on the list',
    '100 addresses of a datacenter, not on the list, on 20 sites',
  ],
  [
    '100 addresses, not on the list, among 500 visits a second',
    '100 addresses of a datacenter, not on the list, among 500 visits a second',
  ],
  ['the same of a provider on the list', '100 addresses of a datacenter, of a provider on the list, on 20 sites'],
  ['10,000 addresses of a residential proxy service', 'a pool of 10,000 residential addresses'],
  ['attack mode: one server with one address', 'one loud host'],
  ['attack mode: the same on 20 sites', 'the same on 20 sites'],
  ['attack mode: a server among 500 visits a second', 'a large deployment: 500 visits a second, known for days'],
  ['attack mode: one server with an IPv6 /48', 'an IPv6 /48'],
  ['attack mode: five free tunnels', 'five tunnels with a /48 each, on 20 sites'],
  ['attack mode: 100 addresses, not on the list', '100 addresses of a datacenter, not on the list, on 20 sites'],
  ['attack mode: 100 addresses, on the list', '100 addresses of a datacenter, of a provider on the list, on 20 sites'],
  [
    'attack mode: 100 addresses among 500 visits a second',
    '100 addresses of a datacenter, not on the list, among 500 visits a second',
  ],
  ['attack mode: the residential pool', 'a pool of 10,000 residential addresses'],
] as const

const attackerRows = ATTACKERS.map(([label, population]) => {
  const mode = label.startsWith('attack mode') ? 'attack' : 'adaptive'
  const row = attackers.find((each) => each['mode'] === mode && each['population'] === population)
  if (!row) throw new Error(`assurance/bench/results/attack.json has no attacker "${population}"`)
  const { passesPerHour, raise, total, identity, work } = row
  const passes = Math.round(Number(passesPerHour)).toLocaleString('en')
  return `| ${label} | ${passes} | ×${Number(Number(raise).toFixed(1))} | ${[total, identity, work].map(dollars).join(' | ')} |`
})

const FLOW = ['/intents', '/challenge', '/solve', '/siteverify']

/** CPU seconds for 1,000 requests at 64 connections. */
const cpuOf = (part: 'node' | 'postgres', ...endpoints: string[]): number =>
  rows
    .filter(({ endpoint, concurrency }) => concurrency === 64 && endpoints.includes(String(endpoint)))
    .reduce((sum, row) => sum + Number(row[part]), 0)
const cost = (endpoint: string): string =>
  `${cpuOf('node', endpoint).toFixed(3)} | ${cpuOf('postgres', endpoint).toFixed(3).replace('0.000', '0')}`

/** Two significant digits; from 100 on a whole number. */
const short = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 })
const bytes = (value: number): string => (value >= 1e9 ? `${short(value / 1e9)} GB` : `${short(value / 1e6)} MB`)

const perSecondOf = (millions: number): number => (millions * 1e6) / (30 * 86_400)

/** Cores that the verifications of the busiest second take, of Node.js and PostgreSQL together. */
const coresOf = (millions: number): string =>
  ((5 * perSecondOf(millions) * (cpuOf('node', ...FLOW) + cpuOf('postgres', ...FLOW))) / 1000).toFixed(2)

/** A row of docs/scale.md: what this many million redemptions a month need. */
function scaleRow([millions, machine]: readonly [number, string]): string {
  const perSecond = perSecondOf(millions)
  const { decision, feedback_event: feedback } = sizing.rows
  const cells = [
    `${millions} million`,
    machine,
    `${short(perSecond)}, ${short(5 * perSecond)}`,
    bytes(millions * 1e6 * (decision.bytes - decision.inTable + feedback.bytes - feedback.inTable)),
    bytes(millions * 1e6 * (decision.bytes + feedback.bytes)),
    bytes(perSecond * 86_400 * sizing.walBytes),
  ]
  return `| ${cells.join(' | ')} |`
}

const MACHINES = [
  [1, '2 cores, 4 GB'],
  [10, '4 cores, 8 GB'],
  [100, '8 cores, 64 GB'],
] as const

/** The cells of each condition in docs/performance.md, of one kind of challenge. */
const personCells = person.rows.map(({ token, verification, cpu, longestTask }) => {
  const times = [token, verification, cpu].map((value) => `${Number(value).toFixed(2)} s`).join(' | ')
  return `${times} | ${longestTask === null ? '≤ 50' : Number(longestTask).toFixed(0)} ms |`
})

const sizeOf = (table: keyof Sizing['rows']) => sizing.rows[table]

/** Texts with a measured figure, which each document must contain. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [`a million passes cost an attacker [from ${least('adaptive')}](docs/attack-price.md)`],
  'docs/attack-price.md': [
    `a million passes cost an attacker ${least('adaptive')} or more`,
    `in attack mode they cost ${least('attack')} or more`,
    ...QUOTED.map(
      ([label, population]) => `| ${label} | ${priceOf('adaptive', population)} | ${priceOf('attack', population)} |`,
    ),
  ],
  'docs/attack-method.md': attackerRows,
  'docs/performance.md': [
    ...FLOW.map((endpoint) => `| ${cost(endpoint)} |`),
    `| ${cpuOf('node', ...FLOW).toFixed(2)} | ${cpuOf('postgres', ...FLOW).toFixed(2)} |`,
    ...personCells,
    ...ratios.map(
      ({ concurrency, flow, flowToBare }) =>
        `| ${concurrency} | ${Number(flow).toFixed(2)} | ${Number(flowToBare).toFixed(1)} times`,
    ),
  ],
  'docs/scale.md': [
    `| Node.js | ${cpuOf('node', ...FLOW).toFixed(2)} CPU seconds per 1,000 flows`,
    `| PostgreSQL | ${cpuOf('postgres', ...FLOW).toFixed(2)} CPU seconds per 1,000 flows`,
    `${sizing.flows.toLocaleString('en')} verifications, from \`/intents\` to \`/feedback\`, ${sizing.concurrency} at once`,
    `| an intent | ${sizeOf('intent').bytes} bytes in the database, of which ${sizeOf('intent').inTable} in the table`,
    `| a decision | ${sizeOf('decision').bytes} bytes, of which ${sizeOf('decision').inTable} in the table |`,
    `| an event of feedback | ${sizeOf('feedback_event').bytes} bytes, of which ${sizeOf('feedback_event').inTable} in the table |`,
    `| write-ahead log of a verification with feedback | ${sizing.walBytes.toLocaleString('en')} bytes |`,
    `| memory of a process | ${sizing.atRest.megabytes} MB at rest, ${sizing.afterwards.megabytes} MB after the run (resident set) |`,
    `| its connections to PostgreSQL | ${sizing.atRest.connections} at rest, at most ${sizing.afterwards.connections} during the run |`,
    ...MACHINES.map(scaleRow),
    `busiest second at 100 million take ${coresOf(100)} cores`,
    `${short((12 * 1000 * 1e6 * sizeOf('decision').bytes) / 1e12)} TB a year`,
  ],
}

/** The texts that are missing, as `document: text`. Line breaks of the document do not matter. */
export const missingFigures = (): string[] =>
  Object.entries(FIGURES).flatMap(([document, texts]) => {
    const text = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ')
    return texts.filter((each) => !text.includes(each)).map((each) => `${document}: ${each}`)
  })
