/** Printable ASCII without what could be read in two ways: white space, quotes, angle brackets, backslash, credentials. */
const PLAIN = /^https?:\/\/[^\s"<>\\^`{|}@?#]+$/
const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * The base address without its trailing slashes; undefined if it is not a plain http(s) address. A path is kept.
 */
export function readBase(value: unknown): string | undefined {
  if (typeof value !== 'string' || !PLAIN.test(value) || !/^[\x21-\x7e]+$/.test(value)) return undefined
  try {
    // a host has to stand where the address seems to have it: `https:///a` names the host `a`
    if (new URL(value).hostname === '' || /^https?:\/\/[/:]/.test(value)) return undefined
  } catch {
    return undefined
  }
  return value.replace(/\/+$/, '')
}

/** Whether what is sent there can be read on the way. */
export function isInsecure(base: string): boolean {
  const { protocol, hostname } = new URL(base)
  return protocol === 'http:' && !LOOPBACK.test(hostname)
}
