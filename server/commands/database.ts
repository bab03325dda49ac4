import type { Command } from './options.ts'

/** Commands about the database. */
export const DATABASE: Record<string, Command> = {
  migrate: {
    about: 'Applies missing migrations, and gives the user of DATABASE_URL its rights if OWNER_DATABASE_URL is set.',
    options: {},
    // every command has done this when it opened the database
    run: async () => ({ result: { ok: true }, text: 'The database is up to date.' }),
  },
}
