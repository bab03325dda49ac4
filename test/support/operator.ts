import { admitOperator } from '../../server/accounts/access.ts'
import { authOf } from '../../server/accounts/sessions/auth.ts'
import { createHashing } from '../../server/accounts/sessions/hashing.ts'
import { ADDRESS_HEADER } from '../../server/accounts/sessions/settings.ts'
import { createSite } from '../../server/accounts/sites/create.ts'
import { createTenant } from '../../server/accounts/tenants/create.ts'
import { readConfig } from '../../server/kit/config/config.ts'
import { createLog } from '../../server/kit/process/log.ts'
import { openService } from '../../server/kit/service.ts'

/** The most used commands of an operator, and signing in. */
export type Operator = {
  createTenant(input: { name: string; quota: number }): Promise<{ id: string; slug: string }>
  /** Of the kind sha256, which the test client solves. */
  createSite(
    tenantId: string,
    input: { name: string; hostname: string },
  ): Promise<{ id: string; sitekey: string; secret: string }>
  /** A hash with a cost of 2^10. */
  hashPassword(password: string): Promise<string>
  /** Signs in as /auth does; returns the values of Set-Cookie. The hash of the password must be one of `hashPassword`. */
  signIn(
    credentials: { email: string; password: string },
    client: { address: string; userAgent: string },
  ): Promise<string[]>
  close(): Promise<void>
}

/** A hash takes 0.4 s of CPU time at the cost of a deployment, and end-to-end tests sign in hundreds of times. */
const PASSWORD_COST = 10

/**
 * Runs the commands on a deployment's database without a process for each, which would take a second; a run of
 * end-to-end tests creates about a hundred tenants. `settings` are the deployment's.
 */
export async function openOperator(settings: Record<string, string>): Promise<Operator> {
  const config = { ...readConfig(settings), passwordCost: PASSWORD_COST }
  const service = await openService(config, { kind: 'command', label: 'tests' }, createLog('silent'))
  const ctx = admitOperator(service.ctx, 'tests')
  return {
    createTenant: (input) => createTenant(ctx, input),
    createSite: (tenantId, { name, hostname }) =>
      createSite(ctx, { id: tenantId }, { name, hostnames: [hostname], challengeKind: 'sha256' }),
    hashPassword: createHashing(service.ctx).hash,
    async signIn(body, { address, userAgent }) {
      const { api } = await authOf(service.ctx)
      const headers = new Headers({ [ADDRESS_HEADER]: address, 'user-agent': userAgent })
      const { headers: answer } = await api.signInEmail({ body, headers, returnHeaders: true })
      return answer.getSetCookie()
    },
    close: () => service.close(),
  }
}
