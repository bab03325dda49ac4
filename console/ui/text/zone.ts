import { useSyncExternalStore } from 'react'

export type Zone = 'local' | 'utc'

const KEY = 'tollgate.zone'
const listeners = new Set<() => void>()
let zone: Zone = kept()

/** In which zone all times are shown: one switch for the whole console. */
export function useZone(): Zone {
  return useSyncExternalStore(listen, () => zone)
}

export function setZone(next: Zone): void {
  zone = next
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // Storage is blocked or full: the choice lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

/** The reader's zone as they know it, such as `Europe/Vienna`. */
export const zoneName = (zone: Zone): string =>
  zone === 'utc' ? 'UTC' : new Intl.DateTimeFormat().resolvedOptions().timeZone

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function kept(): Zone {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}
