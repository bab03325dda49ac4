import * as kinds from './settingKinds.ts'

/** A setting of the service, which is a variable of the environment. */
export type Setting<T = unknown> = {
  read: kinds.Read<T>
  /** What it does: one line of Markdown, for the table of settings in the documentation and for .env.example. */
  about: string
  /** The text that counts if the setting is not set. */
  default?: string
  /** In Markdown, what counts if it is not set, where that depends on other settings. */
  otherwise?: string
  /** A value for .env.example, where the default is none. */
  example?: string
  /** Whether errors must not show the value. */
  secret?: true
  /** Whether a name that resembles it is refused while it is not set, because then the service would be less safe. */
  guard?: true
  group: keyof typeof SETTING_GROUPS
}

/** The headings of the documentation, in its order. Of `retention`, `about` says what is deleted after so many hours or days. */
export const SETTING_GROUPS = {
  basics: 'Basics',
  database: 'Database and Redis',
  connections: 'Connections',
  email: 'E-mail',
  limits: 'Limits',
  accounts: 'Accounts and sign-in',
  units: 'Units',
  logs: 'Logs and archive',
  evaluation: 'Evaluation and tests',
  retention: 'Retention',
} as const

const IN_PRODUCTION = 'with `NODE_ENV=production`'

/**
 * Every setting of the service. The documentation, .env.example and the values of the Helm chart are generated from it
 * (`npx tsx scripts/generate.ts`). A new setting is one entry here, and its property of `Config` (config.ts).
 */
export const SETTINGS = {
  NODE_ENV: {
    group: 'basics',
    read: kinds.oneOf('production', 'development', 'test'),
    about: `\`production\` turns evaluation mode off, requires sealing keys and a metrics token, sends no e-mail without \`SMTP_URL\`, and refuses settings that are unsafe on the internet. \`development\` and \`test\` only turn evaluation mode off.`,
    example: 'production',
    guard: true,
  },
  PUBLIC_URL: {
    group: 'basics',
    read: kinds.origin,
    about: `The origin at which browsers and merchants reach the service: scheme, host and port, without a path. \`NODE_ENV=production\` requires \`https://\`, except on \`localhost\`. The console answers only under this host; see [The Host header](proxies-and-restarts.md#the-host-header).`,
    otherwise: '`http://localhost:PORT`',
    example: 'https://tollgate.example',
  },
  TOLLGATE_KEYS: {
    group: 'basics',
    read: kinds.sealingKeys,
    about:
      'Sealing keys: comma-separated `id:KEY` pairs; see [Sealing keys](#sealing-keys). Required with `NODE_ENV=production` and `DATABASE_URL`. Keys that are not random are refused with `NODE_ENV=production`.',
    otherwise: 'generated into `DATA_DIR`',
    example: 'k1:…',
    secret: true,
    guard: true,
  },
  DATA_DIR: {
    group: 'basics',
    read: kinds.path,
    about: "Directory of the embedded PostgreSQL, the generated sealing keys and the evaluation's keys.",
    default: '.data',
  },
  GRANTS: {
    group: 'basics',
    read: kinds.onOff,
    about:
      "`on` lets sites issue grants, which skip challenges; each site's policy can still switch them off. `off` also disables existing grants.",
    otherwise: '`on` in an evaluation (see `DEMO`), else `off`',
    example: 'on',
  },
  DOCS: {
    group: 'basics',
    read: kinds.onOff,
    about:
      'Whether `/docs` and `/openapi.json` are served. With `off` they get 404, and the console shows no links to them.',
    default: 'on',
  },
  SUPPORT_URL: {
    group: 'basics',
    read: kinds.contact,
    about: 'Where merchants reach you, `https://…` or `mailto:…`. The console links to it.',
    example: 'mailto:support@tollgate.example',
  },
  DATABASE_URL: {
    group: 'database',
    read: kinds.databaseUrl,
    about:
      '`postgresql://user:password@host:5432/database`, PostgreSQL 15 or newer. If not set, the embedded one in `DATA_DIR` is used; see `EMBEDDED_DATABASE`.',
    example: 'postgresql://tollgate:password@localhost:5432/tollgate',
    secret: true,
    guard: true,
  },
  EMBEDDED_DATABASE: {
    group: 'database',
    read: kinds.onOff,
    about:
      'Whether the [embedded PostgreSQL](database-and-backups.md#embedded) may be used if `DATABASE_URL` is not set. With `off`, the service does not start without `DATABASE_URL`.',
    otherwise: `\`off\` ${IN_PRODUCTION}, else \`on\``,
    example: 'on',
  },
  DIRECT_URL: {
    group: 'database',
    read: kinds.databaseUrl,
    about:
      'The same user and database without the pooler, if `DATABASE_URL` leads to one. See [PgBouncer](database-and-backups.md#pgbouncer).',
    example: 'postgresql://tollgate:password@localhost:5432/tollgate',
    secret: true,
  },
  OWNER_DATABASE_URL: {
    group: 'database',
    read: kinds.databaseUrl,
    about:
      'The same database, for the user who owns the tables and applies migrations. See [Two roles](database-and-backups.md#two-roles).',
    otherwise: '`DIRECT_URL`, or else `DATABASE_URL`',
    example: 'postgresql://tollgate_owner:password@localhost:5432/tollgate',
    secret: true,
  },
  REDIS_URL: {
    group: 'database',
    read: kinds.redisUrl,
    about:
      '`redis://host:6379`, `rediss://…`, or `redis+sentinel://:password@host:26379,host:26379/name?sentinel_password=…` for the primary that [Redis Sentinel](high-availability.md#redis) names. Shares rate limits between all nodes. If not set, each node limits by itself.',
    example: 'redis://localhost:6379',
    secret: true,
  },
  HOST: {
    group: 'connections',
    read: kinds.host,
    about: 'Address to listen on, for the service and the demo shop. See [An evaluation](install.md#an-evaluation).',
    otherwise: `\`0.0.0.0\` ${IN_PRODUCTION}, else \`127.0.0.1\``,
    example: '0.0.0.0',
  },
  PORT: {
    group: 'connections',
    read: kinds.port,
    about: 'Port of the service, the console and the docs.',
    default: '3000',
  },
  TRUSTED_PROXIES: {
    group: 'connections',
    read: kinds.networks,
    about:
      'Comma-separated addresses or CIDR ranges whose `X-Forwarded-For` is trusted. Ranges larger than `10.0.0.0/8` or `fc00::/7` are refused with `NODE_ENV=production`.',
    otherwise: 'none',
    example: '10.0.0.0/8',
  },
  WORKERS: {
    group: 'connections',
    read: kinds.workers,
    about:
      'Processes that answer requests: `auto` for one per core, or a number. See [All cores](proxies-and-restarts.md#all-cores).',
    otherwise: `\`auto\` ${IN_PRODUCTION}, else \`1\``,
    example: 'auto',
  },
  SHUTDOWN_DELAY: {
    group: 'connections',
    read: kinds.seconds(0, 300),
    about:
      'Seconds, 0 to 300. How long a node still serves requests after `SIGTERM`, while `/readyz` fails; see [Rolling restarts](proxies-and-restarts.md#rolling-restarts).',
    otherwise: `\`5\` ${IN_PRODUCTION}, else \`0\``,
    example: '5',
  },
  SEND_TIMEOUT: {
    group: 'connections',
    // answers may take 4.5 seconds, during which nothing is sent
    read: kinds.seconds(5, 3600),
    about:
      'Seconds, 5 to 3600. A connection that takes nothing of its reply for this long is closed, at the latest after twice the time. Slow clients that still read are not affected.',
    default: '30',
  },
  MAX_CONNECTIONS: {
    group: 'connections',
    read: kinds.count,
    about:
      'Open connections of a node. Further ones are closed at once. The process needs as many open files (`ulimit -n`).',
    default: '5000',
  },
  BACKLOG: {
    group: 'connections',
    read: kinds.count,
    about: 'New connections that the kernel keeps until the service accepts them, at most `net.core.somaxconn`.',
    default: '4096',
  },
  NETWORKS_FILE: {
    group: 'connections',
    read: kinds.path,
    about:
      'Path of a file with networks and their verdicts; see [Networks](#networks). It is loaded again when it changes.',
    example: '/etc/tollgate/networks.txt',
  },
  PROVIDERS_FILE: {
    group: 'connections',
    read: kinds.path,
    about:
      'Path of a file with the address ranges of hosting and tunnel providers, which replaces the list that is shipped; an empty file switches it off. See [Hosting providers](#hosting-providers).',
    otherwise: 'the list that is shipped',
    example: '/etc/tollgate/providers.txt',
  },
  WEBHOOKS_ALLOW: {
    group: 'connections',
    read: kinds.networks,
    about:
      'Comma-separated addresses or CIDR ranges that webhooks may call although they are not public, also with `http://`. Webhooks of any tenant can then send requests to all servers in them. See [Webhooks](webhooks.md#where-webhooks-may-go).',
    otherwise: 'none',
    example: '127.0.0.0/8',
  },
  SMTP_URL: {
    group: 'email',
    read: kinds.mailServer,
    about:
      '`smtp://user:password@host:587`. If not set, an evaluation shows e-mails in its [mailbox](install.md#an-evaluation) instead of sending them. In production nothing is sent: sign-ups, invitations and password resets are refused, and the command line prints its links.',
    example: 'smtp://user:password@localhost:587',
    secret: true,
  },
  MAIL_FROM: {
    group: 'email',
    read: kinds.sender,
    about: 'The sender; the host is that of `PUBLIC_URL`.',
    otherwise: '`Tollgate <no-reply@HOST>`',
    example: 'Tollgate <no-reply@tollgate.example>',
  },
  TENANT_CALLS_PER_SECOND: {
    group: 'limits',
    read: kinds.count,
    about:
      'Calls of each backend endpoint per second over all sites of a tenant, on average over two seconds. A tenant with a large quota may make 100 times the calls of its average second instead.',
    default: '1000',
  },
  SITES_PER_TENANT: {
    group: 'limits',
    read: kinds.count,
    about: 'Sites of a tenant. A tenant with a large quota may have one per 10,000 units a month instead.',
    default: '50',
  },
  INTENTS_PER_UNIT: {
    group: 'limits',
    read: kinds.count,
    about:
      "Intents a day per unit of a tenant's monthly quota and balance, counted by the hour: 1,000 units and the default allow 2,084 intents an hour. Every tenant may open 1,000 an hour.",
    default: '50',
  },
  UNKNOWN_SECRETS_PER_MINUTE: {
    group: 'limits',
    read: kinds.count,
    about:
      'Calls with unknown secret keys from one client network. Above the limit they get 429; a secret that has worked on this node still works.',
    default: '30',
  },
  CONSOLE_CALLS_PER_SECOND: {
    group: 'limits',
    read: kinds.count,
    about:
      "Requests of one person to the console's API (`/trpc`, `/export`), counted over 5 seconds. Above the limit they get 429 with `Retry-After`.",
    default: '20',
  },
  CONSOLE_CHANGES_PER_SECOND: {
    group: 'limits',
    read: kinds.count,
    about: 'The same for changes, counted over 10 seconds.',
    default: '2',
  },
  SIGN_UP: {
    group: 'accounts',
    read: kinds.onOff,
    about:
      'Who may create an account: with `on` anyone who can confirm an e-mail address, with `off` only people with an open invitation to a tenant. Existing accounts can still create tenants.',
    default: 'on',
    guard: true,
  },
  PASSWORDS: {
    group: 'accounts',
    read: kinds.onOff,
    about:
      'With `off`, people sign in only with the identity provider or a passkey. Requires `OIDC_ISSUER`. `tollgate staff create` then prints a link that signs in once.',
    default: 'on',
  },
  OIDC_ISSUER: {
    group: 'accounts',
    read: kinds.issuer,
    about:
      'The identity provider with which people sign in, by its issuer URL. Requires `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`. See [Single sign-on](single-sign-on.md).',
    example: 'https://sso.example.com/realms/main',
  },
  OIDC_CLIENT_ID: {
    group: 'accounts',
    read: kinds.visible,
    about: 'The id of Tollgate as a client of the identity provider.',
    example: 'tollgate',
  },
  OIDC_CLIENT_SECRET: {
    group: 'accounts',
    read: kinds.visible,
    about: 'The secret of that client.',
    example: '…',
    secret: true,
  },
  OIDC_LABEL: {
    group: 'accounts',
    read: kinds.label,
    about: 'The name of the identity provider on the button, after “Sign in with”.',
    otherwise: '`single sign-on`',
    example: 'Example SSO',
  },
  OIDC_DOMAINS: {
    group: 'accounts',
    read: kinds.hostNames,
    about:
      'Comma-separated e-mail domains. Only people with an address at one of them get an account by signing in with the identity provider.',
    otherwise: 'all domains',
    example: 'example.com,example.org',
    guard: true,
  },
  OIDC_STAFF_CLAIM: {
    group: 'accounts',
    read: kinds.staffClaims,
    about:
      'Which claims make a person staff: comma-separated `claim:value=level` with the level `support` or `lead`; `lead` if no level is given. Each sign-in with the identity provider gives or takes away the level.',
    otherwise: 'the command line decides',
    example: 'groups:tollgate-leads=lead,groups:tollgate-support=support',
  },
  OIDC_TRUST_AMR: {
    group: 'accounts',
    read: kinds.onOff,
    about:
      'With `on`, a sign-in for which the identity provider reports two factors (`mfa` in the claim `amr`) counts as one with two factors.',
    otherwise: '`off`',
    example: 'on',
  },
  UNIT_PRICE: {
    group: 'units',
    read: kinds.text,
    about:
      'What units cost, for Usage and statements. In the form `0.50 EUR per 1,000`, statements also have the amount for the units used.',
    otherwise: 'no price is shown',
    example: '0.50 EUR per 1,000',
  },
  SELLER: {
    group: 'units',
    read: kinds.text,
    about: 'Who sells the units, for statements: legal name, address and VAT id, separated by `;`. Each is a line.',
    otherwise: 'the host of `PUBLIC_URL`',
    example: 'Tollgate Ltd; 1 Example Street, London; VAT GB123456789',
  },
  SUPPORT_UNITS_MAX: {
    group: 'units',
    read: kinds.units,
    about:
      'The most units that a member of support may set, add or remove at once, and give to all tenants together in 24 hours. A lead may make larger changes.',
    default: '100000',
  },
  LEAD_UNITS_MAX: {
    group: 'units',
    read: kinds.units,
    about: 'The same for a lead. A larger change waits until another lead approves it.',
    default: '10000000',
  },
  LOG_LEVEL: {
    group: 'logs',
    read: kinds.oneOf('debug', 'info', 'warn', 'error', 'silent'),
    about: '`debug` `info` `warn` `error` `silent`',
    default: 'info',
  },
  METRICS_TOKEN: {
    group: 'logs',
    read: kinds.token,
    about:
      'Token for `GET /metrics`, sent as `Authorization: Bearer …`; at least 16 characters. Required with `NODE_ENV=production`. If not set, see [Monitoring](install.md#monitoring).',
    example: '…',
    secret: true,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    group: 'logs',
    read: kinds.collector,
    about: 'Address of an OpenTelemetry collector, such as `http://127.0.0.1:4318`; see [Traces](install.md#traces).',
    example: 'http://127.0.0.1:4318',
  },
  ARCHIVE_DIR: {
    group: 'logs',
    read: kinds.path,
    about:
      'Directory that decisions are written to before they are deleted, required with `KEEP_DECISIONS_DAYS`. See [Archive](data-and-privacy.md#archive).',
    example: '/var/lib/tollgate/archive',
  },
  DEMO: {
    group: 'evaluation',
    read: kinds.onOff,
    about:
      'Evaluation mode: demo tenants and the demo shop. Staff can then sign in without a second factor, so `on` is refused with `NODE_ENV=production`.',
    otherwise: '`on` if neither `NODE_ENV` nor `DATABASE_URL` is set, else `off`',
    example: 'on',
  },
  TRY: {
    group: 'evaluation',
    read: kinds.onOff,
    about:
      'Whether anyone may try a verification, and break it, at `/try`, and see one on the start page. It has a site of its own, which belongs to no tenant and is limited like the test keys.',
    otherwise: `\`off\` ${IN_PRODUCTION}, else \`on\``,
    example: 'on',
  },
  TEST_KEYS: {
    group: 'evaluation',
    read: kinds.onOff,
    about: 'Whether the published test keys work. Their secrets are public.',
    otherwise: `\`off\` ${IN_PRODUCTION}, else \`on\``,
    example: 'off',
  },
  TEST_KEYS_PER_MINUTE: {
    group: 'evaluation',
    read: kinds.count,
    about:
      'Calls with the secrets of test keys from one client network. Also applies to `/challenge` and `/solve` from one network for one test site. Raise it if many tests run from one address.',
    default: '60',
  },
  TEST_KEYS_PER_SECOND: {
    group: 'evaluation',
    read: kinds.count,
    about: 'Calls with the secret of one test key, from all clients together.',
    default: '20',
  },
  SHOP_PORT: { group: 'evaluation', read: kinds.port, about: 'Port of the demo shop.', default: '3001' },
  SHOP_DATABASE_URL: {
    group: 'evaluation',
    read: kinds.databaseUrl,
    about:
      "Database of the demo shop, for a user without rights on Tollgate's. Required with `DEMO=on` and `DATABASE_URL`.",
    example: 'postgresql://shop:password@localhost:5432/shop',
    secret: true,
  },
  KEEP_INTENTS_HOURS: {
    group: 'retention',
    // nonces are remembered for 24 hours, and an intent and its replay window take another 15 minutes
    read: kinds.whole(26, 720),
    about: 'intents, with the session and subject hashes; at least 26, because nonces are remembered for 24 hours',
    default: '26',
  },
  KEEP_TEST_DATA_HOURS: {
    group: 'retention',
    read: kinds.whole(1, 720),
    about: 'all data of test keys',
    default: '24',
  },
  KEEP_GRANT_SESSIONS_HOURS: {
    group: 'retention',
    read: kinds.whole(0, 8760),
    about: 'the session hash of a grant, counted from its expiry',
    default: '24',
  },
  KEEP_NETWORKS_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: 'the client network, its area and the subject of a decision, and what feedback as abuse marked of them',
    default: '30',
  },
  KEEP_REFUSALS_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: 'refusals; their counts stay',
    default: '30',
  },
  KEEP_INVITATIONS_DAYS: {
    group: 'retention',
    read: kinds.days(0),
    about: 'invitations, accepted or not, counted from their expiry',
    default: '30',
  },
  KEEP_SIGN_UPS_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: 'accounts whose address was never confirmed',
    default: '30',
  },
  KEEP_ACTIVITY_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: "browser and area of the network of people's sign-ins and changes of how they sign in",
    default: '90',
  },
  KEEP_AUDIT_ADDRESSES_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: 'e-mail addresses in the audit, and reasons and searches that contain one, which are replaced by digests',
    default: '400',
  },
  KEEP_FAILED_JOBS_DAYS: {
    group: 'retention',
    read: kinds.days(1),
    about: 'jobs that have failed for the last time, such as e-mails with their address, counted from then',
    default: '30',
  },
  KEEP_DECISIONS_DAYS: {
    group: 'retention',
    // also in archive.sql: what may still be replayed, reported or billed is never deleted
    read: kinds.days(62),
    about:
      'decisions with their feedback and grants, once they are in the [archive](data-and-privacy.md#archive); at least 62. Without it they are kept',
    example: '400',
  },
} satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS

type Value<S> = S extends { read: kinds.Read<infer T> }
  ? S extends { default: string }
    ? Exclude<T, kinds.Expected>
    : Exclude<T, kinds.Expected> | undefined
  : never

/** The values of the settings by name; undefined if one is not set and has no default. */
export type Environment = { readonly [Name in SettingName]: Value<(typeof SETTINGS)[Name]> }
