import { parseArgs } from 'node:util'
import { admitOperator } from './accounts/access.ts'
import { COMMANDS, type Options, UsageError } from './commands.ts'
import { readConfig } from './kit/config.ts'
import { AppError, OperatorError } from './kit/error.ts'
import { createLog } from './kit/log.ts'
import { openService } from './kit/service.ts'

const USAGE = `Usage: npm run tollgate -- <noun> <verb> [options] [--json]

  tenant create --name NAME --quota UNITS [--slug SLUG]
  member add --tenant ID-OR-SLUG --email E [--role ROLE] [--name N]   owner (default), admin, developer, billing or viewer
  tenant suspend --tenant ID-OR-SLUG --reason TEXT          refuses all its calls, on all nodes within 10 s
  tenant restore --tenant ID-OR-SLUG --reason TEXT
  site create --tenant ID-OR-SLUG --name NAME --hostname HOST [--hostname HOST …]
  secret rotate --site ID-OR-SITEKEY [--overlap SECONDS]    how long the old secrets keep working; default 0
  quota set --tenant ID-OR-SLUG --units UNITS               units included each month, starting this month
  balance add --tenant ID-OR-SLUG --units UNITS [--reason TEXT]   --units=-5 removes 5
  staff create --email E [--level support|lead] [--name N]  adds a member of staff, or changes their level
  reconcile                                                 compares every charge with its decision

With --json the only output on standard output is one line of JSON. (npm prints a banner there; use
\`npm run --silent tollgate\` to suppress it.) The command uses the database of DATABASE_URL, or the one in DATA_DIR, whether
or not the service is running.`

function parse(args: string[]): { name: string; options: Options } {
  const name = [args.slice(0, 2).join(' '), args[0] ?? ''].find((candidate) => Object.hasOwn(COMMANDS, candidate))
  if (name === undefined)
    throw new UsageError(
      args.length === 0
        ? 'No command given.'
        : `Unknown command "${args
            .filter((a) => !a.startsWith('-'))
            .slice(0, 2)
            .join(' ')}".`,
    )
  const known = COMMANDS[name]?.options ?? []
  try {
    const { values } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: {
        json: { type: 'boolean' },
        ...Object.fromEntries(
          known.map((option) => [option, { type: 'string' as const, multiple: option === 'hostname' }]),
        ),
      },
    })
    return { name, options: values }
  } catch (error) {
    throw new UsageError((error as Error).message.split('. To specify', 1)[0])
  }
}

async function main(args: string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE)
    return 0
  }
  const { name, options } = parse(args)
  const config = readConfig(process.env)
  const log = createLog(config.logLevel === 'debug' ? 'debug' : 'warn')
  const service = await openService(config, { kind: 'command', label: `tollgate ${name}, process ${process.pid}` }, log)
  try {
    const operator = admitOperator(service.ctx, process.env['USER'] ?? 'unknown')
    const outcome = await COMMANDS[name]?.run(operator, options)
    if (outcome) console.log(options['json'] ? JSON.stringify(outcome.result) : outcome.text)
    return outcome?.failed ? 1 : 0
  } finally {
    await service.close()
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = [AppError, OperatorError, UsageError].some((kind) => error instanceof kind)
    console.error(known ? (error as Error).message : error)
    if (error instanceof UsageError) console.error(`\n${USAGE}`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)
