import fc from 'fast-check'
import type { IntentFields, Site, State } from '../state.ts'
import type { World } from '../world.ts'

/** The names that sequences use: few, so that they coincide. The last hostname is not on any site's list. */
export const ACTIONS = ['checkout', 'signup'] as const

export const HOSTNAMES = ['shop.example', 'www.shop.example', 'evil.example'] as const

export const SESSIONS = ['a'.repeat(64), 'b'.repeat(64)] as const

export const NONCES = ['nonce-nonce-0000', 'nonce-nonce-0001', 'nonce-nonce-0002', 'nonce-nonce-0003'] as const

export const KEYS = ['key-key-key-0000', 'key-key-key-0001'] as const

export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

export const UNKNOWN_ID = uuid(999)

export type Step = fc.AsyncCommand<State, World>

/** A step that runs only if its objects exist. */
export function step<Data>(
  name: string,
  data: fc.Arbitrary<Data>,
  ready: (state: State) => boolean,
  run: (world: World, state: State, data: Data) => Promise<void>,
): fc.Arbitrary<Step> {
  return data.map((chosen) => ({
    check: ready,
    run: (state, world) => run(world, state, chosen),
    toString: () => `${name} ${JSON.stringify(chosen)}`,
  }))
}

export const always = () => true

export const some = fc.nat({ max: 31 })

/** Mostly the valid value, sometimes another. */
export const mostly = <T, U>(usual: T, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare })

export function pick<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

/** Prefers the latest ones, so that sequences get far. */
export const recent = <T>(list: readonly T[], n: number): T =>
  pick(list, list.length - 1 - (n % Math.min(3, list.length)))

export const siteOf = (state: State, own: Site, other: number | 'own'): Site =>
  other === 'own' ? own : pick(state.sites, other)

export const intentFields = fc.record({
  action: fc.constantFrom(...ACTIONS),
  nonce: fc.oneof(fc.constantFrom(...NONCES), fc.uuid()),
  hostname: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('shop.example', 'www.shop.example') },
    fc.constant('evil.example'),
  ),
  session: fc.option(fc.constantFrom(...SESSIONS), { nil: undefined }),
  subject: fc.option(fc.constantFrom(...SESSIONS), { nil: undefined, freq: 2 }),
})

export const fieldsOf = (fields: { [K in keyof IntentFields]: IntentFields[K] | undefined }): IntentFields =>
  JSON.parse(JSON.stringify(fields)) as IntentFields

export const originOf = (hostname: string, origin: string | null): string | undefined =>
  origin === 'own' ? `https://${hostname}` : (origin ?? undefined)

export const origins = mostly(
  'own' as const,
  fc.constantFrom('https://evil.example', 'https://www.shop.example', 'null', null),
)

export const keysOf = (site: Site) => ({
  tenantId: site.tenant.id,
  siteId: site.id,
  sitekey: site.sitekey,
  secret: site.secret,
})
