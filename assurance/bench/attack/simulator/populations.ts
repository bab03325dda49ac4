import type { SiteFacts } from '../../../../server/accounts/sites/facts.ts'
import type { Choice } from '../../../../server/captcha/challenges/kinds/choose.ts'
import type { Random } from './random.ts'

const MINUTE = 60_000

/** Hashes per second in the browser. The slow phone is the one that server/captcha/challenges/difficulty/work.ts is made for. */
export const DEVICES = {
  'slow phone': 500_000,
  phone: 4_000_000,
  desktop: 30_000_000,
  /** An attacker's program: one core of a server (see server/contract/attackPrices.json). */
  server: 63_000_000,
} as const
export type Device = keyof typeof DEVICES

export type Group = {
  name: string
  /** `person`: an honest visitor. The others are attackers, by what their addresses cost. */
  kind: 'person' | 'host' | 'prefix48' | 'datacenter' | 'tunnels' | 'residential' | 'farm'
  /** Virtual milliseconds at which the group's visits start. */
  from: number
  /** Visits per second, `after` milliseconds after `from`. */
  rate: (after: number) => number
  /** Sites of the deployment that the group visits in turn. */
  sites: number
  address: (random: Random) => string
  device: (random: Random) => Device
  /** The kinds of challenges that its clients say they can solve. */
  kinds: readonly Kind[]
}

/** A kind of challenge. */
export type Kind = Choice['kind']

/** What every browser with WebAssembly can solve. */
const ALL_KINDS: readonly Kind[] = ['pow-hashwx', 'pow-sha256']

export type Population = {
  name: string
  mode: SiteFacts['workMode']
  /** Networks that have had so many visits a second for days. */
  established: { address: string; perSecond: number }[]
  groups: Group[]
  /** Tries per second of the attackers, of which they choose the one with the cheapest passes. */
  tries: readonly number[]
  measuredFrom: number
  until: number
}

/** A third of the visitors has a slow phone, so that enough of them are measured. */
const anyDevice = (random: Random): Device =>
  random.next() < 1 / 3 ? 'slow phone' : random.next() < 0.5 ? 'phone' : 'desktop'
export const mostlyPhones = (random: Random): Device => (random.next() < 0.5 ? 'slow phone' : 'phone')

const ipv4 = (n: number): string => `${(n >>> 24) & 255}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
const hex = (n: number): string => n.toString(16)

/** A household's IPv4 address, of a billion: nearly every visitor has one of their own. */
const household = (random: Random): string => ipv4(0x40000000 + random.whole(2 ** 30))
/** `count` addresses far apart, as a pool of proxies has them. */
const spread =
  (count: number, first: number) =>
  (random: Random): string =>
    ipv4(first + (Math.imul(random.whole(count), 2654435761 % 2 ** 24) % 2 ** 28))
/** One of the 65,536 /64s of a /48. */
export const in48 =
  (third: string) =>
  (random: Random): string =>
    `2001:db8:${third}:${hex(random.whole(2 ** 16))}::1`
/** One of the /64s of five /48s, as Hurricane Electric gives them to an account. */
const inTunnel = (random: Random): string => `2001:470:${hex(16 + random.whole(5))}:${hex(random.whole(2 ** 16))}::1`
const CARRIER = 0x0a630000
const UNIVERSITY = in48('5')

/** Sites of a deployment with several, and of a large one. */
const SEVERAL = 20
const MANY = 100

/** Attackers who pay for their addresses by the month, so that more passes make each cheaper. */
const BY_THE_MONTH: ReadonlySet<Group['kind']> = new Set(['host', 'prefix48', 'datacenter', 'tunnels'])

const steadily = (perSecond: number) => (): number => perSecond

/** Honest visitors. */
export const crowd = (name: string, over: Partial<Group>): Group => ({
  name,
  kind: 'person',
  from: 0,
  rate: steadily(0),
  sites: 1,
  address: household,
  device: anyDevice,
  kinds: ALL_KINDS,
  ...over,
})
const people = (name: string, perSecond: number, over: Partial<Group> = {}): Group =>
  crowd(name, { rate: steadily(perSecond), ...over })

/** A site's everyday visitors are one in three seconds. */
export const everyone = (sites = 1): Group => people('everyone else', sites / 3, { sites })

/**
 * The populations. `warmUp`: the time before the measurement and the attacks, in which sites get a usual rate; `measured`
 * the time that is measured, both in minutes. `busy`: visits per second of the large deployment.
 */
export function populations({ warmUp = 40, measured = 40, busy = 500 } = {}): Population[] {
  const start = warmUp * MINUTE
  const until = start + measured * MINUTE

  const attack = (
    name: string,
    kind: Group['kind'],
    address: Group['address'],
    perSecond: number,
    over: Partial<Group> = {},
  ): Group => ({ ...people(name, perSecond), kind, from: start, address, device: () => 'server', ...over })
  const adaptive = (name: string, groups: Group[], over: Partial<Population> = {}): Population => ({
    name,
    mode: 'adaptive',
    established: [],
    groups,
    tries: groups.some(({ kind }) => BY_THE_MONTH.has(kind)) ? [20, 5] : [],
    measuredFrom: start,
    until,
    ...over,
  })
  const inAttackMode = (population: Population, established: Population['established'] = []): Population => ({
    ...population,
    name: `${population.name}${established.length > 0 ? ', known for days' : ''}`,
    mode: 'attack',
    established,
  })

  const calm = adaptive('calm visitors', [people('visitors', 1 / 3)])
  // each person twice an hour
  const office = adaptive('an office of 300 behind one address', [
    people('the office', (300 * 2) / 3600, { address: () => '198.51.100.7' }),
    everyone(),
  ])
  // 24 visits a minute behind each address
  const carrier = adaptive('a mobile carrier’s NAT: 8 addresses', [
    people('its customers', (8 * 24) / 60, {
      address: (random) => ipv4(CARRIER + random.whole(8)),
      device: mostlyPhones,
    }),
    everyone(),
  ])
  const knownCarrier = Array.from({ length: 8 }, (_, i) => ({ address: ipv4(CARRIER + i), perSecond: 24 / 60 }))
  const university = adaptive('a university’s /48', [people('the university', 2, { address: UNIVERSITY }), everyone()])
  // the counts of the smaller networks do not matter: each is calm
  const knownUniversity = [{ address: '2001:db8:5::1', perSecond: 2 }]
  const ofLarge = (name: string, attackers: Group, tries: readonly number[]): Population =>
    adaptive(
      name,
      [
        people('customers behind one carrier’s address', busy / 50, {
          sites: MANY,
          address: () => ipv4(CARRIER),
          device: mostlyPhones,
        }),
        people('everyone else', busy - busy / 50, { sites: MANY }),
        { ...attackers, from: 6 * MINUTE },
      ],
      // its counters need no longer time: nothing in it depends on hours
      { tries, measuredFrom: 6 * MINUTE, until: 9 * MINUTE },
    )
  const large = ofLarge(
    `a large deployment: ${busy} visits a second`,
    attack('a host among them', 'host', () => '203.0.113.9', 20, { sites: MANY }),
    [12, 5],
  )
  const knownLarge = [{ address: ipv4(CARRIER), perSecond: busy / 50 }]

  const host = adaptive('one loud host', [attack('the host', 'host', () => '203.0.113.9', 20), everyone()])
  const hostOfSeveral = adaptive(`the same on ${SEVERAL} sites`, [
    attack('the host', 'host', () => '203.0.113.9', 20, { sites: SEVERAL }),
    everyone(SEVERAL),
  ])
  const prefix = adaptive('an IPv6 /48', [attack('the /48', 'prefix48', in48('7'), 20), everyone()])
  const prefixOfSeveral = adaptive(`the same /48 on ${SEVERAL} sites`, [
    attack('the /48', 'prefix48', in48('7'), 20, { sites: SEVERAL }),
    everyone(SEVERAL),
  ])
  /** Attackers with so many addresses reach the prices of their networks within minutes. */
  const SHORT = { tries: [60, 20], until: Math.min(until, start + 12 * MINUTE) }
  const tunnels = adaptive(
    `five tunnels with a /48 each, on ${SEVERAL} sites`,
    [attack('the tunnels', 'tunnels', inTunnel, 20, { sites: SEVERAL }), everyone(SEVERAL)],
    SHORT,
  )
  // 20 networks of five addresses each
  const addressesOf = (first: number) => (random: Random) => ipv4(first + random.whole(20) * 256 + random.whole(5))
  const datacenter = (listed: string, first: number) =>
    adaptive(
      `100 addresses of a datacenter, ${listed}, on ${SEVERAL} sites`,
      [attack('the datacenter', 'datacenter', addressesOf(first), 20, { sites: SEVERAL }), everyone(SEVERAL)],
      SHORT,
    )
  const manyAmong = ofLarge(
    `100 addresses of a datacenter, not on the list, among ${busy} visits a second`,
    attack('the datacenter', 'datacenter', addressesOf(0x65000000), 20, { sites: MANY }),
    [busy, (busy * 3) / 5],
  )
  const unlisted = datacenter('not on the list', 0x65000000)
  const listed = datacenter('of a provider on the list', 0x5fd80000)
  const pool = adaptive('a pool of 10,000 residential addresses', [
    attack('the pool', 'residential', spread(10_000, 0x60000000), 20),
    everyone(),
  ])
  const slowPool = adaptive('a slow pool, 1 a second', [
    attack('the pool', 'residential', spread(10_000, 0x60000000), 1),
    everyone(),
  ])
  // each solves one in 15 seconds, on a phone behind one of 40 carrier addresses
  const farm = adaptive('a farm of 200 people', [
    attack('the farm', 'farm', spread(40, 0x70000000), 200 / 15, { device: () => 'phone' }),
    everyone(),
  ])
  const sale = adaptive('a sale: ×50 within 10 minutes', [
    people('the rush', 0, {
      from: start,
      rate: (after) => (50 / 3) * Math.max(0.02, Math.min(1, after / (10 * MINUTE))),
    }),
    everyone(),
  ])

  return [
    calm,
    office,
    carrier,
    university,
    sale,
    large,
    { ...large, name: `${large.name}, carrier known for days`, established: knownLarge },
    host,
    hostOfSeveral,
    prefix,
    prefixOfSeveral,
    tunnels,
    unlisted,
    listed,
    manyAmong,
    pool,
    slowPool,
    farm,
    inAttackMode(calm),
    inAttackMode(office),
    inAttackMode(office, [{ address: '198.51.100.7', perSecond: (300 * 2) / 3600 }]),
    inAttackMode(carrier),
    inAttackMode(carrier, knownCarrier),
    inAttackMode(university),
    inAttackMode(university, knownUniversity),
    inAttackMode(large, knownLarge),
    inAttackMode(host),
    inAttackMode(hostOfSeveral),
    inAttackMode(prefix),
    inAttackMode(prefixOfSeveral),
    inAttackMode(tunnels),
    inAttackMode(unlisted),
    inAttackMode(manyAmong),
    inAttackMode(listed),
    inAttackMode(pool),
    inAttackMode(farm),
  ]
}
