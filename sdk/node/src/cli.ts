#!/usr/bin/env node
/** The command `tollgate`. */
import { parseArgs } from 'node:util'
import { examine } from './doctor.ts'
import type { Check } from './doctorPage.ts'
import { openManage } from './manage.ts'

const USAGE = `tollgate doctor [options]
tollgate export > tollgate.yaml
tollgate apply FILE [--plan] [--prune] [--secrets FILE]
tollgate rotate SLUG --overlap SECONDS [--idempotency-key KEY]

doctor

Checks an integration from outside. It opens intents and redeems nothing, so nothing is charged.

  --url URL          the address of the service; default: TOLLGATE_URL
  --sitekey KEY      compared with the secret's site; default: TOLLGATE_SITEKEY
  --hostname HOST    of a page with the form; may be repeated
  --page URL         a page with the form, which is loaded twice
  --allow-insecure   allows an http address of another machine
  --json             prints {"ok", "checks"} as JSON

The secret key is read from TOLLGATE_SECRET only.
Exit codes: 0 no errors, 1 at least one error, 2 unusable options.

export, apply, rotate

They use an API key, which is read from TOLLGATE_KEY only. export prints the sites, alerts and webhooks of the tenant
as YAML, without secrets. apply makes the tenant be as the file says and prints what it changes. rotate prints a new
secret of a site and nothing else.

  --url URL          the address of the service; default: TOLLGATE_URL
  --plan             only prints what apply would change
  --prune            also removes what the file does not have; without it, nothing is removed
  --secrets FILE     appends the first secrets of new sites to the file; without it, they are not kept
  --overlap SECONDS  for how long the former secret still works, at most 2592000 (30 days)
  --idempotency-key KEY
                     with the same key, rotate prints the same secret again for 24 hours, so that a job can be repeated
  --allow-insecure   allows an http address of another machine

Exit codes: 0 done or nothing to do, 1 an error, 2 with --plan: there are changes.
`

const STATE_COMMANDS = /^(?:export|apply|rotate)$/

const OPTIONS = {
  url: { type: 'string' },
  sitekey: { type: 'string' },
  hostname: { type: 'string', multiple: true },
  page: { type: 'string' },
  'allow-insecure': { type: 'boolean' },
  json: { type: 'boolean' },
  plan: { type: 'boolean' },
  prune: { type: 'boolean' },
  secrets: { type: 'string' },
  overlap: { type: 'string' },
  'idempotency-key': { type: 'string' },
  help: { type: 'boolean' },
} as const

const describe = ({ status, check, message, fix, docs }: Check): string =>
  [
    `${status.padEnd(8)}${check.padEnd(11)}${message}`,
    ...(status === 'ok'
      ? []
      : [fix, docs].filter((line) => line !== undefined).map((line) => `${' '.repeat(19)}${line}`)),
  ].join('\n')

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
  if (values.help) {
    process.stdout.write(USAGE)
    return 0
  }
  const { TOLLGATE_URL, TOLLGATE_KEY, TOLLGATE_SITEKEY, TOLLGATE_SECRET } = process.env
  const [command, target = '', ...more] = positionals
  const hasTarget = command === 'apply' || command === 'rotate'
  if (more.length === 0 && (hasTarget ? target !== '' : command === 'export' && target === '')) {
    const manage = openManage({
      url: values.url ?? TOLLGATE_URL ?? '',
      key: TOLLGATE_KEY ?? '',
      allowInsecure: values['allow-insecure'],
    })
    const io = {
      out: (text: string) => void process.stdout.write(text),
      err: (text: string) => void process.stderr.write(text),
    }
    // loaded only here, because the doctor needs no YAML
    const { applyCommand, exportCommand, rotateCommand } = await import('./stateCommands.ts')
    if (command === 'apply') return applyCommand(manage, target, values, io)
    if (command === 'export') return exportCommand(manage, io)
    return rotateCommand(manage, target, { ...values, idempotencyKey: values['idempotency-key'] }, io)
  }
  if (positionals.join(' ') !== 'doctor') throw new TypeError(`unusable command "${positionals.join(' ')}"`)
  const checks = await examine({
    url: values.url ?? TOLLGATE_URL ?? '',
    sitekey: values.sitekey ?? (TOLLGATE_SITEKEY || undefined),
    secret: TOLLGATE_SECRET ?? '',
    hostnames: values.hostname,
    page: values.page,
    allowInsecure: values['allow-insecure'],
  })
  const ok = checks.every(({ status }) => status !== 'error')
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ ok, checks }, null, 2)}\n`
      : `${checks.map(describe).join('\n')}\n\n${ok ? 'No errors.' : 'There are errors.'}\n`,
  )
  return ok ? 0 : 1
}

main()
  .then((code) => (process.exitCode = code))
  .catch((error: unknown) => {
    // what parseArgs and the options of the client reject
    const unusable = error instanceof TypeError
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${unusable ? `\n${USAGE}` : ''}`)
    // with apply, 2 says that there are changes
    process.exitCode = unusable && !STATE_COMMANDS.test(process.argv[2] ?? '') ? 2 : 1
  })
