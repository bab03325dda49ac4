import { newApiKey } from '../../server/accounts/sites/keys.ts'
import { hashSecret } from '../../server/accounts/sites/secrets/verify.ts'
import { SCOPE_NAMES, type Scope } from '../../server/contract/scopes.ts'
import { newId } from '../../server/kit/crypto/ids.ts'
import { rename, toSnake } from '../../server/manage/names.ts'
import { OPERATIONS, type Operation } from '../../server/manage/operations.ts'
import type { TestApp } from './app.ts'

export type MadeKey = { id: string; key: string }

/** A key of the management API: of all scopes and sites, and valid for a day, unless said otherwise. */
export async function makeKey(
  { ctx }: Pick<TestApp, 'ctx'>,
  at: { tenantId: string; createdBy: string | null },
  {
    scopes = SCOPE_NAMES,
    sites = [],
    expiresAt = new Date(Date.now() + 86_400_000),
  }: { scopes?: Scope[]; sites?: string[]; expiresAt?: Date | null } = {},
): Promise<MadeKey> {
  const [id, key] = [newId(), newApiKey()]
  const hash = new Uint8Array(hashSecret(key))
  await ctx.prisma.apiKey.create({
    data: { id, ...at, name: `Key ${id}`, hash, last4: key.slice(-4), scopes, sites, expiresAt },
  })
  return { id, key }
}

export type Managed = {
  status: number
  headers: Headers
  /** Of an error. */
  error: string | undefined
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

/** Sends any request to the management API. */
export async function sendManaged(
  { url }: Pick<TestApp, 'url'>,
  key: string | undefined,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Managed> {
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const parsed = (await reply.json()) as { error?: string }
  return { status: reply.status, headers: reply.headers, error: parsed.error, body: parsed }
}

/** Calls an operation by its procedure's name and input. */
export function callManaged(
  app: Pick<TestApp, 'url'>,
  key: string | undefined,
  name: string,
  input: object = {},
  headers: Record<string, string> = {},
): Promise<Managed> {
  const { method, path } = operationOf(name)
  const rest = rename(input, toSnake) as Record<string, unknown>
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => {
    const value = String(rest[field])
    delete rest[field]
    return encodeURIComponent(value)
  })
  if (method === 'GET') {
    const query = new URLSearchParams(
      Object.entries(rest)
        .filter(([, value]) => value !== undefined)
        .map(([field, value]) => [field, String(value)] as [string, string]),
    )
    return sendManaged(app, key, method, `${filled}?${query.toString()}`, { headers })
  }
  return sendManaged(app, key, method, filled, { headers, ...(Object.keys(rest).length > 0 && { body: rest }) })
}

export function operationOf(name: string): Operation {
  const operation = OPERATIONS.find((each) => each.name === name)
  if (!operation) throw new Error(`${name} is not an operation of the management API`)
  return operation
}
