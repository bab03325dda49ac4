import type { prismaAdapter } from 'better-auth/adapters/prisma'
import type { Clock } from '../../kit/db/clock.ts'
import { noteOutage } from './call.ts'

type Factory = ReturnType<typeof prismaAdapter>
type Adapter = ReturnType<Factory>

/** A copy of a value with every Date in it moved. */
function moved(value: unknown, milliseconds: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + milliseconds)
  if (Array.isArray(value)) return value.map((item) => moved(item, milliseconds))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moved(item, milliseconds)]))
}

/**
 * better-auth's adapter, with all times in the database by the database's clock. better-auth itself knows only the clock of its
 * node: one that was days ahead would delete sessions and links that are valid, and one behind would write some that have
 * expired. Times are moved by the difference of the clocks on their way in and out; a difference of less than a second, as
 * between nodes that keep time, changes nothing.
 */
export function inDatabaseTime(create: Factory, clock: Clock): Factory {
  const ahead = () => Math.trunc((clock.now() - Date.now()) / 1000) * 1000

  function wrap<Part extends object>(adapter: Part): Part {
    return new Proxy(adapter, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name === 'transaction')
          return (work: (inner: Adapter) => unknown) =>
            noteOutage(async () => member.call(target, (inner: Adapter) => work(wrap(inner))) as unknown)
        return async (...args: unknown[]) => {
          const difference = ahead()
          if (difference === 0) return noteOutage(async () => member.apply(target, args) as unknown)
          return moved(await noteOutage(async () => member.apply(target, moved(args, difference))), -difference)
        }
      },
    })
  }
  return (options) => wrap(create(options))
}
