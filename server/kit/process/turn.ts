import { subscribe } from 'node:diagnostics_channel'

/** Requests that have arrived wait for no more connections than this. A number and not a time, so that a busy machine is as fair. */
const ACCEPTED_MOST = 1024
/** A turn with fewer requests is not measured: it cannot be long, and measuring it costs a turn. */
const MEASURED = 8

let next: Promise<void> | undefined
let waiting = 0
let accepted = 0
/** How many had been accepted when the last turn ended. */
let seen = 0
let longest = 0

subscribe('net.server.socket', () => {
  accepted += 1
})

/**
 * Resolves in a later turn of the event loop, for all that wait for it together: once no further connection has been accepted
 * in a turn. Node.js accepts one for each turn. If requests were served in between, the first request on the last of 256 new
 * connections would wait for 256 turns, each with further requests on the connections before it.
 */
export function afterAccepting(): Promise<void> {
  waiting += 1
  return (next ??= new Promise((resolve) => {
    const most = accepted + ACCEPTED_MOST
    setImmediate(function begin() {
      const more = accepted !== seen
      seen = accepted
      if (more && accepted < most) {
        setImmediate(begin)
        return
      }
      if (waiting >= MEASURED) measure()
      next = undefined
      waiting = 0
      resolve()
    })
  }))
}

/** How long the turn that begins takes. */
function measure(): void {
  const began = performance.now()
  setImmediate(() => {
    longest = Math.max(longest, performance.now() - began)
  })
}

/** The connections that this process has accepted. */
export const countAccepted = (): number => accepted

/** The longest turn since the last call, in milliseconds; 0 if none served several requests. */
export function takeLongestTurn(): number {
  const taken = longest
  longest = 0
  return taken
}
