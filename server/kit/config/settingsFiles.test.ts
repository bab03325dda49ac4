import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Config, readConfig } from './config.ts'

/**
 * The environment that `docker run --env-file` makes of a file: everything behind `=` is the value, with its quotes, blanks, comments
 * and carriage returns. Of a name that stands twice, the last one counts.
 */
const environmentOf = (file: string): Record<string, string> =>
  Object.fromEntries(
    file
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const KEY = `k1:${randomBytes(32).toString('base64url')}`
const DATABASE = 'DATABASE_URL=postgresql://tollgate:hunter2@db:5432/tollgate'
const PRODUCTION = `NODE_ENV=production
${DATABASE}
PUBLIC_URL=https://tollgate.example
TOLLGATE_KEYS=${KEY}
METRICS_TOKEN=q7Jr2vXmPz0LwT8a`
/** The file of a production node with one line changed. */
const production = (line: string): string =>
  `${PRODUCTION.split('\n')
    .filter((each) => !each.startsWith(`${line.slice(0, line.indexOf('='))}=`))
    .join('\n')}\n${line}`

/** What must never be the consequence of a setting that is not understood. */
const isUnsafe = ({ demo, staffNeeds2fa, testKeys, host }: Config): boolean =>
  demo || !staffNeeds2fa || testKeys || host === '127.0.0.1'

const WINDOWS = `${PRODUCTION}\n`.replaceAll('\n', '\r\n')

describe('files that are refused, with every name and value', () => {
  test.each<[what: string, file: string, faults: RegExp[]]>([
    [
      'saved on Windows',
      WINDOWS,
      [
        /^The settings have 5 errors:\n/,
        /NODE_ENV: "production\\r" ends with a carriage return/,
        /PUBLIC_URL: "https.*\\r"/,
        /METRICS_TOKEN: ends/,
      ],
    ],
    ['quotes, double', production('NODE_ENV="production"'), [/^A setting/, /NODE_ENV: "\\"production\\"" has quotes/]],
    ['quotes, single', production("NODE_ENV='production'"), [/NODE_ENV: "'production'" has quotes/]],
    ['quotes, typographic', production('NODE_ENV=“production”'), [/NODE_ENV: "“production”" has quotes/]],
    ['a blank at the end', production('NODE_ENV=production '), [/NODE_ENV: "production " has blanks/]],
    ['a tab in front', production('NODE_ENV=\tproduction'), [/NODE_ENV: "\\tproduction" has blanks/]],
    ['a no-break space', production('NODE_ENV=production\u00A0'), [/NODE_ENV: "production\\u00a0" has blanks/]],
    ['a byte order mark in the value', production('NODE_ENV=\uFEFFproduction'), [/NODE_ENV: "\\ufeffproduction" has/]],
    [
      'capitals',
      production('NODE_ENV=Production'),
      [/NODE_ENV: expected production, development or test, not "Production"/],
    ],
    ['an abbreviation', 'NODE_ENV=prod', [/NODE_ENV: expected/, /METRICS_TOKEN: required/]],
    [
      'a comment behind the value',
      production('NODE_ENV=production # live'),
      [/NODE_ENV: expected .*not "production # live"/],
    ],
    [
      'a byte order mark before the first name',
      `\uFEFF${PRODUCTION}`,
      [/"\\ufeffNODE_ENV": is not a setting. Rename it to NODE_ENV/],
    ],
    ['export before the name', `export ${PRODUCTION}`, [/"export NODE_ENV": is not a setting. Rename it to NODE_ENV/]],
    ['a blank behind the name', PRODUCTION.replace('NODE_ENV=', 'NODE_ENV ='), [/"NODE_ENV ": is not a setting/]],
    ['a hyphen in the name', PRODUCTION.replace('NODE_ENV=', 'NODE-ENV='), [/"NODE-ENV": is not a setting/]],
    [
      'a name in small letters',
      PRODUCTION.replace('NODE_ENV=', 'node_env='),
      [/node_env: is not a setting. Rename it to NODE_ENV/],
    ],
    ['a misspelt NODE_ENV', 'NODE_EVN=production', [/NODE_EVN: is not a setting. Rename it to NODE_ENV/]],
    [
      'a misspelt DATABASE_URL',
      PRODUCTION.replace('DATABASE_URL', 'DATABSE_URL'),
      [/DATABSE_URL: is not a setting. Rename it to DATABASE_URL/],
    ],
    ['the name of another program', 'DATABASE_URI=postgresql://u:p@db/x', [/DATABASE_URI: is not a setting/]],
    [
      'a misspelt TOLLGATE_KEYS',
      PRODUCTION.replace('TOLLGATE_KEYS', 'TOLGATE_KEYS'),
      [/TOLGATE_KEYS: is not a setting/, /TOLLGATE_KEYS: required/],
    ],
    ['the second of two lines', `${PRODUCTION}\nNODE_ENV=live`, [/NODE_ENV: expected .*, not "live"/]],
    ['a placeholder', production('METRICS_TOKEN=<change-me-to-a-token>'), [/METRICS_TOKEN: contains a placeholder/]],
    [
      'a placeholder in a URL',
      production('DATABASE_URL=postgresql://tollgate:<password>@db:5432/tollgate'),
      [/DATABASE_URL: contains a placeholder/],
    ],
    ['the example as it is', production('TOLLGATE_KEYS=k1:…'), [/TOLLGATE_KEYS: contains a placeholder/]],
    [
      'a variable that no shell replaced',
      production('METRICS_TOKEN=${METRICS_TOKEN}'),
      [/METRICS_TOKEN: contains a placeholder/],
    ],
    [
      'a template that was not rendered',
      production('PUBLIC_URL=https://{{host}}'),
      [/PUBLIC_URL: "https:\/\/{{host}}" contains a placeholder/],
    ],
    ['a token of the documentation', production('METRICS_TOKEN=change-me-please'), [/METRICS_TOKEN: is not random/]],
    ['a token of one letter', production('METRICS_TOKEN=aaaaaaaaaaaaaaaaaaaa'), [/METRICS_TOKEN: is not random/]],
    ['True', production('GRANTS=True'), [/GRANTS: expected on or off, not "True"/]],
    ['false', 'DEMO=false', [/DEMO: expected on or off, not "false"/]],
    ['a unit', production('SEND_TIMEOUT=30s'), [/SEND_TIMEOUT: expected whole seconds from 5 to 3600, not "30s"/]],
    ['a separator', production('MAX_CONNECTIONS=10,000'), [/MAX_CONNECTIONS: .*not "10,000"/]],
    ['hexadecimal', production('LEAD_UNITS_MAX=0x10'), [/LEAD_UNITS_MAX: .*not "0x10"/]],
    ['an exponent', production('SUPPORT_UNITS_MAX=1e6'), [/SUPPORT_UNITS_MAX: .*not "1e6"/]],
    ['only a blank', production('LEAD_UNITS_MAX= '), [/LEAD_UNITS_MAX: " " has blanks/]],
    ['a leading zero', production('PORT=03000'), [/PORT: expected a port number from 0 to 65535, not "03000"/]],
    ['an address with a port', production('HOST=0.0.0.0:3000'), [/HOST: expected an address .*not "0\.0\.0\.0:3000"/]],
    ['brackets', production('HOST=[::]'), [/HOST: expected an address .*without .*brackets.*not "\[::\]"/]],
    [
      'a slash at the end',
      production('PUBLIC_URL=https://tollgate.example/'),
      [/PUBLIC_URL: expected an origin .*nothing after host and port, not "https:\/\/tollgate\.example\/"/],
    ],
    [
      'a path',
      production('PUBLIC_URL=https://example.com/tollgate'),
      [/PUBLIC_URL: .*not "https:\/\/example\.com\/tollgate"/],
    ],
    ['no scheme', production('PUBLIC_URL=tollgate.example'), [/PUBLIC_URL: .*not "tollgate\.example"/]],
    [
      'a password in an address that is shown',
      production('PUBLIC_URL=https://u:hun/ter2@tollgate.example'),
      [/PUBLIC_URL: .*not "https:\/\/…@tollgate\.example"/],
    ],
    [
      'a list with blanks',
      production('TRUSTED_PROXIES=10.0.0.1 10.0.0.2'),
      [/TRUSTED_PROXIES: expected comma-separated .*not "10\.0\.0\.1 10\.0\.0\.2"/],
    ],
    ['half of what is IPv4', production('TRUSTED_PROXIES=::ffff:0:0/90'), [/TRUSTED_PROXIES: .*not "::ffff:0:0\/90"/]],
    ['a directory in quotes', production('DATA_DIR="/data"'), [/DATA_DIR: "\\"\/data\\"" has quotes/]],
    [
      'a home that no shell replaced',
      production('DATA_DIR=~/data'),
      [/DATA_DIR: expected a path, without ~.*not "~\/data"/],
    ],
    [
      'a path with a comment',
      production('NETWORKS_FILE=/etc/networks.txt # lists'),
      [/NETWORKS_FILE: expected a path/],
    ],
    ['a path with one quote', production('ARCHIVE_DIR=/archive"'), [/ARCHIVE_DIR: expected a path/]],
    [
      'a database of another kind',
      production('DATABASE_URL=mysql://u:hunter2@db/x'),
      [/DATABASE_URL: expected postgresql:\/\/.*in the password$/m],
    ],
    [
      'production without a database',
      PRODUCTION.replace(/DATABASE_URL=.*/, ''),
      [/^A setting is/, /DATABASE_URL: required in production.*EMBEDDED_DATABASE=on/],
    ],
    [
      'no database at all',
      'EMBEDDED_DATABASE=off',
      [/^A setting is/, /DATABASE_URL: required with EMBEDDED_DATABASE=off/],
    ],
    [
      'two errors of one setting, beside a name that is only a warning',
      production('TRUSTED_PROXIES=0.0.0.0/0,::/0\nREDIS_URI=redis://x'),
      [/^The settings have 2 errors:\n.*\n.*\n\n {2}REDIS_URI is not a setting/],
    ],
    ['an evaluation in production', production('DEMO=on'), [/DEMO: an evaluation has demo accounts/]],
    [
      'all at once',
      'NODE_ENV=production\nDEMO=on\nPORT=70000\nPUBLIC_URL=http://t.example\nTRUSTED_PROXIES=0.0.0.0/0\nGRANTS=yes\nDATABASE_URL=x\nSMTP_URL=mail.example\nWORKERS=many',
      [
        /^The settings have 10 errors:\n/,
        /DEMO:/,
        /PORT:/,
        /PUBLIC_URL:/,
        /TRUSTED_PROXIES:/,
        /GRANTS:/,
        /DATABASE_URL:/,
        /SMTP_URL:/,
        /WORKERS:/,
        /METRICS_TOKEN:/,
      ],
    ],
  ])('%s', (_what, file, faults) => {
    let message = ''
    try {
      readConfig(environmentOf(file))
    } catch (error) {
      message = (error as Error).message
    }
    for (const fault of faults) expect(message).toMatch(fault)
    const [head = '', ...lines] = message.split('\n\n', 1)[0]?.split('\n') ?? []
    expect([head, lines.length]).toEqual([head, Number(/\d+/.exec(head)?.[0] ?? 1)])
    // of secrets not a letter
    expect(message).not.toMatch(/hunter2|hun\/ter2|q7Jr2vXm/)
    expect(message).not.toContain(KEY.slice(3))
  })
})

describe('files that are understood', () => {
  test.each<[what: string, file: string, config: Partial<Config>]>([
    ['nothing', '', { demo: true, host: '127.0.0.1', production: false }],
    ['empty values', 'NODE_ENV=\nDATABASE_URL=\nHOST=', { demo: true, host: '127.0.0.1' }],
    ['production', PRODUCTION, { production: true, demo: false, testKeys: false, host: '0.0.0.0', warnings: [] }],
    [
      'production with an embedded database',
      PRODUCTION.replace(/DATABASE_URL=.*/, 'EMBEDDED_DATABASE=on'),
      { production: true, databaseUrl: undefined, warnings: [] },
    ],
    ['a database alone', DATABASE, { production: false, demo: false, staffNeeds2fa: true, host: '127.0.0.1' }],
    ['development', 'NODE_ENV=development', { demo: false, staffNeeds2fa: true, host: '127.0.0.1' }],
    ['an evaluation that is asked for', 'NODE_ENV=development\nDEMO=on', { demo: true, host: '127.0.0.1' }],
    ['a name twice', `NODE_ENV=development\n${PRODUCTION}`, { production: true }],
    ['IPv6', production('HOST=::'), { host: '::' }],
    ['a name', production('HOST=localhost'), { host: 'localhost' }],
    [
      'IPv4 as IPv6',
      production('TRUSTED_PROXIES=::ffff:10.0.0.0/104, 2001:db8::1'),
      { trustedProxies: ['::ffff:10.0.0.0/104', '2001:db8::1'] },
    ],
    [
      'a sender with quotes',
      production('MAIL_FROM="Example, Inc." <a@b.example>'),
      { mailFrom: '"Example, Inc." <a@b.example>' },
    ],
    ['a path with a blank', production('DATA_DIR=/srv/toll gate'), { dataDir: '/srv/toll gate' }],
    ['numbers', production('LEAD_UNITS_MAX=0\nWORKERS=4'), { leadUnitsMax: 0, workers: 4 }],
    [
      'names that resemble less important settings',
      production('REDIS_URI=redis://x\nPUBLICURL=x\nTRUSTED_PROXY=10.0.0.1'),
      {
        redisUrl: undefined,
        warnings: [
          'REDIS_URI is not a setting. Did you mean REDIS_URL?',
          'PUBLICURL is not a setting. Did you mean PUBLIC_URL?',
          'TRUSTED_PROXY is not a setting. Did you mean TRUSTED_PROXIES?',
        ],
      },
    ],
    [
      'names of other programs',
      production(
        'HOME=/root\nPATH=/bin\nHOSTNAME=a\nPGHOST=db\nTERM=x\nTOLLGATE_URL=x\nTOLLGATE_PORT=tcp://10.0.0.1:80\nREDIS_PORT=1\nnpm_config_port=1',
      ),
      { warnings: [] },
    ],
    [
      'both names',
      `${PRODUCTION}\nDATABASE_URI=x`,
      { warnings: ['DATABASE_URI is not a setting. Did you mean DATABASE_URL?'] },
    ],
  ])('%s', (_what, file, config) => {
    expect(readConfig(environmentOf(file))).toMatchObject(config)
  })
})

test('no spelling of production that is accepted makes a node less safe', () => {
  const around = ['', ' ', '"', "'", '\r', '\t', '\uFEFF', '\u200B', '`', '\\', ';', ',', '#', '\0']
  const spellings = ['production', 'Production', 'PRODUCTION', 'prod', 'live', 'produktion', 'true']
  for (const spelling of spellings)
    for (const before of around)
      for (const after of around) {
        const env = { ...environmentOf(PRODUCTION), NODE_ENV: `${before}${spelling}${after}` }
        let config: Config | undefined
        try {
          config = readConfig(env)
        } catch {}
        expect([env.NODE_ENV, config !== undefined && isUnsafe(config)]).toEqual([env.NODE_ENV, false])
        expect(config !== undefined).toBe(env.NODE_ENV === 'production')
      }
})

test('what production requires is known before it is production', () => {
  expect(readConfig({ NODE_ENV: 'development' }).beforeProduction?.join()).toContain('DATABASE_URL: required')
  const { beforeProduction } = readConfig(environmentOf(`${DATABASE}\nPUBLIC_URL=http://tollgate.example`))
  expect(beforeProduction?.map((fault) => fault.split(':')[0])).toEqual([
    'TOLLGATE_KEYS',
    'PUBLIC_URL',
    'METRICS_TOKEN',
  ])
  expect(readConfig({}).beforeProduction).toBeUndefined()
  expect(readConfig(environmentOf(PRODUCTION)).beforeProduction).toBeUndefined()
})
