import type { Context } from '../../kit/context.ts'
import { AppError } from '../../kit/error.ts'
import type { Hashing } from './hashing.ts'

export type Credentials = { email: string; password: string }

/**
 * After a sign-in: replaces a hash that was made with other parameters. The update takes effect only if the hash is still
 * the same, so that a password chosen meanwhile stays. If too many hashes wait, the next sign-in replaces it.
 */
export async function renewHash(
  { prisma }: Context,
  hashing: Hashing,
  { email, password }: Credentials,
): Promise<void> {
  const account = await prisma.account.findFirst({
    where: { user: { email }, providerId: 'credential' },
    select: { id: true, password: true },
  })
  if (!account?.password || !hashing.isFormer(account.password)) return
  try {
    const renewed = await hashing.hash(password)
    await prisma.account.updateMany({
      where: { id: account.id, password: account.password },
      data: { password: renewed },
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}
