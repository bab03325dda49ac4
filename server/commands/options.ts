import type { OperatorCtx } from '../accounts/access.ts'
import type { Config } from '../kit/config/config.ts'
import type { Service } from '../kit/service.ts'

/** Invalid command or options. The message says what is wrong. */
export class UsageError extends Error {}

export type Options = Record<string, string | string[] | boolean | undefined>
/** `value`: the name of the option's value in the usage; without one it is a flag. */
export type Option = { value?: string; about: string; optional?: true; multiple?: true }
export type Command = {
  about: string
  /** A value without `--`, after the command's name; it is among the options by this name. */
  argument?: { name: string; about: string }
  options: Record<string, Option>
} & (
  | { run(ctx: OperatorCtx, options: Options): Promise<Outcome> }
  /** Needs the connection strings of the database. */
  | { runOn(service: Service, options: Options): Promise<Outcome> }
  /** Opens what it needs of the settings by itself. */
  | { runWith(config: Config, options: Options): Promise<Outcome> }
  /** Needs no database. */
  | { runAlone(options: Options): Promise<Outcome> }
)
/** `text` is for people, `result` for programs. */
export type Outcome = { result: Record<string, unknown>; text: string; failed?: boolean }

/** The value of an option. Throws UsageError if it is missing. */
export function text(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`--${name} is missing.`)
  return value
}

/** The command's argument. Throws UsageError if it is missing. */
export function argument(options: Options, name: string): string {
  const value = options[name]
  if (typeof value !== 'string' || value.trim() === '') throw new UsageError(`${name} is missing.`)
  return value
}

/** The value of an option as a whole number of at least `minimum`. */
export function units(options: Options, name: string, minimum: number): number {
  const value = text(options, name)
  if (!/^-?\d{1,15}$/.test(value) || Number(value) < minimum)
    throw new UsageError(
      `--${name} must be a whole number${minimum >= 0 ? ` of at least ${minimum}` : ''}, not "${value}".`,
    )
  return Number(value)
}

export const TENANT: Option = { value: 'TENANT', about: 'id or slug of the tenant' }
export const SITE: Option = { value: 'SITE', about: 'id or site key of the site' }
export const REASON: Option = { value: 'TEXT', about: 'why; the audit log shows it' }
