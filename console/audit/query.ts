import type { AuditFilters } from '../../server/contract/filters.ts'

const TERM = /(?:(actor|action|target):)?(?:"([^"]*)"|(\S+))/g

/** The longest filter that the service accepts. */
const PART_MAX = 200

/** Reads `actor:mara action:"secret." checkout`; words without a qualifier are text. If a qualifier is repeated, the last one counts. */
export function parseQuery(typed: string): AuditFilters {
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

/** A qualifier with its value, as typed into the search field. */
export const formatTerm = (qualifier: 'actor' | 'action' | 'target', value: string): string =>
  `${qualifier}:${/\s/.test(value) ? `"${value}"` : value}`
