/** The sections of docs/errors.md, from server/contract/mistakes and the table of endpoints. */
import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { codesOf, ENDPOINTS, PATHS } from '../server/api/endpoints.ts'
import { COMPONENT } from '../server/contract/mistakes/component.ts'
import { ERRORS, type ErrorCode } from '../server/contract/mistakes/errors.ts'
import { FIELDS, isField } from '../server/contract/mistakes/fields.ts'

/** The endpoints that can answer the code, as briefly as possible. */
function whereOf(code: ErrorCode): string {
  if (code === 'not-found') return 'any other path'
  const paths = PATHS.filter((path) => codesOf(path).includes(code))
  const isCallers = (caller: 'backend' | 'component') =>
    PATHS.every((path) => paths.includes(path) === (ENDPOINTS[path].caller === caller))
  if (paths.length === PATHS.length) return 'all'
  if (isCallers('backend')) return 'all for backends'
  if (isCallers('component')) return 'all for the component'
  return paths.map((path) => `\`${path}\``).join(' ')
}

/** The cause, with what it usually is. */
function textOf(code: ErrorCode): string {
  const { cause, likely }: { cause: string; likely?: string } = ERRORS[code]
  return likely === undefined ? cause : `${cause} Usually: ${likely}`
}

const wire = (code: ErrorCode): string => (code === 'bad-field' ? '`bad-request` + `field`' : `\`${code}\``)

/** The likely cause and the fix for each field, in the order of the endpoints. */
function fieldRows(): string[] {
  const endpoints = new Map<string, string[]>()
  for (const path of PATHS)
    for (const field of Object.keys(ENDPOINTS[path].request.shape))
      endpoints.set(field, [...(endpoints.get(field) ?? []), `\`${path}\``])
  return [
    ...[...endpoints].map(([field, paths]) => fieldRow(`\`${field}\``, field, paths.join(' '))),
    fieldRow('any other', '*', 'all'),
  ]
}

function fieldRow(name: string, field: string, endpoints: string): string {
  if (!isField(field)) throw new Error(`server/contract/mistakes/fields.ts does not explain ${field}`)
  return `| ${name} | ${FIELDS[field].cause} | ${FIELDS[field].remedy} | ${endpoints} |`
}

const FIELDS_SECTION = `
### Fields

The \`field\` of a \`bad-request\`. The SDKs find most of these errors before they send a request; such an error has no status and no request id.

| Field | Probable cause | What to do | Endpoints |
|---|---|---|---|
`

/** The sections of the page, one for each status. */
function sections(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[]
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((a, b) => a - b)
  return statuses
    .map((status) => {
      const rows = codes
        .filter((code) => ERRORS[code].status === status)
        .map((code) => `| ${wire(code)} | ${textOf(code)} | ${ERRORS[code].remedy} | ${whereOf(code)} |\n`)
      const table = `| Code | Meaning | What to do | Endpoints |\n|---|---|---|---|\n${rows.join('')}`
      const fields = status === ERRORS['bad-field'].status ? `${FIELDS_SECTION}${fieldRows().join('\n')}\n` : ''
      return `## ${status} ${STATUS_CODES[status]}\n\n${table}${fields}`
    })
    .join('\n')
}

const component = (): string => `## Codes of the component

The component itself reports these codes.

| Code | Meaning | What to do |
|---|---|---|
${Object.entries(COMPONENT)
  .map(([code, { cause, remedy }]) => `| \`${code}\` | ${cause} | ${remedy} |\n`)
  .join('')}`

const PAGE = 'docs/errors.md'

/** docs/errors.md with its sections, which follow the introduction. */
export const errorsFile = (): Record<string, string> => ({
  [PAGE]: readFileSync(PAGE, 'utf8').replace(/^## \d[^]*/m, () => `${sections()}\n${component()}`),
})
