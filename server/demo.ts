import { type ChildProcess, fork } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type SeededPerson, seed } from '../prisma/seed.ts'
import { admitOperator } from './accounts/access.ts'
import { setPassword } from './accounts/sessions/person.ts'
import { rotateSecret } from './accounts/sites/secrets/rotate.ts'
import { verifySecret } from './accounts/sites/secrets/verify.ts'
import type { Context } from './kit/context.ts'
import { randomBase62 } from './kit/crypto/ids.ts'
import { isLoopback } from './kit/http/peer.ts'
import { settingsFor } from './kit/process/commandLine.ts'
import type { Log } from './kit/process/log.ts'
import { useAnotherPort } from './kit/process/ports.mjs'
import type { Service } from './kit/service.ts'
import type { Chapter } from './ledger/overview.ts'

/** A demo account, with the password that was generated at the first start. */
export type DemoPerson = { email: string; name: string; role: string; password: string }

/** The content of demo.json. */
type Credentials = {
  /** The link that opens the mailbox, with its token. */
  mailbox: string
  people: DemoPerson[]
  sitekey: string
  secret: string
  /** With which the shop hashes its sessions. */
  shopKey: string
  /** What happened in the demo data, as pages of the console. */
  story: Chapter[]
}

export type Demo = {
  /** The shop's URL. */
  url: string
  people: DemoPerson[]
  story: Chapter[]
  /** The link that opens the mailbox. */
  mailbox: string
  mailboxToken: string
  /** The file with the passwords and the mailbox's link, readable by this account only. */
  file: string
  close(): Promise<void>
}

/**
 * Runs the evaluation: the seeded tenants, and the demo shop in a separate process. Throws when `ending` is aborted: on a slow
 * machine, the seed and the passwords take longer than a process may take to end.
 */
export async function startDemo(service: Service, log: Log, ending: AbortSignal): Promise<Demo> {
  const { config } = service.ctx
  const file = join(config.dataDir, 'demo.json')
  const { sitekey, secret, shopKey, people, story, mailbox, mailboxToken } = await credentials(service, file, ending)
  const child = fork(fileURLToPath(new URL(`../examples/shop/main${extname(import.meta.url)}`, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...inherited(),
      SHOP_PORT: String(config.shopPort),
      SHOP_HOST: config.host,
      SHOP_HOSTNAME: 'localhost',
      SHOP_DATABASE_URL: await shopDatabase(service),
      SHOP_SESSION_KEY: shopKey,
      TOLLGATE_URL: config.publicUrl,
      TOLLGATE_API_URL: `http://${loopbackOf(config.host)}:${config.port}`,
      TOLLGATE_SITEKEY: sitekey,
      TOLLGATE_SECRET: secret,
    },
  })
  child.on('exit', (code) => {
    if (code)
      log.error(
        { code },
        `the demo shop exited. If port ${config.shopPort} is in use, ${useAnotherPort('SHOP_PORT', settingsFor(config))}`,
      )
  })
  return {
    url: `http://localhost:${config.shopPort}`,
    people,
    story,
    mailbox,
    mailboxToken,
    file,
    close: () => end(child),
  }
}

/** The environment variables that any Node.js process needs. All others are for the service only: keys, passwords, connection strings. */
const NEEDED = ['PATH', 'TZ', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']

function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(NEEDED.flatMap((name) => (name in process.env ? [[name, process.env[name]]] : [])))
}

/** The loopback address, for a URL, of a service that listens on `host`. */
function loopbackOf(host: string): string {
  if (!isLoopback(host)) return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}

/** The token of a mailbox's link; undefined if there is none or it is malformed. */
const tokenIn = (link = ''): string | undefined => /\?token=([0-9A-Za-z]{32})$/.exec(link)?.[1]

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/**
 * The shop's keys, all passwords and the link to the mailbox. The database stores only hashes of keys and passwords, so
 * their text is kept in a file next to the data, for the shop and for the person who evaluates.
 */
async function credentials(
  service: Service,
  file: string,
  ending: AbortSignal,
): Promise<Credentials & { mailboxToken: string }> {
  const { ctx } = service
  const operator = admitOperator(ctx, 'seed')
  const { site, secret, people, story } = await seed(operator, service.ownerUrl, ending)
  const stored = readCredentials(file)
  const known = stored.sitekey === site.sitekey && stored.secret !== undefined ? stored.secret : undefined
  const works = known !== undefined && (await verifySecret(ctx, known)) !== undefined
  const mailboxToken = tokenIn(stored.mailbox) ?? randomBase62(32)
  const fresh: Credentials = {
    // on loopback, whatever PUBLIC_URL is, because the mailbox answers this machine only
    mailbox: `http://localhost:${ctx.config.port}/dev/mailbox?token=${mailboxToken}`,
    people: await withPasswords(ctx, people, stored.people ?? [], ending),
    sitekey: site.sitekey,
    secret: works ? known : (secret ?? (await rotateSecret(operator, site, 0)).secret),
    shopKey: stored.shopKey ?? randomBase62(32),
    story,
  }
  writeFileSync(file, `${JSON.stringify(fresh, null, 2)}\n`, { mode: 0o600 })
  // the mode above applies to a new file only
  chmodSync(file, 0o600)
  return { ...fresh, mailboxToken }
}

/** What is stored; nothing if the file is missing or damaged, because all of it can be made anew. */
function readCredentials(file: string): Partial<Credentials> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<Credentials>
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

/**
 * Keeps known passwords, and generates one for each account without a password or with an unknown one: one after the other, because a
 * hash that waits for others is refused after 10 s, and on a slow machine six of them take longer.
 */
export async function withPasswords(
  ctx: Context,
  people: SeededPerson[],
  stored: DemoPerson[],
  ending: AbortSignal,
): Promise<DemoPerson[]> {
  const out: DemoPerson[] = []
  for (const { id, email, name, role, locked } of people) {
    ending.throwIfAborted()
    const known = locked ? undefined : stored.find((one) => one.email === email)?.password
    const password = known ?? randomBase62(16)
    if (known === undefined) await setPassword(ctx, id, password)
    out.push({ email, name, role, password })
  }
  return out
}

/** The shop's own database, with a role that has no rights on the service's. */
async function shopDatabase({ cluster, ctx }: Service): Promise<string> {
  if (!cluster) return ctx.config.shopDatabaseUrl ?? ''
  await cluster.createRole('demo_shop')
  await cluster.createDatabase('demo_shop', 'demo_shop')
  return cluster.url('demo_shop', 'demo_shop')
}
