import { isIP } from 'node:net'
import { problemsOf, sorted } from './schema.ts'
import { STATE_SCHEMA } from './stateSchema.ts'
import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument, stringify } from './yaml.ts'

export type NetworkRule = { network: string; verdict: string; note: string }
export type Policy = Record<string, unknown>
export type Webhook = { url: string; types: string[]; enabled: boolean }

/** What `tollgate apply` reads. What is undefined is not in the file, and is not changed. */
export type State = {
  sites?: Record<
    string,
    {
      name: string
      hostnames: string[]
      paused?: boolean | undefined
      policy?: Policy | undefined
      networks?: NetworkRule[] | undefined
    }
  >
  alerts?: number[]
  webhooks?: Webhook[]
}

/** The file cannot be used. The message has a line for each problem. */
export class FileError extends Error {}

type Path = readonly (string | number)[]

/** The line of what is at the path, or of the nearest thing around it. */
function lineOf(document: Document, lines: LineCounter, path: Path): number {
  let node: unknown = document.contents
  let at = 0
  for (const part of path) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      : undefined
    const named = isSeq(node) ? node.items[Number(part)] : pair?.key
    const range = (named as { range?: [number, number, number] } | undefined)?.range
    if (!range) break
    at = range[0]
    node = isSeq(node) ? named : pair?.value
  }
  return lines.linePos(at).line
}

/** Parses the file and makes its values those that the service would store. Throws FileError. */
export function parseState(text: string, name: string): State {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const fail = (problems: readonly { line: number; message: string }[]) => {
    if (problems.length > 0)
      throw new FileError(problems.map(({ line, message }) => `${name}:${line}: ${message}`).join('\n'))
  }
  fail(document.errors.map(({ pos, message }) => ({ line: lineCounter.linePos(pos[0]).line, message })))
  const value: unknown = document.toJS()
  const locate = ({ path, message }: { path: Path; message: string }) => ({
    line: lineOf(document, lineCounter, path),
    message: path.length > 0 ? `${path.join('.')} ${message}` : `the file ${message}`,
  })
  fail([...problemsOf(STATE_SCHEMA, value)].map(locate))
  const state = canonical(value as State)
  fail([...conflictsOf(state)].map(locate))
  return state
}

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

const canonical = ({ sites, alerts, webhooks }: State): State => ({
  ...(sites && {
    sites: Object.fromEntries(
      Object.entries(sites).map(([slug, { name, hostnames, networks, ...rest }]) => [
        slug,
        {
          ...rest,
          name: name.trim().normalize(),
          hostnames: unique(hostnames),
          networks: networks?.map(({ network, verdict, note }) => ({
            network: canonicalNetwork(network) ?? network,
            verdict,
            note: (note ?? '').trim(),
          })),
        },
      ]),
    ),
  }),
  ...(alerts && { alerts: sorted(unique(alerts), (a, b) => a - b) }),
  ...(webhooks && {
    webhooks: webhooks.map(({ url, types, enabled }) => ({
      url: canonicalUrl(url),
      types: sorted(unique(types)),
      enabled: enabled ?? true,
    })),
  }),
})

function canonicalUrl(text: string): string {
  try {
    const url = new URL(text)
    url.hash = ''
    return url.href
  } catch {
    return text
  }
}

/** What the schema cannot say: networks that are none, and what is in a list twice. */
function* conflictsOf({ sites = {}, webhooks = [] }: State): Generator<{ path: Path; message: string }> {
  const twice = function* (path: Path, names: readonly string[]) {
    for (const [at, name] of names.entries())
      if (names.indexOf(name) < at) yield { path: [...path, at], message: `repeats ${name}. Keep one of them.` }
  }
  for (const [slug, { networks = [] }] of Object.entries(sites)) {
    const path = ['sites', slug, 'networks']
    for (const [at, { network }] of networks.entries())
      if (canonicalNetwork(network) === undefined)
        yield {
          path: [...path, at, 'network'],
          message: 'has to be an address or a range, such as 203.0.113.0/24 or 2001:db8::/32.',
        }
    yield* twice(
      path,
      networks.map(({ network }) => network),
    )
  }
  yield* twice(
    ['webhooks'],
    webhooks.map(({ url }) => url),
  )
}

/** The range as the service writes it: `203.0.113.0/24` for `203.0.113.9/24`. Undefined if it is none, or IPv4 written as IPv6. */
export function canonicalNetwork(text: string): string | undefined {
  const [, address = '', length] = /^([\da-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/i.exec(text.trim()) ?? []
  const family = isIP(address)
  if (family === 0 || (family === 6 && address.includes('.'))) return undefined
  const size = family === 4 ? 8 : 16
  const parts = family === 4 ? address.split('.').map(Number) : groupsOf(address)
  const bits = length === undefined ? parts.length * size : Number(length)
  if (bits > parts.length * size || /^(?:0,0,0,0,0,65535|100,65435,0,0,0,0),/.test(parts.join())) return undefined
  const kept = parts.map((part, at) => {
    const free = Math.min(size, Math.max(0, (at + 1) * size - bits))
    return (part >> free) << free
  })
  return `${family === 4 ? kept.join('.') : compressed(kept.map((part) => part.toString(16)).join(':'))}/${bits}`
}

/** The shortest spelling of an IPv6 address. */
const compressed = (address: string): string => new URL(`http://[${address}]/`).hostname.slice(1, -1)

function groupsOf(address: string): number[] {
  const [head = '', tail] = compressed(address).split('::')
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [before, after] = [groups(head), groups(tail ?? '')]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** The state as a file. */
export const printState = (state: State): string => stringify({ version: 1, ...state }, { lineWidth: 0 })
