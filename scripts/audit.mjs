// npm run audit: fails if a package of a deployment has a known vulnerability that is high or critical. Many mirrors of the registry
// cannot answer that; then it says so, and does not fail.
import { spawnSync } from 'node:child_process'
import { npm, root } from './bootstrap.mjs'

const [program, ...first] = npm()
const args = [...first, 'audit', '--omit=dev', '--json', '--fetch-retries=1', '--fetch-timeout=20000']
const { stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 })
const report = stdout.startsWith('{') ? JSON.parse(stdout) : {}
const found = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) => /high|critical/.test(severity))
for (const { name, severity, range } of found) console.error(`${severity}: ${name} ${range}`)
if (report.auditReportVersion === undefined)
  console.log(`npm audit: not available here, so known vulnerabilities were not checked\n${report.message ?? stderr}`)
else console.log(`npm audit: ${found.length} of high or critical severity; npm audit --omit=dev shows all`)
process.exitCode = found.length > 0 ? 1 : 0
