import { type Environment, SETTINGS, type Setting, type SettingName } from './environment.ts'
import { type Fault, type Judged, productionFaults, settingFaults } from './production.ts'
import { Expected } from './settingKinds.ts'
import { resemblances } from './settingNames.ts'

/** Blanks, control characters and invisible ones, such as a byte order mark. */
const ENDS = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu
const QUOTED = /^(["'`])(.*)\1$|^[“„«‘](.*)[”“»’]$/s
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\uFEFF]/u
/** What an example or a template has instead of a value. */
const PLACEHOLDER = /<[^<>@]*>|\$\{\w*|^\$\w+$|^%\w+%$|\{\{.*\}\}|…/u

/** The text without what a file or a shell has left around it, and what that was. */
function clean(raw: string): { text: string; problems: string[] } {
  let text = raw
  const problems: string[] = []
  for (let before: string | undefined; before !== text; ) {
    before = text
    const bare = text.replace(ENDS, '')
    if (bare !== text)
      problems.push(
        text.endsWith('\r')
          ? 'ends with a carriage return (save the file with Unix line ends)'
          : 'has blanks or invisible characters around it',
      )
    const [, , plain, typographic] = QUOTED.exec(bare) ?? []
    text = plain ?? typographic ?? bare
    if (text !== bare) problems.push('has quotes around it, which are part of it')
  }
  if (CONTROL.test(text)) problems.push('contains a control character')
  if (PLACEHOLDER.test(text)) problems.push('contains a placeholder')
  return { text, problems: [...new Set(problems)] }
}

/** The value as an error shows it: with all that is invisible, and without the password of a URL. */
const shown = (text: string): string =>
  JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
    .replace(/\/\/.*@/, '//…@')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u00A0]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The value of one setting, and what is wrong with its text. */
function readSetting(setting: Setting, raw: string): { value?: unknown; faults: string[] } {
  const { text, problems } = clean(raw)
  const seen = (part: string) => (setting.secret ? '' : `${shown(part)} `)
  const faults = problems.length === 0 ? [] : [`${seen(raw)}${problems.join(', and ')}: correct the value`]
  if (text === '' || CONTROL.test(text) || PLACEHOLDER.test(text)) return { faults }
  const value = setting.read(text)
  if (!(value instanceof Expected)) return { value, faults }
  const instead = setting.secret ? '' : `, not ${shown(value.part ?? text)}`
  return { faults: [...faults, `expected ${value.what}${instead}`] }
}

/** Whether demo tenants and accounts are shown: only if it is asked for, or if nothing says what else is meant. */
export const isEvaluation = ({ values, isSet }: Judged): boolean =>
  isSet('DEMO') ? values.DEMO === 'on' : !isSet('NODE_ENV') && !isSet('DATABASE_URL')

export type Reading = {
  settings: Environment
  evaluation: boolean
  /** Everything that has to be corrected, as `NAME: what and how`. */
  faults: string[]
  /** Names that resemble a setting and are none, as sentences. */
  warnings: string[]
  /** What production would require besides; undefined in production and in an evaluation. */
  beforeProduction: string[] | undefined
}

/** Reads and judges all settings together. An empty value counts as not set. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): Reading {
  const faults: Fault[] = []
  const read: Record<string, unknown> = {}
  const given = (name: string): boolean => (env[name] ?? '') !== ''
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const text = given(name) ? env[name] : setting.default
    if (text === undefined) continue
    const { value, faults: found } = readSetting(setting, text)
    read[name] = value
    faults.push(...found.map((message) => ({ setting: name as SettingName, message })))
  }
  const values = read as Environment
  const judged: Judged = { values, isSet: given }
  const evaluation = isEvaluation(judged)
  // who writes "Production" wants to know all that production requires
  const production = values.NODE_ENV === 'production' || /^\W*prod/i.test(env['NODE_ENV'] ?? '')
  faults.push(...settingFaults(judged, { production, evaluation }))
  if (production) faults.push(...productionFaults(judged))
  // Kubernetes sets TOLLGATE_PORT=tcp://… for a service of that name
  const names = Object.keys(env).filter((name) => given(name) && !/^(tcp|udp):/.test(env[name] ?? ''))
  const { refused, warnings } = resemblances(names, given, values.DEMO === 'on')
  const sentences = (list: Fault[]) => list.map(({ setting, message }) => `${setting}: ${message}`)
  return {
    settings: values,
    evaluation,
    faults: [...sentences(faults), ...refused],
    warnings,
    beforeProduction: production || evaluation ? undefined : sentences(productionFaults(judged)),
  }
}
