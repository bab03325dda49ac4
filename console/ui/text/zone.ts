import { useSyncExternalStore } from 'react'

export type Zone = 'local' | 'utc'

const KEY = 'tollgate.zone'
const listeners = new Set<() => void>()
let zone: Zone = kept()

/** The time zone in which all times are shown. */
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

/** The day of a time (Unix seconds) in the zone, as a number of days. */
export const dayOf = (at: number, zone: Zone): number =>
  Math.floor((at - (zone === 'utc' ? 0 : new Date(at * 1000).getTimezoneOffset() * 60)) / 86_400)

/** The minute of the day of a time (Unix seconds) in the zone. */
export const minuteOf = (at: number, zone: Zone): number => {
  const date = new Date(at * 1000)
  return zone === 'utc' ? date.getUTCHours() * 60 + date.getUTCMinutes() : date.getHours() * 60 + date.getMinutes()
}

/**
 * The language for dates and numbers. The console is in English, so it is the reader's variant of it, or else the British one,
 * whose dates most people read.
 */
export const LOCALE: string = globalThis.navigator?.languages?.find((language) => /^en\b/.test(language)) ?? 'en-GB'

/** How hours are written: `7:00 PM`, but `07:00`. */
export const HOUR: 'numeric' | '2-digit' = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric' }).resolvedOptions().hour12
  ? 'numeric'
  : '2-digit'

/** The zone by its offset, now or at a time (Unix seconds): `UTC`, `UTC+1`, `UTC−3:30`. */
export function zoneName(zone: Zone, at = Date.now() / 1000): string {
  const minutes = zone === 'utc' ? 0 : -new Date(at * 1000).getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** A time (Unix seconds) for `<input type="datetime-local">` in the zone: `2026-11-22T06:40`. */
export function toDateInput(at: number, zone: Zone): string {
  const offset = zone === 'utc' ? 0 : new Date(at * 1000).getTimezoneOffset() * 60
  return new Date((at - offset) * 1000).toISOString().slice(0, 16)
}

/**
 * The time of such an input in Unix seconds; NaN if incomplete. When clocks are set back, an hour has every minute twice: of
 * the two times, the one that is nearer to `near`, such as the time that the input showed before.
 */
export function fromDateInput(text: string, zone: Zone, near: number): number {
  if (zone === 'utc') return Math.floor(Date.parse(`${text}Z`) / 1000)
  const at = Math.floor(Date.parse(text) / 1000)
  const other = [-3600, -1800, 1800, 3600]
    .map((shift) => at + shift)
    .find((time) => Number.isFinite(time) && toDateInput(time, zone) === text)
  return other !== undefined && Math.abs(other - near) < Math.abs(at - near) ? other : at
}

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
