import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { assertEmpty, assertFits, readBackup, verifyBackup } from '../kit/backup/restore.ts'
import { writeBackup } from '../kit/backup/write.ts'
import { loadKeyring } from '../kit/crypto/keyring.ts'
import { readSchema } from '../kit/db/migrate.ts'
import { OperatorError } from '../kit/error.ts'
import { createLog } from '../kit/process/log.ts'
import { VERSION } from '../kit/process/version.ts'
import { openService } from '../kit/service.ts'
import { argument, type Command } from './options.ts'

const counted = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`

/** Commands about the database. */
export const DATABASE: Record<string, Command> = {
  migrate: {
    about: 'Applies missing migrations, and gives the user of DATABASE_URL its rights if OWNER_DATABASE_URL is set.',
    options: {},
    // every command has done this when it opened the database
    async runOn({ applied, granted, schema }) {
      const migrations = applied.filter((name) => schema.migrations.some((each) => each.name === name)).length
      const text = [
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied ${counted(migrations, 'migration')} and ${counted(applied.length - migrations, 'file')} of functions.`,
        ...(granted === undefined ? [] : [`${granted} has its rights.`]),
      ]
      return { result: { ok: true, applied, granted }, text: text.join(' ') }
    },
  },
  backup: {
    about: 'Writes all rows of the database, as of one moment, to a new file. The service may be running.',
    argument: { name: 'FILE', about: 'the file to create; it is compressed, and only its owner can read it' },
    options: {},
    async runOn({ ctx, ownerUrl, schema }, options) {
      const file = resolve(argument(options, 'FILE'))
      const summary = await writeBackup(ownerUrl, file, { schema, keyring: ctx.keyring, version: VERSION })
      return {
        result: { file, ...summary },
        text: `Wrote ${summary.rows} rows of ${summary.tables} tables to ${file} (${summary.bytes} bytes).\nThe sealing keys are not in it: keep ${ctx.config.keys ? 'TOLLGATE_KEYS' : join(ctx.config.dataDir, 'keys.json')} as well.`,
      }
    },
  },
  restore: {
    about: 'Reads the file of `backup` into an empty database, which is created in DATA_DIR if there is none.',
    argument: { name: 'FILE', about: 'a file that `backup` has written' },
    options: {},
    async runWith(config, options) {
      const file = resolve(argument(options, 'FILE'))
      const header = await verifyBackup(file)
      // a new key would be created otherwise
      if (!config.keys && !existsSync(join(config.dataDir, 'keys.json')))
        throw new OperatorError(
          `There are no sealing keys in ${config.dataDir}. Put the keys.json of the backed-up service there, or set TOLLGATE_KEYS.`,
        )
      assertFits(header, file, readSchema(), loadKeyring(config))
      const label = `tollgate restore, process ${process.pid}`
      // as a service, because no other may run beside it and the embedded database may not exist yet
      const service = await openService(config, { kind: 'service', label }, createLog('warn'), {
        isUnbounded: true,
        beforeRestore: assertEmpty,
      })
      try {
        const { tables, rows, createdAt } = await readBackup(service.ownerUrl, file)
        return {
          result: { file, tables, rows, created_at: createdAt },
          text: `Restored ${rows} rows of ${tables} tables, as of ${createdAt}. Run \`reconcile\` to check them, then start the service.`,
        }
      } finally {
        await service.close()
      }
    },
  },
}
