/** Printable ASCII without ambiguous characters: white space, quotes, angle brackets, backslash, credentials. */
const PLAIN = /^https?:\/\/[^\s"<>\\^`{|}@?#]+$/
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The base address without its trailing slashes; undefined if it is not a plain http(s) address. A path is kept.
 */
export function readBase(value: unknown): string | undefined {
  if (typeof value !== 'string' || !PLAIN.test(value) || !/^[\x21-\x7e]+$/.test(value)) return undefined
  try {
    // the host must be where it appears to be: `https:///a` means the host `a`
    if (new URL(value).hostname === '' || /^https?:\/\/[/:]/.test(value)) return undefined
  } catch {
    return undefined
  }
  return value.replace(/\/+$/, '')
}

/** Whether requests to it can be read on the network. */
export function isInsecure(base: string): boolean {
  const { protocol, hostname } = new URL(base)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}

/** Where requests to the address go, with the port that its scheme means without one. */
export function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
