/** The token of an e-mailed link; null if there is none. It is in the fragment, which browsers do not send. */
export const linkToken = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token')
