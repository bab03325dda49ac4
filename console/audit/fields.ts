import type { NetworkVerdict } from '../../server/contract/networks.ts'
import { LEVELS, POLICY, type PolicyField } from '../../server/contract/sitePolicy.ts'
import { VERDICT_WORDS } from '../networks/words.ts'
import { counted, elapsed, whole } from '../ui/text/format.ts'

type Field = { label: string; text?: (value: unknown) => string }

/** Fields whose name or value does not say what they are; `action field`: in one action. */
const FIELDS: Readonly<Record<string, Field>> = {
  days: { label: 'Expires after', text: (days) => (days === null ? 'never' : counted(Number(days), 'day')) },
  email: { label: 'E-mail' },
  emails: { label: 'Incident e-mails' },
  ended: { label: 'Ended', text: (n) => counted(Number(n), 'session') },
  'secret.rotate ended': { label: 'Ended', text: (n) => counted(Number(n), 'older secret') },
  last4: { label: 'Key', text: (end) => `…${String(end)}` },
  monthly_quota: { label: 'Units a month' },
  'tenant.request_units units': { label: 'Units a month' },
  occurredAt: { label: 'Happened' },
  overlap: {
    label: 'Older secrets',
    text: (seconds) => (seconds === 0 ? 'end immediately' : `end after ${elapsed(Number(seconds))}`),
  },
  percents: {
    label: 'E-mail at',
    text: (percents) =>
      [percents]
        .flat()
        .map((at) => `${String(at)}%`)
        .join(', ') || 'none',
  },
  require2fa: { label: 'Two-factor authentication required' },
  secret: { label: 'Key id' },
  sitekey: { label: 'Site key' },
  types: { label: 'Events' },
  url: { label: 'URL' },
  verdict: {
    label: 'Effect',
    text: (verdict) => (isVerdict(verdict) ? VERDICT_WORDS[verdict].pill : String(verdict)),
  },
}

const isVerdict = (value: unknown): value is NetworkVerdict => typeof value === 'string' && value in VERDICT_WORDS

/** A base difficulty, by the name of its level if it has one: `Strict (4,194,304)`. */
function workText(work: unknown): string {
  const level = Object.values(LEVELS).find(({ baseWork }) => baseWork === work)
  return level ? `${level.label} (${whole(level.baseWork)})` : whole(Number(work))
}

function fieldOf(action: string, name: string): Field | undefined {
  const known = FIELDS[`${action} ${name}`] ?? FIELDS[name]
  if (known || !(name in POLICY)) return known
  // in the words of the form
  const field = POLICY[name as PolicyField]
  if (field.kind === 'choice') {
    const options: Partial<Record<string, { label: string }>> = field.options
    return { label: field.label, text: (value) => options[String(value)]?.label ?? String(value) }
  }
  if (name === 'baseWork') return { label: field.label, text: workText }
  if ('unit' in field && field.unit === 'Seconds')
    return { label: field.label, text: (seconds) => elapsed(Number(seconds)) }
  return { label: field.label }
}

/** What a field of an event is called. One that is not known is named by its own words: `read_only` is `Read only`. */
export function fieldLabel(action: string, name: string): string {
  const words = name.replaceAll('_', ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return fieldOf(action, name)?.label ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of a field in words; JSON if it has a structure of its own. */
export function fieldText(action: string, name: string, value: unknown): string {
  const text = fieldOf(action, name)?.text
  if (text) return text(value)
  if (typeof value === 'string') return value
  if (typeof value === 'number') return whole(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ')
  return JSON.stringify(value)
}
