import type { prismaAdapter } from 'better-auth/adapters/prisma'
import { noteOutage } from './call.ts'

type Factory = ReturnType<typeof prismaAdapter>
type Adapter = ReturnType<Factory>

/** better-auth's adapter, which notes for the current call that the database did not answer. */
export function notingOutages(create: Factory): Factory {
  function wrap<Part extends object>(adapter: Part): Part {
    return new Proxy(adapter, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        if (name === 'transaction')
          return (work: (inner: Adapter) => unknown) =>
            noteOutage(async () => member.call(target, (inner: Adapter) => work(wrap(inner))) as unknown)
        return (...args: unknown[]) => noteOutage(async () => member.apply(target, args) as unknown)
      },
    })
  }
  return (options) => wrap(create(options))
}
