/** Whether a Prisma write failed because of a unique constraint. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === 'P2002'
