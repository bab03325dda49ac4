/**
 * The cost of a verification: CPU seconds per 1,000 requests of each endpoint, for Node.js and PostgreSQL separately, and the
 * times of the replies, on a service and a PostgreSQL of their own with durable settings. Bare node:http and Fastify are
 * measured in the same run, because only ratios carry over to another machine. Linux only.
 *
 *   npm run bench [-- --requests 12000] [--concurrency 1,16,64,256] [--json FILE] [--profile DIRECTORY]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { reconcile } from '../server/ledger/quota/reconcile.ts'
import { memory } from './cpu.ts'
import { openBed } from './verification/bed.ts'
import { measureLevels } from './verification/levels.ts'
import { ratiosOf, rowsOf } from './verification/measure.ts'

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '12000' },
    concurrency: { type: 'string', default: '1,16,64,256' },
    json: { type: 'string' },
    profile: { type: 'string' },
  },
})
const levels = options.concurrency.split(',').map(Number)
/** Tenants that the load is spread over, each with one site. */
const TENANTS = 8

const bed = await openBed(options.profile === undefined ? {} : { profile: options.profile })
const sites = await Promise.all(Array.from({ length: TENANTS }, (_, i) => bed.addSite(`Bench ${i}`)))
const slices = await measureLevels(bed, sites, { levels, requests: Number(options.requests) })

const rows = rowsOf(slices)
const ratios = levels.map((concurrency) => ratiosOf(slices, concurrency))
const rounded = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toFixed(3)) : value,
    ]),
  )
console.table(rows.map(rounded))
console.table(ratios.map(rounded))
const { mismatches, decisions } = await reconcile(bed.service.ctx)
console.log(`${decisions} decisions, ${mismatches.length} mismatches, ${JSON.stringify(memory(bed.pid()))} MB`)
if (options.json) writeFileSync(options.json, `${JSON.stringify({ rows, ratios }, undefined, 2)}\n`)
await bed.close()
process.exit(mismatches.length === 0 ? 0 : 1)
