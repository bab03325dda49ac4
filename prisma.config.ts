import type { PrismaConfig } from '@prisma/config'

// Only the Prisma command line reads this file (`npx prisma`; it is no dependency, scripts/prismaClient.mjs says why). The
// service applies prisma/migrations by itself (server/kit/db/migrate.ts).
export default {
  schema: 'prisma',
  // the runner's record of the files of functions (server/kit/db/migrate.ts)
  experimental: { externalTables: true },
  tables: { external: ['public._sql_file'] },
  migrations: { path: 'prisma/migrations', seed: 'tsx prisma/seed.ts' },
  ...(process.env['DATABASE_URL'] ? { datasource: { url: process.env['DATABASE_URL'] } } : {}),
} satisfies PrismaConfig
