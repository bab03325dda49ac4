/** What the audit is asked for: each part must match. */
export type AuditQuery = { actor?: string; action?: string; target?: string; text?: string }

const TERM = /(?:(actor|action|target):)?(?:"([^"]*)"|(\S+))/g

/** The most that the service takes of one part. */
const PART_MAX = 200

/** Reads `actor:mara action:"secret." checkout`; what has no qualifier is text. The last of equals holds. */
export function parseQuery(typed: string): AuditQuery {
  const query: Record<string, string> = {}
  const words: string[] = []
  for (const [, qualifier, quoted, plain] of typed.matchAll(TERM)) {
    const value = (quoted ?? plain ?? '').slice(0, PART_MAX)
    if (qualifier === undefined) words.push(value)
    else query[qualifier] = value
  }
  const text = words.join(' ').trim().slice(0, PART_MAX)
  return text === '' ? query : { ...query, text }
}

/** A qualifier with its value, as it is typed. */
export const term = (qualifier: 'actor' | 'action' | 'target', value: string): string =>
  `${qualifier}:${/\s/.test(value) ? `"${value}"` : value}`
