#!/usr/bin/env node
/** The command `tollgate`. */
import { parseArgs } from 'node:util'
import { examine } from './doctor.ts'
import type { Check } from './doctorPage.ts'

const USAGE = `tollgate doctor [options]

Checks an integration from outside. It opens intents and redeems nothing, so nothing is charged.

  --url URL          the address of the service; default: TOLLGATE_URL
  --sitekey KEY      compared with the secret's site; default: TOLLGATE_SITEKEY
  --hostname HOST    of a page with the form; may be repeated
  --page URL         a page with the form, which is loaded twice
  --allow-insecure   allows an http address of another machine
  --json             prints {"ok", "checks"} as JSON

The secret key is read from TOLLGATE_SECRET only.
Exit codes: 0 no errors, 1 at least one error, 2 unusable options.
`

const OPTIONS = {
  url: { type: 'string' },
  sitekey: { type: 'string' },
  hostname: { type: 'string', multiple: true },
  page: { type: 'string' },
  'allow-insecure': { type: 'boolean' },
  json: { type: 'boolean' },
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
  if (positionals.join(' ') !== 'doctor') throw new TypeError(`unknown command "${positionals.join(' ')}"`)
  const { TOLLGATE_URL, TOLLGATE_SITEKEY, TOLLGATE_SECRET } = process.env
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
    process.stderr.write(`${unusable ? error.message : String(error)}\n${unusable ? `\n${USAGE}` : ''}`)
    process.exitCode = unusable ? 2 : 1
  })
