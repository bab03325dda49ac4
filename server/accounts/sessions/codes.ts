import { randomInt, timingSafeEqual } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'
import type { symmetricDecrypt } from 'better-auth/crypto'
import type { Context } from '../../kit/context.ts'
import { seconds } from '../../kit/db/clock.ts'
import { enqueueEmails } from '../../kit/queue/email.ts'
import { lockedEmail } from './emails.ts'

/** Wrong codes within ten minutes that lock a second factor: for ten minutes, then for twice as long each time. */
const MOST = 5

const PERIOD_SECONDS = 30

/** better-auth's keys. */
type SecretConfig = Parameters<typeof symmetricDecrypt>[0]['key']

/** `missing`: the person has no authenticator. `code`: as it is stored. `retryAfter`: seconds until the lock ends. */
export type Judgement =
  | { verdict: 'right'; code: string }
  | { verdict: 'wrong' | 'missing' }
  | { verdict: 'locked'; retryAfter: number }

/**
 * Checks a code. It is counted as wrong first and uncounted if it is right, in statements that lock the row: however many
 * requests arrive at once, at most five wrong codes are checked. The person gets an e-mail at the first lock.
 */
async function judgeCode(
  ctx: Context,
  userId: string,
  /** The code as it is stored; undefined if it is wrong. */
  find: (twoFactor: { secret: string; backupCodes: string }) => Promise<string | undefined>,
): Promise<Judgement> {
  const twoFactor = await ctx.prisma.twoFactor.findUnique({ where: { userId }, include: { user: true } })
  if (!twoFactor) return { verdict: 'missing' }
  const attempt = await countAttempt(ctx, userId)
  if (!attempt) return lockOf(ctx, userId)
  const code = await find(twoFactor)
  if (code !== undefined) {
    await uncountAttempt(ctx, userId)
    return { verdict: 'right', code }
  }
  if (attempt.locked && attempt.locks === 1)
    await enqueueEmails(ctx, [lockedEmail(ctx.config.publicUrl, twoFactor.user)])
  return { verdict: 'wrong' }
}

/** Checks a code of the authenticator, whose secret `key` decrypts. A code is right once: its step is claimed by a conditional update. */
export const judgeTotp = (ctx: Context, key: SecretConfig, userId: string, code: string): Promise<Judgement> =>
  judgeCode(ctx, userId, async ({ secret }) => {
    const { symmetricDecrypt } = await import('better-auth/crypto')
    const otp = createOTP(await symmetricDecrypt({ key, data: secret }))
    const now = Math.floor(seconds(ctx.clock.now()) / PERIOD_SECONDS)
    // one step of difference between the clocks is allowed
    for (const step of [now - 1, now, now + 1])
      if (isSame(await otp.hotp(step), code) && (await claimStep(ctx, userId, step))) return code
    return undefined
  })

/** Lower case, without characters that look like others on paper: 31, of which ten make 49 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const CODES = 10
const CODE_LENGTH = 10

/** New recovery codes, `aaaaa-bbbbb`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: CODES }, () => {
    const code = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${code.slice(0, 5)}-${code.slice(5)}`
  })

/** A recovery code without what people write differently: case, spaces and hyphens. Codes of version 0.2 have both cases. */
const folded = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')

/** Whether the text is a recovery code by its form. */
export const isRecoveryCode = (code: string): boolean => /^[a-z0-9]{10}$/.test(folded(code))

/**
 * Checks a recovery code, which counts towards the same lock. `use`: it is also deleted, by a conditional update, so that it
 * is right once; otherwise the caller does that. If another code was used at the same moment, this one is looked for in what is
 * left.
 */
export const judgeRecovery = (
  ctx: Context,
  key: SecretConfig,
  { userId, code, use }: { userId: string; code: string; use: boolean },
): Promise<Judgement> =>
  judgeCode(ctx, userId, async ({ backupCodes }) => {
    const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
    for (let stored: string | undefined = backupCodes; stored !== undefined; ) {
      const codes = JSON.parse(await symmetricDecrypt({ key, data: stored })) as string[]
      const found = codes.find((one) => isSame(folded(one), folded(code)))
      if (found === undefined || !use) return found
      const left = codes.filter((one) => one !== found)
      const { count } = await ctx.prisma.twoFactor.updateMany({
        where: { userId, backupCodes: stored },
        data: { backupCodes: await symmetricEncrypt({ key, data: JSON.stringify(left) }) },
      })
      if (count === 1) return found
      stored = (await ctx.prisma.twoFactor.findUnique({ where: { userId } }))?.backupCodes
    }
    return undefined
  })

const isSame = (expected: string, given: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function claimStep({ prisma }: Context, userId: string, step: number): Promise<boolean> {
  const { count } = await prisma.twoFactor.updateMany({
    where: { userId, OR: [{ lastUsedStep: null }, { lastUsedStep: { lt: step } }] },
    data: { lastUsedStep: step },
  })
  return count === 1
}

/** Counts a code, and locks at the fifth; undefined, without counting, while locked. */
async function countAttempt(
  { prisma }: Context,
  userId: string,
): Promise<{ locks: number; locked: boolean } | undefined> {
  const [attempt] = await prisma.$queryRaw<{ locks: number; locked: boolean }[]>`
    update two_factor set
      failed_verification_count =
        case when locked_until is null and failed_since > now() - interval '10 minutes'
          then failed_verification_count + 1 else 1 end,
      failed_since =
        case when locked_until is null and failed_since > now() - interval '10 minutes'
          then failed_since else now() end,
      lock_count =
        case when locked_until is null and failed_since > now() - interval '10 minutes'
            and failed_verification_count + 1 >= ${MOST}::int
          then lock_count + 1
          when failed_since < now() - interval '2 days' then 0
          else lock_count end,
      locked_until =
        case when locked_until is null and failed_since > now() - interval '10 minutes'
            and failed_verification_count + 1 >= ${MOST}::int
          then now() + interval '10 minutes' * power(2, least(lock_count, 7)) end
    where user_id = ${userId}::uuid and (locked_until is null or locked_until <= now())
    returning lock_count as locks, locked_until is not null as locked`
  return attempt
}

/** Takes back one counted code, and the lock if that code was the fifth. */
const uncountAttempt = ({ prisma }: Context, userId: string) => prisma.$executeRaw`
  update two_factor set
    failed_verification_count = greatest(failed_verification_count - 1, 0),
    lock_count = greatest(lock_count - (locked_until is not null)::int, 0),
    locked_until = null
  where user_id = ${userId}::uuid`

async function lockOf({ prisma }: Context, userId: string): Promise<Judgement> {
  const [row] = await prisma.$queryRaw<{ seconds: number }[]>`
    select greatest(1, ceil(extract(epoch from locked_until - now())))::int as seconds
    from two_factor where user_id = ${userId}::uuid`
  return { verdict: 'locked', retryAfter: row?.seconds ?? 1 }
}
