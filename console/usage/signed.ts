import { whole } from '../ui/number.ts'

/** An amount that was added or taken away, with its sign: `+5,000`, `−250`. */
export const signed = (units: number): string => (units < 0 ? `−${whole(-units)}` : `+${whole(units)}`)
