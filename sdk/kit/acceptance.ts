import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { connectMerchant, loadAdapter } from './adapter.ts'
import { Unusable } from './check.ts'
import { testKeys } from './keys.ts'
import type { CheckNumber } from './probe.ts'
import { aboutMerchant, exitCodeOf, failedChecks, writeReport } from './report.ts'
import { accept, type Options, type Subject } from './run.ts'

const USAGE = `Usage: npm run accept -- --adapter FILE|URL [options]

Drives your form through the six acceptance checks: forged, expired, foreign, missing, swapped and racing submissions,
changed content, failures of the service, and a search of your logs. Use a test instance: it places orders.

  --adapter FILE     a .ts or .mjs file that exports { name, start(settings) } by default; the kit starts and restarts
                     your merchant with it; FILE#NAME takes another export. The types are in sdk/kit/adapter.ts,
                     examples in sdk/kit/adapters/examples.ts.
  --adapter URL      a merchant that runs already. The address answers JSON: { name, form, fields, changed,
                     executed: URL of {"executed": n}, logs: URL of text }. Set its TOLLGATE_URL to the kit's address,
                     http://127.0.0.1:4400. The probes that need other keys are skipped.
  --tollgate URL     the deployment behind the kit; default http://localhost:3000
  --sitekey KEY      a site of yours that allows the hostname localhost, with its secret in TOLLGATE_SECRET; default
                     the published test key TESTpass, of which 60 calls a minute are allowed: the kit waits
  --listen PORT      the kit's own port; default 4400 with a URL, else a free one
  --only 1,4         these checks only; 6 searches what the others logged
  --slow             also wait 301 seconds for a token to expire
  --no-browser       skip the probes that need Chromium
  --json             the report as JSON

The examples that keep their records in PostgreSQL (all but flask, django and php) need ACCEPT_DATABASE_URL: a PostgreSQL
database whose role may create others.

Exit code 0: every probe passed; 1: one failed; 2: there was nothing to check, or a probe is unclear, because the
machine or the service was too slow.
The checks are explained in docs/going-live.md, "Before you go live".`

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const OPTIONS = {
  adapter: TEXT,
  tollgate: TEXT,
  sitekey: TEXT,
  listen: TEXT,
  only: TEXT,
  slow: FLAG,
  'no-browser': FLAG,
  json: FLAG,
  help: FLAG,
} as const

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS }).values
  } catch (error) {
    throw new Unusable(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

type Arguments = ReturnType<typeof readArguments>

function readOptions({ tollgate = 'http://localhost:3000', sitekey, listen, only, slow = false, adapter }: Arguments) {
  if (!URL.canParse(tollgate)) throw new Unusable(`--tollgate is not a URL: ${tollgate}`)
  const port = listen ?? (adapter !== undefined && isUrl(adapter) ? '4400' : '0')
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Unusable(`--listen is not a port: ${port}`)
  const checks = only?.split(',')
  if (checks?.some((each) => !/^[1-6]$/.test(each))) throw new Unusable(`--only takes checks from 1 to 6: ${only}`)
  return {
    target: tollgate.replace(/\/+$/, ''),
    keys: readKeys(sitekey),
    listen: Number(port),
    slow,
    ...(checks ? { only: checks.map((each) => Number(each) as CheckNumber) } : {}),
  } satisfies Options
}

function readKeys(sitekey: string | undefined) {
  if (sitekey === undefined) return testKeys('pass')
  const secret = process.env['TOLLGATE_SECRET']
  if (!secret) throw new Unusable('--sitekey needs the site’s secret key in the environment variable TOLLGATE_SECRET.')
  return { sitekey, secret }
}

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

async function readSubject(adapter: string): Promise<Subject> {
  if (!isUrl(adapter)) return loadAdapter(resolve(adapter))
  const { name, merchant } = await connectMerchant(adapter)
  return { name, running: merchant }
}

async function expectDeployment(target: string): Promise<void> {
  const isUp = await fetch(`${target}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isUp)
    throw new Unusable(`${target} does not answer. Start the service with npm start, or name it with --tollgate.`)
}

async function openBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM']
  const isFound = executablePath !== undefined && existsSync(executablePath)
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  return chromium.launch(isFound ? { executablePath, args } : { args }).catch((error: unknown) => {
    throw new Unusable(`Chromium cannot be started (set CHROMIUM to its path, or add --no-browser): ${String(error)}`)
  })
}

/** Drives a merchant's form through the six acceptance checks; returns the exit code. */
export async function runAcceptance(given: string[]): Promise<number> {
  const args = readArguments(given)
  if (args.help) {
    console.log(USAGE)
    return 0
  }
  if (args.adapter === undefined) throw new Unusable(`--adapter is missing.\n\n${USAGE}`)
  const options = readOptions(args)
  await expectDeployment(options.target)
  const subject = await readSubject(args.adapter)
  if ('running' in subject)
    console.error(
      `${subject.name} must have TOLLGATE_URL=http://127.0.0.1:${options.listen} and site key ${options.keys.sitekey}.`,
    )
  const browser = args['no-browser'] ? undefined : await openBrowser()
  try {
    const tell = args.json ? () => {} : (text: string) => process.stderr.write(text)
    const results = await accept(subject, {
      ...options,
      browser,
      onResult: () => tell('.'),
      onWait: (seconds) => tell(`(${options.target} limits these calls: waiting ${seconds} s)`),
    })
    tell('\n')
    const report = { merchant: subject.name, tollgate: options.target, failed: failedChecks(results), results }
    console.log(args.json ? JSON.stringify(report, null, 2) : writeReport(aboutMerchant(subject.name), results))
    return exitCodeOf(results)
  } finally {
    await browser?.close()
  }
}
