import type { Random } from './random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Hashes per second in the browser. The slow phone is the one that server/captcha/challenges/difficulty/work.ts is made for. */
export const DEVICES = {
  'slow phone': 500_000,
  phone: 4_000_000,
  desktop: 30_000_000,
  /** An attacker's program: one core of a server (see bench/attack/prices.json). */
  server: 63_000_000,
} as const
export type Device = keyof typeof DEVICES

export type Group = {
  name: string
  /** `person`: an honest visitor. The others are attackers, by what their addresses cost. */
  kind: 'person' | 'host' | 'prefix48' | 'residential' | 'farm'
  /** Virtual milliseconds at which the group's visits start. */
  from: number
  /** Visits per second, `after` milliseconds after `from`. */
  rate: (after: number) => number
  address: (random: Random) => string
  device: (random: Random) => Device
}

export type Population = { name: string; groups: Group[]; measuredFrom: number; until: number }

/** A third of the visitors has a slow phone, so that enough of them are measured. */
const anyDevice = (random: Random): Device =>
  random.next() < 1 / 3 ? 'slow phone' : random.next() < 0.5 ? 'phone' : 'desktop'
const mostlyPhones = (random: Random): Device => (random.next() < 0.5 ? 'slow phone' : 'phone')

const ipv4 = (n: number): string => `${(n >>> 24) & 255}.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`
const hex = (n: number): string => n.toString(16)

/** A household's IPv4 address, of a billion: nearly every visitor has one of their own. */
const household = (random: Random): string => ipv4(0x40000000 + random.whole(2 ** 30))
/** `count` addresses far apart, as a pool of proxies has them. */
const spread =
  (count: number, first: number) =>
  (random: Random): string =>
    ipv4(first + (Math.imul(random.whole(count), 2654435761 % 2 ** 24) % 2 ** 28))
/** One of the 65,536 /64s of 2001:db8:7::/48. */
const in48 = (random: Random): string => `2001:db8:7:${hex(random.whole(2 ** 16))}::1`

const steadily = (perSecond: number) => (): number => perSecond

/** The site's everyday visitors: one in three seconds, from two hours before the measurement, so that it has a usual rate. */
const START = 2 * HOUR
const everyday = (name = 'everyone else'): Group => ({
  name,
  kind: 'person',
  from: 0,
  rate: steadily(1 / 3),
  address: household,
  device: anyDevice,
})

const attack = (name: string, kind: Group['kind'], address: Group['address'], perSecond: number): Group => ({
  name,
  kind,
  from: START,
  rate: steadily(perSecond),
  address,
  device: () => 'server',
})

const population = (name: string, hours: number, ...groups: Group[]): Population => ({
  name,
  groups,
  measuredFrom: START,
  until: START + hours * HOUR,
})

export const POPULATIONS: readonly Population[] = [
  population('calm visitors', 2, everyday('visitors')),
  population(
    'an office of 300 behind one address',
    2,
    // each person twice an hour, from the time they arrive
    {
      name: 'the office',
      kind: 'person',
      from: START,
      rate: steadily((300 * 2) / 3600),
      address: () => '198.51.100.7',
      device: anyDevice,
    },
    everyday(),
  ),
  population(
    'a mobile carrier’s NAT: 8 addresses',
    2,
    {
      name: 'its customers',
      kind: 'person',
      from: START,
      // 24 visits a minute behind each address
      rate: steadily((8 * 24) / 60),
      address: (random) => ipv4(0x0a630000 + random.whole(8)),
      device: mostlyPhones,
    },
    everyday(),
  ),
  population(
    'a sale: ×50 within 10 minutes',
    1,
    {
      name: 'the rush',
      kind: 'person',
      from: START,
      rate: (after) => (50 / 3) * Math.max(0.02, Math.min(1, after / (10 * MINUTE))),
      address: household,
      device: anyDevice,
    },
    everyday(),
  ),
  population(
    'one loud host',
    2,
    attack('the host', 'host', () => '203.0.113.9', 20),
    everyday(),
  ),
  population('an IPv6 /48', 2, attack('the /48', 'prefix48', in48, 20), everyday()),
  population(
    'a pool of 10,000 residential addresses',
    2,
    attack('the pool', 'residential', spread(10_000, 0x60000000), 20),
    everyday(),
  ),
  population(
    'a slow pool, 1 a second',
    2,
    attack('the pool', 'residential', spread(10_000, 0x60000000), 1),
    everyday(),
  ),
  population(
    'a farm of 200 people',
    2,
    {
      // each solves one in 15 seconds, on a phone behind one of 40 carrier addresses
      ...attack('the farm', 'farm', spread(40, 0x70000000), 200 / 15),
      device: () => 'phone',
    },
    everyday(),
  ),
]
