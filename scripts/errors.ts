/** The sections of docs/errors.md, from server/contract/mistakes and the table of endpoints. */
import { readFileSync } from 'node:fs'
import { ENDPOINTS, PATHS } from '../server/api/endpoints.ts'
import { COMPONENT } from '../server/contract/mistakes/component.ts'
import { ERRORS, type ErrorCode } from '../server/contract/mistakes/errors.ts'
import { FIELDS, isField } from '../server/contract/mistakes/fields.ts'

const ERRORS_OF_SDKS = JSON.parse(readFileSync('sdk/vectors/errors.json', 'utf8')) as {
  code: string
  statuses: number[]
  says: string
}[]

/** The cause, with what it usually is. */
function textOf(code: ErrorCode): string {
  const { cause, likely }: { cause: string; likely?: string } = ERRORS[code]
  return likely === undefined ? cause : `${cause} Usually: ${likely}`
}

const wire = (code: ErrorCode): string => (code === 'bad-field' ? '`bad-request` + `field`' : `\`${code}\``)

/** The likely cause and the fix for each field, in the order of the endpoints. */
function fieldRows(): string[] {
  const fields = new Set(PATHS.flatMap((path) => Object.keys(ENDPOINTS[path].request.shape)))
  return [...[...fields].map((field) => fieldRow(`\`${field}\``, field)), fieldRow('any other', '*')]
}

function fieldRow(name: string, field: string): string {
  if (!isField(field)) throw new Error(`server/contract/mistakes/fields.ts does not explain ${field}`)
  return `| ${name} | ${FIELDS[field].cause} | ${FIELDS[field].remedy} |`
}

/** The table of codes by status, and that of fields. */
function sections(): string {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).toSorted((a, b) => ERRORS[a].status - ERRORS[b].status)
  const rows = codes.map(
    (code) => `| ${wire(code)} | ${ERRORS[code].status} | ${textOf(code)} | ${ERRORS[code].remedy} |\n`,
  )
  return `## Codes

| Code | Status | Meaning | What to do |
|---|---|---|---|
${rows.join('')}
## Fields

The \`field\` of a \`bad-request\`. The SDKs find most of these errors before they send a request; such an error has no status and no request id.

| Field | Probable cause | What to do |
|---|---|---|
${fieldRows().join('\n')}
`
}

type OfComponent = keyof typeof COMPONENT
const DETAILS = ['answer', 'renew'] as const satisfies OfComponent[]
const LINES = ['no-form', 'renew-ignored'] as const satisfies OfComponent[]

function component(): string {
  const others = new Set<OfComponent>([...DETAILS, ...LINES])
  const codes = (Object.keys(COMPONENT) as OfComponent[]).filter((code) => !others.has(code))
  const table = (name: string, keys: readonly OfComponent[]) => `| ${name} | Meaning | What to do |
|---|---|---|
${keys.map((key) => `| \`${key}\` | ${COMPONENT[key].cause} | ${COMPONENT[key].remedy} |\n`).join('')}`
  return `## Codes of the component

${table('Code', codes)}
Values of \`detail.field\`, beside a code:

${table('Field', DETAILS)}
Not an error: only a line in the browser's console begins with these.

${table('Line', LINES)}`
}

/** The codes that no answer of the service has. */
function sdks(): string {
  const own = ERRORS_OF_SDKS.filter(({ statuses }) => statuses.length === 0)
  const rows = own.map(({ code, says }) => {
    const [cause = '', remedy = ''] = says.split(': ')
    return `| \`${code}\` | ${cause}. | ${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}. [Troubleshooting](troubleshooting.md#at-your-backend) lists more causes. |\n`
  })
  return `## Codes of the SDKs

| Code | Meaning | What to do |
|---|---|---|
${rows.join('')}`
}

const PAGE = 'docs/errors.md'

/** docs/errors.md with its sections, which follow the introduction. */
export const errorsFile = (): Record<string, string> => ({
  [PAGE]: readFileSync(PAGE, 'utf8').replace(/^## Codes$[^]*/m, () => `${sections()}\n${component()}\n${sdks()}`),
})
