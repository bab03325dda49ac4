import type { Demo } from './demo.ts'
import type { Config } from './kit/config/config.ts'
import { commandFor, shellWord } from './kit/process/commandLine.ts'

export type Started = {
  config: Pick<
    Config,
    | 'production'
    | 'publicUrl'
    | 'databaseUrl'
    | 'keys'
    | 'dataDir'
    | 'smtpUrl'
    | 'host'
    | 'port'
    | 'warnings'
    | 'beforeProduction'
  >
  version: string
  /** Whether the embedded PostgreSQL is used. */
  embedded: boolean
  /** Set in an evaluation. */
  demo: Pick<Demo, 'url' | 'people' | 'mailbox' | 'file'> | undefined
  /** Whether the output is a terminal. Otherwise it may be collected as a log. */
  interactive: boolean
}

export const NOT_PRODUCTION =
  'Not production: set NODE_ENV=production. Until then, settings that are unsafe on the internet are accepted.'

/** The report that is printed when the service is ready. */
export function startReport(started: Started): string {
  const { config, version, embedded, demo } = started
  return [
    '',
    `  Tollgate ${version} is ready`,
    '',
    `  Service    ${config.publicUrl}${demo ? '' : `, listening on ${config.host}:${config.port}`}`,
    ...(demo ? [`  Demo shop  ${demo.url}`, `  Demo story ${config.publicUrl}/#story`] : []),
    `  Database   ${embedded ? `embedded PostgreSQL in ${config.dataDir}` : 'external PostgreSQL'}`,
    '',
    ...notes(config),
    ...(demo ? howToSignIn(started, demo) : howToBegin(started)),
    '  Stop       Ctrl+C',
    '',
  ].join('\n')
}

/** What the operator should correct, although the service runs. */
function notes({ warnings, beforeProduction }: Started['config']): string[] {
  const lines = [
    ...warnings,
    ...(beforeProduction ? [NOT_PRODUCTION, ...beforeProduction.map((fault) => `  ${fault}`)] : []),
  ]
  return lines.length === 0 ? [] : [...titled('Settings', lines), '']
}

/** What an empty deployment needs before somebody can sign in; e-mails are refused without a mail server. */
function howToBegin({ config }: Started): string[] {
  const command = commandFor(config)
  return [
    ...(config.smtpUrl === undefined ? titled('E-mail', ['none: set SMTP_URL, or no one can be invited']) : []),
    ...titled('Commands', [
      `${command} tenant create --name NAME --quota UNITS`,
      `${command} member add --tenant SLUG --email EMAIL`,
      `${command} staff create --email EMAIL --level lead`,
    ]),
  ]
}

/** Passwords and the mailbox link give access to accounts, so only a terminal shows them. A log shows how to get them. */
function howToSignIn({ config, interactive }: Started, demo: NonNullable<Started['demo']>): string[] {
  const shown = demo.people.filter(({ role }) => role === 'owner' || role === 'staff lead')
  const people = shown.map(({ email, password, role }) =>
    interactive ? `${email}  ${password}  (${role})` : `${email}  (${role})`,
  )
  const captured = config.smtpUrl === undefined
  const read = `cat ${shellWord(demo.file)}`
  return [
    ...titled('Sign in', [...people, 'Staff need no second factor in an evaluation.']),
    ...(interactive
      ? [...titled('More roles', [read]), ...(captured ? titled('Mailbox', [demo.mailbox]) : [])]
      : titled('Passwords', [
          read,
          captured ? 'also has the other roles and the link to the mailbox' : 'also has the other roles',
        ])),
    ...titled('Keys', [`${commandFor(config)} site create --tenant demo --name "My site" --hostname localhost`]),
  ]
}

const titled = (title: string, lines: string[]): string[] =>
  lines.map((line, i) => `  ${(i === 0 ? title : '').padEnd(10)} ${line}`)
