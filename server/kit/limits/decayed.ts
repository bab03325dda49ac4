/**
 * What is left of a weight after so many milliseconds, where it loses half per half-life; all of it if the clock was set back. The
 * Lua script in redisExchange.ts computes the same by Redis's clock.
 */
export const decayed = (weight: number, milliseconds: number, halfLife: number): number =>
  milliseconds > 0 ? weight * 0.5 ** (milliseconds / halfLife) : weight
