import { defineConfig } from 'prisma/config'

// Only the Prisma command line reads this file. The service applies prisma/migrations by itself (server/kit/migrate.ts).
export default defineConfig({
  schema: 'prisma',
  // the runner's record of the files of functions (server/kit/migrate.ts)
  experimental: { externalTables: true },
  tables: { external: ['public._sql_file'] },
  migrations: { path: 'prisma/migrations', seed: 'tsx prisma/seed.ts' },
  ...(process.env['DATABASE_URL'] ? { datasource: { url: process.env['DATABASE_URL'] } } : {}),
})
