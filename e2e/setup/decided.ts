import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import { createTestClient } from '../../test/support/client.ts'
import type { Member } from './member.ts'
import type { Service } from './service.ts'
import type { Site } from './site.ts'

/** The headers of a page of the merchant. */
export const fromPage = { origin: 'http://localhost:3001' }
export const newSession = () => randomBytes(32).toString('hex')
/** How the console shows an id. */
export const tail = (id: string) => `…${id.slice(-8)}`

/** A decision, from intent to redemption; its id. */
export async function decide(service: Service, site: Site, fields: { action?: string; session?: string } = {}) {
  const client = createTestClient(service.url)
  const earned = await client.earn(site, { hostname: 'localhost', ...fields }, fromPage)
  return String((await client.siteverify(site, earned)).body['decision_id'])
}

/** Waits until so many refusals of the tenant are written, behind their answers. */
export const refusalsWritten = ({ sql }: Service, { tenantId }: Member, count: number) =>
  expect
    .poll(async () => (await sql.query('select 1 from refusal where tenant_id = $1', [tenantId])).rowCount)
    .toBe(count)
