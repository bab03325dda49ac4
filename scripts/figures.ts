import { readFileSync } from 'node:fs'

type Attack = {
  attackers: {
    mode: string
    population: string
    passesPerHour: number
    raise: number
    work: number
    identity: number
    total: number
  }[]
}
type Verification = {
  rows: { endpoint: string; concurrency: number; node: number; postgres: number }[]
  ratios: { concurrency: number; flow: number; flowToBare: number; siteverifyToBare: number; flowToCap: number }[]
}
type Sizing = {
  flows: number
  concurrency: number
  atRest: { megabytes: number; connections: number }
  afterwards: { megabytes: number; connections: number }
  walBytes: number
  rows: Record<'intent' | 'decision' | 'feedback_event', { bytes: number; inTable: number }>
}
type Person = {
  rows: {
    kind: 'sha256' | 'hashwx'
    workers: number
    rate: number
    tab: string
    caches: string
    token: number
    verification: number
    cpu: number
    longestTask: number | null
  }[]
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const { attackers } = read('assurance/bench/attack/results/after.json') as Attack
const { rows, ratios } = read('assurance/bench/results/verification.json') as Verification
const sizing = read('assurance/bench/results/sizing.json') as Sizing
const person = read('assurance/bench/results/person.json') as Person

const dollars = (value: number): string =>
  `$${value.toLocaleString('en', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 })}`

/** The least of a mode, over all attackers of the simulator: no document may promise more. */
const least = (mode: string): string =>
  dollars(Math.min(...attackers.filter((each) => each.mode === mode).map(({ total }) => total)))

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
  const row = attackers.find((each) => each.mode === mode && each.population === population)
  if (!row) throw new Error(`assurance/bench/attack/results/after.json has no attacker "${population}"`)
  const cells = [
    Math.round(row.passesPerHour).toLocaleString('en'),
    `×${Number(row.raise.toFixed(1))}`,
    ...[row.total, row.identity, row.work].map(dollars),
  ]
  return `| ${label} | ${cells.join(' | ')} |`
})

/** CPU seconds for 1,000 requests at 64 connections. */
const cpuOf = (part: 'node' | 'postgres', ...endpoints: string[]): number =>
  rows
    .filter(({ endpoint, concurrency }) => concurrency === 64 && endpoints.includes(endpoint))
    .reduce((sum, row) => sum + row[part], 0)
const FLOW = ['/intents', '/challenge', '/solve', '/siteverify']
const cost = (endpoint: string): string =>
  [cpuOf('node', endpoint).toFixed(3), cpuOf('postgres', endpoint).toFixed(3).replace('0.000', '0')].join(' | ')

/** Two significant digits; from 100 on a whole number. */
const short = (value: number): string =>
  value.toLocaleString('en', value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 })
const bytes = (value: number): string => (value >= 1e9 ? `${short(value / 1e9)} GB` : `${short(value / 1e6)} MB`)

/** A row of docs/scale.md: what this many million redemptions a month need. */
function scaleRow(millions: number): string {
  const perSecond = (millions * 1e6) / (30 * 86_400)
  const cores = (part: 'node' | 'postgres') => short((5 * perSecond * cpuOf(part, ...FLOW)) / 1000)
  const cells = [
    `${millions.toLocaleString('en')} million`,
    `${short(perSecond)}, ${short(5 * perSecond)}`,
    cores('node'),
    cores('postgres'),
    bytes(millions * 1e6 * sizing.rows.decision.bytes),
    bytes(perSecond * 86_400 * sizing.walBytes),
  ]
  return `| ${cells.join(' | ')} |`
}

/** The cells of a condition in docs/performance.md: those of SHA-256, and those of HashWX. */
const personRows = person.rows
  .filter(({ kind }) => kind === 'sha256')
  .map(({ rate, workers, tab, caches }) =>
    person.rows
      .filter((row) => row.rate === rate && row.workers === workers && row.tab === tab && row.caches === caches)
      .map(({ token, verification, cpu, longestTask }) => {
        const times = [token, verification, cpu].map((value) => `${value.toFixed(2)} s`).join(' | ')
        return `${times} | ${longestTask === null ? '≤ 50' : longestTask.toFixed(0)} ms |`
      })
      .join(' '),
  )

const sizeOf = (table: keyof Sizing['rows']) => sizing.rows[table]

/** Texts with a measured figure, which each document must contain. */
const FIGURES: Readonly<Record<string, readonly string[]>> = {
  'README.md': [`a million passes cost an attacker [from ${least('adaptive')}](docs/attack-price.md)`],
  'docs/attack-price.md': [
    `a million passes cost an attacker ${least('adaptive')} or more`,
    `in attack mode they cost ${least('attack')} or more`,
    ...attackerRows,
  ],
  'docs/performance.md': [
    ...FLOW.map((endpoint) => `| ${cost(endpoint)} |`),
    `| ${cpuOf('node', ...FLOW).toFixed(2)} | ${cpuOf('postgres', ...FLOW).toFixed(2)} |`,
    ...personRows,
    ...ratios.map(
      ({ concurrency, flow, flowToBare }) => `| ${concurrency} | ${flow.toFixed(2)} | ${flowToBare.toFixed(1)} times`,
    ),
  ],
  'docs/reliability.md': [
    `These figures are of ${sizing.flows.toLocaleString('en')} verifications, from \`/intents\` to \`/feedback\`, ${sizing.concurrency} at once`,
    `| an intent | ${sizeOf('intent').bytes} bytes in the database, of which ${sizeOf('intent').inTable} in the table`,
    `| a decision | ${sizeOf('decision').bytes} bytes, of which ${sizeOf('decision').inTable} in the table |`,
    `| an event of feedback | ${sizeOf('feedback_event').bytes} bytes, of which ${sizeOf('feedback_event').inTable} in the table |`,
    `| write-ahead log of a verification with feedback | ${sizing.walBytes.toLocaleString('en')} bytes |`,
    `| memory of a process | ${sizing.atRest.megabytes} MB at rest, ${sizing.afterwards.megabytes} MB after the run (resident set) |`,
    `| its connections to PostgreSQL | ${sizing.atRest.connections} at rest, at most ${sizing.afterwards.connections} during the run |`,
    `grow by about ${bytes(1e6 * (sizeOf('decision').bytes + sizeOf('feedback_event').bytes))} a month`,
  ],
  'docs/scale.md': [
    `| Node.js | ${cpuOf('node', ...FLOW).toFixed(2)} CPU seconds per 1,000 flows`,
    `| PostgreSQL | ${cpuOf('postgres', ...FLOW).toFixed(2)} CPU seconds per 1,000 flows`,
    ...[1, 10, 100, 1000].map(scaleRow),
    `${short((12 * 1000 * 1e6 * sizeOf('decision').bytes) / 1e12)} TB a year`,
  ],
}

/** The texts that are missing, as `document: text`. Line breaks of the document do not matter. */
export const missingFigures = (): string[] =>
  Object.entries(FIGURES).flatMap(([document, texts]) => {
    const text = readFileSync(document, 'utf8').replaceAll(/\s+/g, ' ')
    return texts.filter((each) => !text.includes(each)).map((each) => `${document}: ${each}`)
  })
