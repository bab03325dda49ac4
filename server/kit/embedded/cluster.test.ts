import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stopCluster } from './cluster.ts'

/** A pg_ctl that notes its calls; the first of them is ended by a signal. */
const PG_CTL = `#!/bin/sh
echo "$*" >> "$3/calls"
[ "$(wc -l < "$3/calls")" -gt 1 ] || kill -TERM $$
exit $STATUS`

test.each([
  ['has stopped', 0, true],
  ['did not stop in time', 1, false],
])('a stop whose pg_ctl was ended by a signal is tried again: PostgreSQL %s', async (_what, status, stopped) => {
  const clusterDir = mkdtempSync(join(tmpdir(), 'tollgate-cluster-'))
  onTestFinished(() => rmSync(clusterDir, { recursive: true }))
  const pgCtl = join(clusterDir, 'pg_ctl')
  writeFileSync(pgCtl, PG_CTL.replace('$STATUS', String(status)), { mode: 0o755 })
  const place = { clusterDir, copies: clusterDir, account: undefined }
  expect(await stopCluster(place, { pgCtl, postgres: '', initdb: '', major: '18' })).toBe(stopped)
  const call = `stop -D ${clusterDir} -m fast -w -t 60\n`
  expect(readFileSync(join(clusterDir, 'calls'), 'utf8')).toBe(call + call)
})
