import { CLONED, type DEPLOYED } from '../kit/process/commandLine.ts'
import { DATABASE } from './database.ts'
import { NETWORKS } from './networks.ts'
import type { Command, Option } from './options.ts'
import { PEOPLE } from './people.ts'
import { PROVIDERS } from './providers.ts'
import { SITES } from './sites.ts'
import { TENANTS } from './tenants.ts'

/** The commands of operators, by noun and verb. */
export const COMMANDS: Record<string, Command> = {
  ...TENANTS,
  ...SITES,
  ...NETWORKS,
  ...PROVIDERS,
  ...PEOPLE,
  ...DATABASE,
}

const NPM_BANNER = `(npm prints a banner there; use
\`npm run --silent tollgate\` to suppress it.) `

const after = (call: string): string =>
  `With --json the only output on standard output is one line of JSON. ${call === CLONED ? NPM_BANNER : ''}The command
uses the database of DATABASE_URL, or the one in DATA_DIR, whether or not the service is running.`

/** The usage of one command, with what its options mean; of all commands without one. `call`: what to type before the command. */
export function usageOf(call: typeof CLONED | typeof DEPLOYED, name?: string): string {
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || !command) return usageOfAll(call)
  const rows: [string, string][] = [
    ...(command.argument ? [[command.argument.name, command.argument.about] as [string, string]] : []),
    ...Object.entries(command.options).map(([option, { value, about }]): [string, string] => [
      value === undefined ? `--${option}` : `--${option} ${value}`,
      about,
    ]),
    ['--json', 'prints one line of JSON'],
  ]
  return `Usage: ${call} ${lineOf(name, command)} [--json]\n\n${command.about}\n\n${aligned(rows)}`
}

function usageOfAll(call: string): string {
  const lines = Object.entries(COMMANDS).flatMap(([name, command]) => [
    `  ${lineOf(name, command)}`,
    `      ${command.about}`,
  ])
  return `Usage: ${call} <command> [options] [--json]\n\n${lines.join('\n')}\n\nThe options of a command: ${call} <command> --help\n\n${after(call)}`
}

const lineOf = (name: string, { argument, options }: Command): string =>
  [
    name,
    ...(argument ? [argument.name] : []),
    ...Object.entries(options).map(([option, of]) => optionOf(option, of)),
  ].join(' ')

function optionOf(name: string, { value, optional, multiple }: Option): string {
  const one = value === undefined ? `--${name}` : `--${name} ${value}`
  if (multiple) return `${one} [${one} …]`
  return optional ? `[${one}]` : one
}

function aligned(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')
}
