import { randomBytes } from 'node:crypto'
import type { Added, Exchange, Weight } from './exchange.ts'
import type { SharedStore } from './redis.ts'

/** Loud keys that are remembered, and sent in one exchange. */
const MOST_LOUD = 10_000
const MOST_SENT = 1000
/** A node repeats a batch within this time. */
const BATCH_MS = 600_000
/** What is counted once is remembered for longer than an intent's lifetime. */
const ONCE_MS = 310_000

/**
 * One string per key: value, time and first time, by Redis's clock. It expires when less than a sixteenth of an event is left.
 * Loud keys are in a sorted set by the number of their last change, so that a node asks for the changes after the last one it
 * has seen. A Redis that was emptied counts from 1 again.
 */
const EXCHANGE = `
  local node, batch, seen, added = unpack(cjson.decode(ARGV[1]))
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local isNew = redis.call('get', KEYS[1] .. 'batch:' .. node) ~= tostring(batch)
  redis.call('set', KEYS[1] .. 'batch:' .. node, tostring(batch), 'px', ${BATCH_MS})
  local totals, sent = {}, {}
  local function read(key)
    local value, at, since, halfLife = string.match(redis.call('get', KEYS[1] .. key) or '', '(%S+) (%S+) (%S+) (%S+)')
    if not value then return nil end
    return value * 0.5 ^ (math.max(0, now - at) / halfLife), tonumber(since)
  end
  for _, one in ipairs(added) do
    local key, plus, age, halfLife, loud, once = unpack(one)
    if once ~= '' and isNew and not redis.call('set', KEYS[1] .. 'once:' .. once .. ' ' .. key, 1, 'nx', 'px', ${ONCE_MS}) then
      plus = 0
    end
    local value, since = read(key)
    local before = value or 0
    value = math.max(0, before + (isNew and plus or 0))
    since = math.min(since or now, now - age)
    local lasts = math.ceil(halfLife * (4 + math.log(math.max(value, 1)) / math.log(2)))
    redis.call('set', KEYS[1] .. key, string.format('%.6f %.0f %.0f %.0f', value, now, since, halfLife), 'px', lasts)
    if math.max(value, before) >= loud then redis.call('zadd', KEYS[1] .. 'loud', redis.call('incr', KEYS[1] .. 'change'), key) end
    totals[#totals + 1] = { key, value, now - since }
    sent[key] = true
  end
  redis.call('zremrangebyrank', KEYS[1] .. 'loud', 0, ${-MOST_LOUD - 1})
  local last = tonumber(redis.call('get', KEYS[1] .. 'change') or 0)
  if seen > last then seen = 0 end
  local changes = redis.call('zrangebyscore', KEYS[1] .. 'loud', '(' .. seen, '+inf', 'withscores', 'limit', 0, ${MOST_SENT})
  for i = 1, #changes, 2 do
    local key = changes[i]
    seen = tonumber(changes[i + 1])
    local value, since = read(key)
    if not value then redis.call('zrem', KEYS[1] .. 'loud', key)
    elseif not sent[key] then totals[#totals + 1] = { key, value, now - since } end
  end
  return cjson.encode({ seen, totals })`

/** JSON of a Lua table: an empty one is an object. */
type Answer = [seen: number, totals: [key: string, value: number, age: number][] | Record<string, never>]

/** Adds up in Redis, in one call. */
export function createRedisExchange(store: SharedStore): Exchange {
  const node = randomBytes(9).toString('base64url')
  let seen = 0
  return {
    send: (batch, added) =>
      store.or<Weight[] | undefined>(
        async () => {
          const rows = added.map(({ key, value, age, halfLife, loud, once = '' }: Added) => [
            key,
            Number(value.toFixed(6)),
            Math.round(age),
            halfLife,
            loud,
            once,
          ])
          const sent = JSON.stringify([node, batch, seen, rows])
          const [last, totals] = JSON.parse(
            String(await store.redis.eval(EXCHANGE, 1, 'tollgate:count:', sent)),
          ) as Answer
          seen = last
          return Array.isArray(totals) ? totals.map(([key, value, age]) => ({ key, value, age })) : []
        },
        async () => undefined,
      ),
  }
}
