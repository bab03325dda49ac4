import { type BoundedMap, boundedMap } from './boundedMap.ts'
import type { SharedStore } from './redis.ts'

/** The wrong answers that a key may have in `duration` seconds from its first answer. */
export type AttemptRule = { name: string; points: number; duration: number }

/** The state of an answer before it is verified; `retryAfter` in whole seconds. */
export type Begun = { state: 'begun' | 'over' } | { state: 'limited'; retryAfter: number }

/**
 * Counts answers before they are checked, so that no more than the rule allows are checked, even concurrently. Also numbers
 * the rounds of a key: each wrong answer ends its round and invalidates everything issued in it. A round is a number, not a
 * time, so nodes with different clocks agree, and anything issued just after a wrong answer belongs to the next round.
 */
export interface Attempts {
  /** The key's current round, to be sealed into what is issued. */
  round(rule: AttemptRule, key: string): Promise<number>
  /** Counts an answer to something issued in `round`. `limited`: the limit is reached; `over`: the round has ended and nothing is counted. */
  begin(rule: AttemptRule, key: string, round: number): Promise<Begun>
  /** Uncounts an answer that was right or was not verified. */
  giveBack(rule: AttemptRule, key: string): Promise<void>
  /** Records that the answer was wrong: its round and all earlier ones end. */
  fail(rule: AttemptRule, key: string): Promise<void>
}

type Entry = { taken: number; wrong: number }

/** Keys of a rule with a pending or wrong answer. */
const MAX_KEYS = 100_000

const whole = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000))

/** Attempts counted in this process only. */
export function createLocalAttempts(): Attempts {
  const rules = new Map<string, BoundedMap<Entry>>()
  const entriesOf = ({ name }: AttemptRule): BoundedMap<Entry> => {
    let entries = rules.get(name)
    if (!entries) rules.set(name, (entries = boundedMap({ max: MAX_KEYS })))
    return entries
  }
  return {
    round: async (rule, key) => entriesOf(rule).get(key)?.wrong ?? 0,
    async begin(rule, key, round) {
      const entries = entriesOf(rule)
      const entry = entries.get(key)
      if (entry && entry.taken >= rule.points)
        return { state: 'limited', retryAfter: whole(entries.getRemainingTTL(key)) }
      if (entry && round < entry.wrong) return { state: 'over' }
      if (entry) entry.taken += 1
      else entries.set(key, { taken: 1, wrong: 0 }, { ttl: rule.duration * 1000 })
      return { state: 'begun' }
    },
    async giveBack(rule, key) {
      const entry = entriesOf(rule).get(key)
      if (entry && --entry.taken <= 0) entriesOf(rule).delete(key)
    },
    async fail(rule, key) {
      const entry = entriesOf(rule).get(key)
      if (entry) entry.wrong += 1
    },
  }
}

/** Scripts, so that checking and counting are atomic. `taken` includes `wrong`. */
const BEGIN = `
  local taken = tonumber(redis.call('hget', KEYS[1], 'taken') or '0')
  if taken >= tonumber(ARGV[1]) then return redis.call('pttl', KEYS[1]) end
  if tonumber(ARGV[3]) < tonumber(redis.call('hget', KEYS[1], 'wrong') or '0') then return -1 end
  redis.call('hincrby', KEYS[1], 'taken', 1)
  if redis.call('pttl', KEYS[1]) < 0 then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return 0`
const GIVE_BACK = `
  if redis.call('exists', KEYS[1]) == 0 then return end
  if redis.call('hincrby', KEYS[1], 'taken', -1) <= 0 then redis.call('del', KEYS[1]) end`
const FAIL = `if redis.call('exists', KEYS[1]) == 1 then redis.call('hincrby', KEYS[1], 'wrong', 1) end`

/** Attempts shared by all nodes through Redis. While Redis is unavailable, each node counts separately. */
export function createSharedAttempts(store: SharedStore): Attempts {
  const { redis } = store
  const local = createLocalAttempts()
  const keyOf = (rule: AttemptRule, key: string) => `tollgate:${rule.name}:${key}`
  return {
    round: (rule, key) =>
      store.or(
        async () => Number((await redis.hget(keyOf(rule, key), 'wrong')) ?? 0),
        () => local.round(rule, key),
      ),
    begin: (rule, key, round) =>
      store.or(
        async () => {
          const answer = Number(await redis.eval(BEGIN, 1, keyOf(rule, key), rule.points, rule.duration * 1000, round))
          if (answer > 0) return { state: 'limited', retryAfter: whole(answer) }
          return { state: answer === 0 ? 'begun' : 'over' }
        },
        () => local.begin(rule, key, round),
      ),
    giveBack: (rule, key) =>
      store.or(
        async () => void (await redis.eval(GIVE_BACK, 1, keyOf(rule, key))),
        () => local.giveBack(rule, key),
      ),
    fail: (rule, key) =>
      store.or(
        async () => void (await redis.eval(FAIL, 1, keyOf(rule, key))),
        () => local.fail(rule, key),
      ),
  }
}
