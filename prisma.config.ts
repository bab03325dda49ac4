import { defineConfig } from 'prisma/config'

// Only the Prisma command line reads this file. The service applies prisma/migrations by itself (server/kit/migrate.ts).
export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations', seed: 'tsx prisma/seed.ts' },
  ...(process.env['DATABASE_URL'] ? { datasource: { url: process.env['DATABASE_URL'] } } : {}),
})
