/** The table of a site's policy in docs/limits.md, from its definition. */
import { readFileSync } from 'node:fs'
import {
  describePolicyField,
  LEVELS,
  POLICY,
  type PolicyField,
  wordPolicyValue,
} from '../server/contract/sitePolicy.ts'

const GROUPS = { challenge: 'Challenge', limits: 'Limits', grants: 'Grants' }

function row(name: PolicyField): string {
  const field = POLICY[name]
  const options = 'options' in field ? Object.values(field.options).map(({ label, hint }) => `*${label}*: ${hint}`) : []
  const about = [describePolicyField(name), ...options].join(' ').trim()
  return `| ${GROUPS[field.group]} | ${field.label} | ${wordPolicyValue(name, field.default)} | ${about} |\n`
}

const levels = Object.values(LEVELS).map(
  ({ label, baseWork }) => `*${label}*: ${wordPolicyValue('baseWork', baseWork)}`,
)
const level = `| Difficulty | Level | ${LEVELS.standard.label} | A base difficulty in adaptive mode: ${levels.join(', ')}. |\n`

const PAGE = 'docs/limits.md'

/** docs/limits.md with its table, which stands between two comments. */
export function policyFile(): Record<string, string> {
  const table = `| Part | Setting | Default | Meaning |\n|---|---|---|---|\n${level}${(Object.keys(POLICY) as PolicyField[]).map(row).join('')}`
  const marks = /(<!-- policy: [^\n]* -->\n)[^]*?(<!-- end of policy -->)/
  return {
    [PAGE]: readFileSync(PAGE, 'utf8').replace(marks, (_, begin: string, end: string) => `${begin}\n${table}\n${end}`),
  }
}
