import { whole } from '../ui/text/format.ts'

/** A number with its sign: `+5,000`, `−250`. */
export const signed = (units: number): string => (units < 0 ? `−${whole(-units)}` : `+${whole(units)}`)
