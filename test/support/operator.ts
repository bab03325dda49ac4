import { admitOperator } from '../../server/accounts/access.ts'
import { createSite } from '../../server/accounts/sites/create.ts'
import { createTenant } from '../../server/accounts/tenants/create.ts'
import { readConfig } from '../../server/kit/config.ts'
import { createLog } from '../../server/kit/log.ts'
import { openService } from '../../server/kit/service.ts'

/** The most used commands of an operator. */
export type Operator = {
  createTenant(input: { name: string; quota: number }): Promise<{ id: string; slug: string }>
  /** Of the kind sha256, which the test client solves. */
  createSite(
    tenantId: string,
    input: { name: string; hostname: string },
  ): Promise<{ id: string; sitekey: string; secret: string }>
  close(): Promise<void>
}

/**
 * Runs the commands on a deployment's database without a process for each, which would take a second; a run of
 * end-to-end tests creates about a hundred tenants. `settings` are the deployment's.
 */
export async function openOperator(settings: Record<string, string>): Promise<Operator> {
  const service = await openService(readConfig(settings), { kind: 'command', label: 'tests' }, createLog('silent'))
  const ctx = admitOperator(service.ctx, 'tests')
  return {
    createTenant: (input) => createTenant(ctx, input),
    createSite: (tenantId, { name, hostname }) =>
      createSite(ctx, { id: tenantId }, { name, hostnames: [hostname], challengeKind: 'sha256' }),
    close: () => service.close(),
  }
}
