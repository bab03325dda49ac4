/** Whether a write of Prisma's failed because a unique value is taken. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === 'P2002'
