import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Context } from '../../kit/context.ts'
import { decrypt, encrypt } from '../../kit/crypto/encrypt.ts'
import type { Keyring } from '../../kit/crypto/keyring.ts'

const PURPOSE = 'webhook secret'

/** A new signing secret: 256 random bits in the form of the Standard Webhooks specification. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const encryptSecret = (keyring: Keyring, endpoint: string, secret: string): string =>
  encrypt(keyring, PURPOSE, secret, endpoint)

/** The value of `webhook-signature`: a signature with each of the secrets, which are encrypted. */
export const signatures = (
  keyring: Keyring,
  { endpoint, event, body, at }: { endpoint: string; event: string; body: string; at: Date },
  secrets: readonly string[],
): string =>
  secrets.map((secret) => new Webhook(decrypt(keyring, PURPOSE, secret, endpoint)).sign(event, at, body)).join(' ')

/**
 * Encrypts secrets of a former sealing key with the current one, so that the former key can be removed. Runs at each start. One
 * with a missing key stays as it is.
 */
export async function resealSecrets({ prisma, keyring }: Pick<Context, 'prisma' | 'keyring'>): Promise<void> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { NOT: { secret: { startsWith: `${keyring.current.id}.` } } },
    select: { id: true, secret: true },
  })
  for (const { id, secret } of rows) {
    if (!keyring.byId.has(secret.split('.', 1)[0] ?? '')) continue
    const data = { secret: encryptSecret(keyring, id, decrypt(keyring, PURPOSE, secret, id)) }
    await prisma.webhookEndpoint.updateMany({ where: { id, secret }, data })
  }
}
