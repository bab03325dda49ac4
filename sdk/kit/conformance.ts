import { parseArgs } from 'node:util'
import { type Result, runCheck, Unusable } from './check.ts'
import { createDeployment, type Target } from './deployment/call.ts'
import { FLOW } from './deployment/flow.ts'
import { RULES } from './deployment/rules.ts'
import { exitCodeOf, failedChecks, writeReport } from './report.ts'

const USAGE = `Usage: npm run conformance -- --base-url URL --sitekey tg_site_… [--hostname HOST] [--json]
       with the site's secret in TOLLGATE_SECRET (or --secret tg_secret_…)

Tests the service, not a merchant’s integration (that is npm run accept). HOST is one of the site's hostnames, by default
localhost. With a site of your own, at most 10 units are charged; with the published test key tg_site_TESTpass000000000000, none.
Use --secret only on a machine where others cannot list processes.`

const HEADINGS = { 1: 'A visitor’s whole flow', 2: 'The contract’s main rules' }

/** What is asked for, or nothing if it is the usage. */
function readTarget(args: string[]): (Target & { json: boolean }) | undefined {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { 'base-url': text, sitekey: text, secret: text, hostname: text, json: flag, help: flag } as const
  const { values } = parse(() => parseArgs({ args, options }))
  if (values.help) return undefined
  const { 'base-url': baseUrl, sitekey, secret = process.env['TOLLGATE_SECRET'], hostname = 'localhost' } = values
  if (!baseUrl || !sitekey || !secret) {
    const missing = [!baseUrl && '--base-url', !sitekey && '--sitekey', !secret && 'TOLLGATE_SECRET'].filter(Boolean)
    throw new Unusable(`${missing.join(', ')} missing.\n\n${USAGE}`)
  }
  if (!URL.canParse(baseUrl)) throw new Unusable(`--base-url is no URL: ${baseUrl}\n\n${USAGE}`)
  return { baseUrl: baseUrl.replace(/\/+$/, ''), sitekey, secret, hostname, json: values.json ?? false }
}

function parse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Unusable(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

/** Tests a deployment with one of its sites; returns the exit code. */
export async function runConformance(args: string[]): Promise<number> {
  const asked = readTarget(args)
  if (!asked) {
    console.log(USAGE)
    return 0
  }
  const { json, ...target } = asked
  const it = createDeployment(target)
  await it.send('/healthz', { method: 'GET' }).catch((error: unknown) => {
    throw new Unusable(`${target.baseUrl} does not answer: ${String(error)}. Is the address right, and the service up?`)
  })
  const results: Result[] = []
  for (const check of [...FLOW, ...RULES]) results.push(await runCheck(check, it))
  const title = `Conformance of the service at ${target.baseUrl}, site ${target.sitekey}, host ${target.hostname}`
  const report = { tollgate: target.baseUrl, sitekey: target.sitekey, failed: failedChecks(results), results }
  const docs = 'docs/integration.md'
  console.log(json ? JSON.stringify(report, null, 2) : writeReport({ title, headings: HEADINGS, docs }, results))
  return exitCodeOf(results)
}
