import type { Zone } from '../ui/text/zone.ts'

/** A time (Unix seconds) for `<input type="datetime-local">`, in the zone that is shown: `2026-11-22T06:40`. */
export function toInput(at: number, zone: Zone): string {
  const offset = zone === 'utc' ? 0 : new Date(at * 1000).getTimezoneOffset() * 60
  return new Date((at - offset) * 1000).toISOString().slice(0, 16)
}

/**
 * The time of such an input in Unix seconds; NaN if invalid. The input has minutes only: the minute of
 * the redemption means the redemption.
 */
export function fromInput(text: string, zone: Zone, redeemedAt: number): number {
  const at = Math.floor(new Date(zone === 'utc' ? `${text}Z` : text).getTime() / 1000)
  const redeemed = Math.floor(redeemedAt)
  return at < redeemed && at + 60 > redeemed ? redeemed : at
}
