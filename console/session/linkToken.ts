/** The token of a mailed link, which stands behind `#` so that browsers send it to nobody; null where there is none. */
export const linkToken = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token')
