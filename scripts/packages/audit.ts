/**
 * Asks the registry for known vulnerabilities of what a deployment installs. Fails if one is high or critical. A registry
 * that has no such endpoint, such as many mirrors, or no network is reported and is no failure.
 *
 *   tsx scripts/packages/audit.ts [FOLDER]
 */
import { spawnSync } from 'node:child_process'
import { root } from './lockfile.ts'

type Report = {
  auditReportVersion?: number
  message?: string
  metadata?: { vulnerabilities?: Record<string, number> }
  vulnerabilities?: Record<string, { severity: string; range: string }>
}

const SERIOUS = new Set(['high', 'critical'])

/** npm's own command line if npm runs this script, as on Windows a program without `.cmd` is not found. */
const cli = process.env['npm_execpath']
const [program, first] = cli?.endsWith('.js')
  ? [process.execPath, [cli]]
  : [process.platform === 'win32' ? 'npm.cmd' : 'npm', []]
const args = ['audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000']
const { stdout, stderr } = spawnSync(program, [...first, ...args], {
  cwd: process.argv[2] ?? root,
  encoding: 'utf8',
  maxBuffer: 64 << 20,
})
const report = parse(stdout)
if (report?.auditReportVersion === undefined) {
  const reason = report?.message ?? stderr.trim().split('\n')[0] ?? ''
  console.log(`npm audit: not available here, so known vulnerabilities were not checked (${reason})`)
} else {
  const serious = Object.entries(report.vulnerabilities ?? {}).filter(([, { severity }]) => SERIOUS.has(severity))
  for (const [name, { severity, range }] of serious) console.error(`${severity}: ${name} ${range}`)
  if (serious.length > 0) console.error('npm audit: update these packages; `npm audit --omit=dev` shows the advisories')
  else console.log(`npm audit: nothing high or critical ${JSON.stringify(report.metadata?.vulnerabilities ?? {})}`)
  process.exitCode = serious.length > 0 ? 1 : 0
}

function parse(text: string): Report | undefined {
  try {
    return JSON.parse(text) as Report
  } catch {
    return undefined
  }
}
