const WHOLE = new Intl.NumberFormat('en')
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** `128,402`. */
export const whole = (value: number): string => WHOLE.format(value)

/** `128.4K`, where there is little room. */
export const short = (value: number): string => SHORT.format(value)

/** A share from 0 to 1 as `91.4%`. */
export const percent = (share: number): string => PERCENT.format(share)

/** A number with its noun: `1 site`, `3 sites`. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`
