import { type PersonRow, personRow } from './measure.ts'
import { crowd, everyone, in48, mostlyPhones, type Population } from './populations.ts'
import type { Random } from './random.ts'
import { simulate } from './run.ts'

const MINUTE = 60_000

const hex = (n: number): string => n.toString(16)

/** People behind one address or prefix. */
export const CROWDS: Record<string, (random: Random) => string> = {
  'a school, a carrier’s or a VPN’s IPv4 address': () => '198.51.100.7',
  'an office’s IPv6 /64 with privacy addresses': (random) => `2001:db8:1:2:${hex(random.whole(2 ** 16))}::1`,
  'a household’s or a small event’s /56': (random) => `2001:db8:3:4${hex(16 + random.whole(240))}::1`,
  'a university’s /48': in48('5'),
  'an event’s IPv4 /24': (random) => `203.0.113.${random.whole(256)}`,
  'a mobile carrier’s /32': (random) => `2001:db8:${hex(random.whole(2 ** 16))}:${hex(random.whole(2 ** 16))}::1`,
}

/** Visits a minute. */
export const RATES = [1, 5, 15, 30, 45, 60, 90, 120, 180, 240, 300] as const

const MODES = ['adaptive', 'fixed', 'attack'] as const

export type SweepRow = PersonRow & { crowd: string; known: boolean; perMinute: number }

/**
 * What the people of each crowd wait, at each rate, in each mode: at a site with one other visitor in three seconds, where the
 * crowd begins at once. `known`: whether it has been there for three days.
 */
export async function sweep({
  rates = RATES,
  crowds = Object.keys(CROWDS),
  known = [false, true],
  minutes = { warmUp: 30, measured: 20 },
  seed = 1,
}: {
  rates?: readonly number[]
  crowds?: readonly string[]
  known?: readonly boolean[]
  minutes?: { warmUp: number; measured: number }
  seed?: number
} = {}): Promise<SweepRow[]> {
  const rows: SweepRow[] = []
  const start = minutes.warmUp * MINUTE
  for (const mode of MODES)
    for (const [name, address] of Object.entries(CROWDS).filter(([one]) => crowds.includes(one)))
      for (const isKnown of known)
        for (const perMinute of rates) {
          const people = crowd(name, { address, device: mostlyPhones, from: start, rate: () => perMinute / 60 })
          const population: Population = {
            name,
            mode,
            established: isKnown
              ? [{ address: address({ whole: () => 17 } as unknown as Random), perSecond: perMinute / 60 }]
              : [],
            groups: [people, everyone()],
            tries: [],
            measuredFrom: start,
            until: start + minutes.measured * MINUTE,
          }
          const [outcome] = await simulate(population, seed)
          if (outcome) rows.push({ ...personRow(population, outcome), crowd: name, known: isKnown, perMinute })
        }
  return rows
}
