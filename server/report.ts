import type { Demo } from './demo.ts'
import { settingsFor, shellWord } from './kit/commandLine.ts'
import type { Config } from './kit/config.ts'

export type Started = {
  config: Pick<Config, 'publicUrl' | 'databaseUrl' | 'dataDir' | 'smtpUrl'>
  version: string
  /** PostgreSQL is the embedded one. */
  embedded: boolean
  /** Present in an evaluation. */
  demo: Pick<Demo, 'url' | 'people' | 'mailbox' | 'file'> | undefined
  /** A person reads this in a terminal; else it may be collected as a log. */
  interactive: boolean
}

/** What a start prints when the service is ready, as text of several lines. */
export function startReport(started: Started): string {
  const { config, version, embedded, demo } = started
  return [
    '',
    `  Tollgate ${version} is ready`,
    '',
    `  Service    ${config.publicUrl}`,
    ...(demo ? [`  Demo shop  ${demo.url}`] : []),
    `  Database   ${embedded ? `embedded PostgreSQL in ${config.dataDir}` : 'external PostgreSQL'}`,
    '',
    ...(demo ? howToSignIn(started, demo) : []),
    '  Stop       Ctrl+C',
    '',
  ].join('\n')
}

/** Passwords and the mailbox's link open accounts: only a terminal is shown them, a log says where they are. */
function howToSignIn({ config, interactive }: Started, demo: NonNullable<Started['demo']>): string[] {
  const shown = demo.people.filter(({ role }) => role === 'owner' || role === 'staff lead')
  const people = shown.map(({ email, password, role }) =>
    interactive ? `${email}  ${password}  (${role})` : `${email}  (${role})`,
  )
  const captured = config.smtpUrl === undefined
  const read = `cat ${shellWord(demo.file)}`
  return [
    ...titled('Sign in', [...people, 'staff need a second factor, but not in this evaluation']),
    ...(interactive
      ? [...titled('More roles', [read]), ...(captured ? titled('Mailbox', [demo.mailbox]) : [])]
      : titled('Passwords', [
          read,
          captured ? 'with the other roles and the link to the mailbox' : 'with the other roles',
        ])),
    ...titled('Keys', [
      `${settingsFor(config)}npm run tollgate -- site create --tenant demo --name "My site" --hostname localhost`,
    ]),
  ]
}

const titled = (title: string, lines: string[]): string[] =>
  lines.map((line, i) => `  ${(i === 0 ? title : '').padEnd(10)} ${line}`)
