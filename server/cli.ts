import { parseArgs } from 'node:util'
import { admitOperator } from './accounts/access.ts'
import { type Options, type Outcome, UsageError } from './commands/options.ts'
import { COMMANDS, usageOf } from './commands/usage.ts'
import { explain } from './explain.ts'
import { readConfig } from './kit/config/config.ts'
import { CLONED, DEPLOYED } from './kit/process/commandLine.ts'
import { createLog } from './kit/process/log.ts'
import { openService } from './kit/service.ts'

/** Read before the settings are known to be valid. */
const CALL = process.env['NODE_ENV'] === 'production' || process.env['DATABASE_URL'] ? DEPLOYED : CLONED

/** The command that the arguments begin with: one or two words. */
const nameOf = (args: string[]): string | undefined =>
  [args.slice(0, 2).join(' '), args[0] ?? ''].find((candidate) => Object.hasOwn(COMMANDS, candidate))

function parse(args: string[]): { name: string; options: Options } {
  const name = nameOf(args)
  const command = name === undefined ? undefined : COMMANDS[name]
  if (name === undefined || !command) {
    const words = args.filter((arg) => !arg.startsWith('-')).slice(0, 2)
    throw new UsageError(words.length === 0 ? 'No command given.' : `Unknown command "${words.join(' ')}".`)
  }
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = { json: { type: 'boolean' } }
  for (const [option, { value, multiple = false }] of Object.entries(command.options))
    options[option] = { type: value === undefined ? 'boolean' : 'string', multiple }
  const given = { args: args.slice(name.split(' ').length), options }
  // not strict, to report a wrong option with the options that there are
  const { argument } = command
  const found: string[] = []
  for (const token of parseArgs({ ...given, strict: false, tokens: true }).tokens) {
    if (token.kind === 'positional' && found.push(token.value) > (argument ? 1 : 0))
      throw new UsageError(`Unexpected argument "${token.value}".`)
    if (token.kind === 'option' && !Object.hasOwn(options, token.name))
      throw new UsageError(
        `Unknown option ${token.rawName}. Known options: ${Object.keys(options)
          .map((option) => `--${option}`)
          .join(', ')}.`,
      )
  }
  try {
    const { values } = parseArgs({ ...given, allowPositionals: true })
    return { name, options: { ...values, ...(argument && { [argument.name]: found[0] }) } as Options }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(usageOf(CALL, nameOf(args)))
    return 0
  }
  const { name, options } = parse(args)
  const command = COMMANDS[name]
  if (!command) throw new Error(`there is no command ${name}`)
  const report = ({ result, text, failed }: Outcome): number => {
    console.log(options['json'] ? JSON.stringify(result) : text)
    return failed ? 1 : 0
  }
  if ('runAlone' in command) return report(await command.runAlone(options))
  const config = readConfig(process.env)
  for (const warning of config.warnings) console.error(warning)
  if ('runWith' in command) return report(await command.runWith(config, options))
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'warn')
  const holder = { kind: 'command', label: `tollgate ${name}, process ${process.pid}` } as const
  const service = await openService(config, holder, log, { isUnbounded: true })
  try {
    if ('runOn' in command) return report(await command.runOn(service, options))
    const operator = admitOperator(service.ctx, process.env['USER'] ?? 'unknown')
    return report(await command.run(operator, options))
  } finally {
    await service.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : explain(error))
    if (error instanceof UsageError) console.error(`\n${usageOf(CALL, nameOf(process.argv.slice(2)))}`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)
