import { createOTP } from '@better-auth/utils/otp'
import { type Browser, PASSWORD } from './browser.ts'

/**
 * Sets up the person's authenticator; `code` returns a code that is accepted now and was not used before. There are two:
 * the set-up uses the current one, and clocks may differ by one.
 */
export async function enableTotp(person: Pick<Browser, 'post'>) {
  const enabled = await person.post('/auth/two-factor/enable', { password: PASSWORD })
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: [string, ...string[]] }
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  let step = Math.floor(Date.now() / 30_000) - 1
  const code = () => createOTP(base32(secret)).hotp((step += 1))
  const verified = await person.post('/auth/two-factor/verify-totp', { code: await code() })
  if (verified.status !== 200) throw new Error(`the second factor was not enabled: ${verified.status} ${verified.text}`)
  return { code, backupCodes }
}

/** Decodes the secret of an authenticator's URI. */
function base32(text: string): string {
  const bits = Array.from(text.replaceAll('=', ''))
    .map((digit) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString('utf8')
}
