/**
 * Tests a deployment of the service against the contract, from outside, with one of its sites. It does not test a
 * merchant's integration; `npm run accept` does.
 *
 *   npm run conformance -- --base-url https://captcha.example --sitekey tg_site_… [--hostname shop.example] [--json]
 *
 * The secret comes from TOLLGATE_SECRET, or from --secret on a machine where others cannot list processes. Exit code 0: every
 * check passed; 1: one failed; 2: there was nothing to check.
 */
import { parseArgs } from 'node:util'
import { createDeployment, type Target } from './call.ts'
import { type Result, runChecks } from './check.ts'
import { FLOW } from './flow.ts'
import { RULES } from './rules.ts'

const USAGE = `Usage: npm run conformance -- --base-url URL --sitekey tg_site_… [--hostname HOST] [--json]
       with the site's secret in TOLLGATE_SECRET (or --secret tg_secret_…)

Tests the service, not a merchant’s integration (that is npm run accept). HOST is one of the site's hostnames, by default
localhost. With a site of your own, at most 10 units are charged; with the published test key tg_site_TESTpass000000000000, none.`

class Unusable extends Error {}

/** What is asked for, or nothing if it is the usage. */
function readTarget(args: string[]): (Target & { json: boolean }) | undefined {
  const text = { type: 'string' } as const
  const options = {
    'base-url': text,
    sitekey: text,
    secret: text,
    hostname: text,
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  } as const
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

function report(heading: string, results: readonly Result[]): void {
  console.log(`\n${heading}`)
  for (const { name, fault } of results) console.log(`${fault === undefined ? '  ok    ' : '  FAILED'} ${name}`)
}

async function main(): Promise<number> {
  const asked = readTarget(process.argv.slice(2))
  if (!asked) {
    console.log(USAGE)
    return 0
  }
  const { json, ...target } = asked
  const it = createDeployment(target)
  await it.send('/healthz', { method: 'GET' }).catch((error: unknown) => {
    throw new Unusable(`${target.baseUrl} does not answer: ${String(error)}. Is the address right, and the service up?`)
  })
  const flow = await runChecks(FLOW, it)
  const rules = await runChecks(RULES, it)
  const results = [...flow, ...rules]
  const faults = results.filter(({ fault }) => fault !== undefined)
  if (json) console.log(JSON.stringify({ base_url: target.baseUrl, sitekey: target.sitekey, flow, rules }, null, 2))
  else {
    console.log(`Conformance of the service at ${target.baseUrl}, site ${target.sitekey}, host ${target.hostname}`)
    report('The service: a visitor’s whole flow', flow)
    report('The service: the contract’s main rules', rules)
    for (const { name, fault } of faults) console.log(`\n${name}\n  ${fault}`)
    console.log(`\n${results.length - faults.length} hold, ${faults.length} do not.`)
  }
  return faults.length === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof Unusable)) throw error
  console.error(error.message)
  process.exitCode = 2
}
