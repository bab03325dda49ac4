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
  const current = { startsWith: `${keyring.current.id}.` }
  const reseal = (id: string, text: string) =>
    keyring.byId.has(text.split('.', 1)[0] ?? '')
      ? encryptSecret(keyring, id, decrypt(keyring, PURPOSE, text, id))
      : text
  const rows = await prisma.webhookEndpoint.findMany({
    where: { OR: [{ NOT: { secret: current } }, { NOT: { formerSecret: current } }] },
    select: { id: true, secret: true, formerSecret: true },
  })
  for (const { id, secret, formerSecret } of rows) {
    const data = { secret: reseal(id, secret), formerSecret: formerSecret && reseal(id, formerSecret) }
    await prisma.webhookEndpoint.updateMany({ where: { id, secret, formerSecret }, data })
  }
}
