import { createHash } from 'node:crypto'
import type { Db } from '../../kit/db/transact.ts'

/** How better-auth's identifiers of reset links begin. */
const RESET = 'reset-password:'

export const resetIdentifier = (token: string): string => RESET + token

const hashOf = (identifier: string): string => createHash('sha256').update(identifier).digest('base64url')

/** Identifiers are stored as hashes. Those of reset links keep their beginning, so that a person's links can be found. */
export const STORED_IDENTIFIERS = {
  default: 'hashed' as const,
  overrides: { [RESET]: { hash: async (identifier: string) => RESET + hashOf(identifier) } },
}

/** Ends the person's reset links, except the one with the token `keep`. */
export async function endResetLinks({ prisma }: Db, userId: string, keep?: string): Promise<void> {
  await prisma.verification.deleteMany({
    where: {
      value: userId,
      identifier: {
        startsWith: RESET,
        ...(keep !== undefined && { not: RESET + hashOf(resetIdentifier(keep)) }),
      },
    },
  })
}
