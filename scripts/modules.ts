/**
 * The project's modules and the import rules between them, as data, and their check.
 *
 *   tsx scripts/modules.ts
 */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

type Module = {
  name: string
  /** Folders or files, relative to the root. A file belongs to the module with the longest match. */
  at: string[]
  /** Modules from which it may import values (always from its own). */
  enters: string[]
  /** Modules from which it may import types only. */
  types?: string[]
  /** Packages it may use; undefined: any. */
  packages?: string[]
  why: string
}

/** From the base upwards: contract, kit ← ledger ← accounts ← captcha ← api | admin ← app ← main. */
export const MODULES: Module[] = [
  { name: 'client', at: ['prisma/client'], enters: [], why: 'generated' },
  {
    name: 'contract',
    at: ['server/contract'],
    enters: [],
    packages: ['zod'],
    why: 'server, console and component share it: schemas, grammars and permissions, and nothing that runs in one of them only',
  },
  {
    name: 'kit',
    at: ['server/kit'],
    enters: ['client', 'contract'],
    why: 'the base knows nothing about captchas and about who owns what, except the codes and sentences of their errors',
  },
  {
    name: 'ledger',
    at: ['server/ledger'],
    enters: ['client', 'kit', 'contract'],
    packages: [],
    why: 'the ledger records; it knows no entry point and no account function',
  },
  {
    name: 'accounts',
    at: ['server/accounts'],
    enters: ['client', 'kit', 'ledger', 'contract'],
    packages: [
      'better-auth',
      '@better-auth/passkey',
      'better-call',
      '@better-auth/utils',
      '@zxcvbn-ts/language-common',
    ],
    why: 'it knows who owns what; the entry points translate its errors',
  },
  {
    name: 'captcha',
    at: ['server/captcha'],
    enters: ['kit', 'ledger', 'accounts', 'contract'],
    types: ['client'],
    packages: ['rate-limiter-flexible', 'ioredis'],
    why: 'the verification path uses prepared statements, not Prisma, HTTP or tRPC',
  },
  {
    name: 'api',
    at: ['server/api'],
    enters: ['kit', 'accounts', 'captcha', 'contract'],
    packages: ['fastify', 'zod', 'marked', '@scalar/fastify-api-reference', 'prom-client'],
    why: 'an entry point parses, calls one function and renders; it never uses the database',
  },
  {
    name: 'admin',
    at: ['server/admin'],
    enters: ['kit', 'ledger', 'accounts', 'captcha', 'contract'],
    packages: ['fastify', 'zod', '@trpc/server'],
    why: 'an entry point parses, calls one function and renders; it never uses the database',
  },
  {
    name: 'app',
    at: [
      'server/app.ts',
      'server/drain.ts',
      'server/framing.ts',
      'server/pages.ts',
      'server/unread.ts',
      'server/widget',
      'server/sdk',
      'server/clocks.test.ts',
      'server/locks.test.ts',
      'server/outage.test.ts',
      'server/upgrade.test.ts',
      'server/main.test.ts',
      'server/canary.test.ts',
      'server/cli.test.ts',
      'server/head.test.ts',
      'server/headers.test.ts',
      'server/pages.test.ts',
      'server/retention.test.ts',
    ],
    enters: ['kit', 'ledger', 'accounts', 'api', 'admin', 'contract'],
    packages: ['fastify', '@fastify/static', '@fastify/helmet'],
    why: 'the app mounts the entry points',
  },
  {
    name: 'seed',
    at: ['prisma/seed.ts', 'prisma/seed'],
    enters: ['kit', 'ledger', 'accounts', 'captcha', 'contract'],
    why: 'the seed writes through the service’s functions',
  },
  {
    name: 'workers',
    at: ['server/workers/shared'],
    enters: ['kit'],
    why: 'what several processes count together depends on nothing that is counted',
  },
  {
    name: 'main',
    at: [
      'server/main.ts',
      'server/cli.ts',
      'server/commands',
      'server/demo.test.ts',
      'server/demo.ts',
      'server/explain.ts',
      'server/jobPool.ts',
      'server/jobs.test.ts',
      'server/jobs.ts',
      'server/report.ts',
      'server/report.test.ts',
      'server/runUntilStopped.test.ts',
      'server/runUntilStopped.ts',
      'server/serve.ts',
      'server/workers',
    ],
    enters: ['kit', 'ledger', 'accounts', 'captcha', 'api', 'app', 'workers', 'seed', 'contract'],
    packages: ['graphile-worker', 'pg', 'prom-client'],
    why: 'main only connects the parts',
  },
  {
    name: 'testing',
    at: ['test/support', 'test/matrix'],
    enters: ['kit', 'ledger', 'accounts', 'captcha', 'api', 'app', 'workers', 'contract'],
    types: ['client'],
    why: 'test set-up',
  },
  {
    name: 'model',
    at: ['assurance/model'],
    enters: ['testing'],
    packages: ['fast-check'],
    why: 'the model predicts the server from the contract alone, so it shares no code with it',
  },
  {
    name: 'hashwx',
    at: ['hashwx'],
    enters: [],
    packages: ['assemblyscript'],
    why: 'the function of pow-hashwx, which the component and the service get as WebAssembly; it depends on neither',
  },
  {
    name: 'widget',
    at: ['widget'],
    enters: [],
    types: ['contract'],
    packages: ['search:javascript'],
    why: 'the component contains no server code and no package',
  },
  {
    name: 'widget-build',
    at: ['widget/build', 'widget/vite.config.ts'],
    enters: ['widget', 'tooling', 'hashwx'],
    packages: ['vite', 'assemblyscript', 'terser'],
    why: 'the build of the component is not part of it',
  },
  {
    name: 'console',
    at: ['console'],
    enters: ['contract', 'sdk-examples'],
    types: ['admin'],
    why: 'the console imports server types only, zod-only schemas, and the text of the SDKs’ examples',
  },
  {
    name: 'console-build',
    at: ['console/vite.config.ts'],
    enters: ['tooling'],
    why: 'the build of the console is not part of it',
  },
  {
    name: 'sdk-node',
    at: ['sdk/node'],
    enters: [],
    packages: [],
    why: 'the SDK is a dependency of other companies: it has no packages and knows only the public API',
  },
  {
    name: 'sdk-examples',
    at: ['sdk/node/examples', 'sdk/python/examples'],
    enters: [],
    packages: ['@tollgate/node', 'express', 'fastify', 'pg'],
    why: 'the examples have what a merchant has: the package, a framework and a database',
  },
  {
    name: 'sdk-node-testing',
    at: ['sdk/node/testing'],
    enters: ['sdk-node', 'sdk-examples', 'sdk-testing', 'testing'],
    packages: ['srvx', 'vitest'],
    why: 'test set-up',
  },
  {
    name: 'sdk-testing',
    at: ['sdk/testing'],
    enters: [],
    packages: [],
    why: 'the test tools of the SDKs know only the public API, so that they work for any language',
  },
  {
    name: 'shop',
    at: ['examples/shop'],
    enters: [],
    packages: ['fastify', 'pg', '@tollgate/node'],
    why: 'the shop is another company: it has the SDK, as any merchant',
  },
  {
    name: 'sdk-kit',
    at: ['sdk/kit'],
    enters: ['hashwx', 'sdk-testing'],
    packages: ['node-html-parser', 'playwright-core'],
    why: 'it checks any deployment against the contract, and any merchant against the six checks, from outside',
  },
  {
    name: 'sdk-kit-merchants',
    at: ['sdk/kit/careless', 'sdk/kit/adapters'],
    enters: [],
    types: ['sdk-kit'],
    packages: ['pg'],
    why: 'the kit knows only what an adapter says about a merchant',
  },
  {
    name: 'e2e',
    at: ['e2e', 'assurance'],
    enters: ['kit', 'testing', 'sdk-testing', 'shop'],
    why: 'end-to-end tests use the product from outside',
  },
  {
    name: 'browsers',
    at: ['assurance/browsers'],
    enters: ['e2e', 'kit', 'sdk-testing'],
    why: 'the component is used in other browsers as by a visitor of a merchant',
  },
  {
    name: 'faults',
    at: ['assurance/faults'],
    enters: ['e2e', 'kit', 'testing'],
    packages: ['pg'],
    why: 'the checker has a history and SQL of its own, so it shares no code with what it checks',
  },
  {
    name: 'failover',
    at: ['assurance/ha'],
    enters: ['e2e', 'faults', 'kit', 'testing'],
    why: 'the checker compares what merchants were answered during failovers, too',
  },
  {
    name: 'bench',
    at: ['assurance/bench'],
    enters: [
      'e2e',
      'kit',
      'ledger',
      'accounts',
      'captcha',
      'app',
      'testing',
      'tooling',
      'hashwx',
      'widget',
      'widget-build',
    ],
    why: 'measurements',
  },
  {
    name: 'tooling',
    at: ['scripts', 'prisma.config.ts', 'vitest.config.ts', 'assurance/vitest.config.ts'],
    enters: ['kit', 'captcha', 'api', 'contract', 'testing', 'widget', 'widget-build', 'hashwx', 'sdk-testing'],
    why: 'tools of the project',
  },
]

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const IMPORT =
  /^\s*(?:import|export(?=\s+(?:type\s+)?[{*]))\s+(type\s)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

function moduleOf(file: string): Module | undefined {
  const matches = MODULES.flatMap((module) =>
    module.at.filter((at) => file === at || file.startsWith(`${at}/`)).map((at) => ({ module, length: at.length })),
  )
  return matches.toSorted((a, b) => b.length - a.length)[0]?.module
}

function files(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && (folder === 'server' ? /\.(tsx?|sql)$/ : /\.tsx?$/).test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/^prisma\/client\/|\/dist\//.test(file))
}

function faultOf(file: string, from: Module, isType: boolean, specifier: string): string | undefined {
  const isTest = /\.test\.tsx?$/.test(file)
  if (specifier.startsWith('.')) {
    const target = moduleOf(normalize(join(dirname(file), specifier)))
    if (!target) return `${specifier} belongs to no module: add it in scripts/modules.ts`
    const allowed =
      target === from || from.enters.includes(target.name) || (isType && from.types?.includes(target.name)) || isTest
    return allowed
      ? undefined
      : `${from.name} may not import from ${target.name}${from.types?.includes(target.name) ? ' for values (use `import type`)' : ''}: ${from.why}`
  }
  if (specifier.startsWith('node:') || builtinModules.includes(specifier) || isTest || !from.packages) return undefined
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return from.packages.includes(name) || file.endsWith('.config.ts')
    ? undefined
    : `${from.name} may not use the package ${name}: ${from.why}`
}

/** Files that may read the environment (or print how to, in a snippet): all other code gets its settings as arguments. */
const READS_ENVIRONMENT =
  /^(.*\.test\.ts$|console\/sites\/siteSnippets\.ts|server\/(main|cli)\.ts|server\/demo\.ts|sdk\/kit\/(acceptance|conformance)\.ts|sdk\/kit\/adapters\/|sdk\/node\/src\/cli\.ts|sdk\/node\/examples\/config\.ts|test\/support\/process\.ts|e2e\/|examples\/shop\/main\.ts|scripts\/|assurance\/|[^/]*\.config\.ts|.*\/(vite|playwright)\.config\.ts|server\/kit\/embedded\/cluster\.ts)/

/**
 * Rows that only some files may read, because a statement elsewhere could omit a rule of who may see what. `at`: these files of
 * the server; some of them read the rows without deciding about access.
 */
const RESTRICTED_READS = [
  {
    what: 'memberships',
    pattern:
      /\.member\.(find|count|create|update|upsert|delete|aggregate|groupBy)|\bmembers: *(\{|true)|\b(from|join|into|update|using) +(public\.)?"?member"?\b/i,
    at: /^server\/accounts\/(access\.ts|members\/|staff\/|people\/|tenants\/(view|createOwn|delete)\.ts)|^server\/ledger\/audit\/list\.ts/,
    why: 'accounts/access.ts decides who is admitted to a tenant',
  },
  {
    what: 'sessions',
    pattern:
      /prisma\.session\.|\bgetSession\(|\bsessions: *(\{|true)|\b(from|join|into|update|using) +(public\.)?"?session"?\b/i,
    at: /^server\/accounts\/(sessions|people)\//,
    why: 'accounts/sessions/current.ts decides whether a session is over',
  },
]

function faultsIn(file: string): string[] {
  const module = moduleOf(file)
  if (!module) return [`${file}: belongs to no module: add it in scripts/modules.ts`]
  const text = readFileSync(join(root, file), 'utf8')
  const faults = [...text.matchAll(IMPORT)].flatMap(([, type, from, dynamic]) => {
    const fault = faultOf(file, module, type !== undefined, from ?? dynamic ?? '')
    return fault === undefined ? [] : [`${file}: ${fault}`]
  })
  if (/process\.env\b/.test(text) && !READS_ENVIRONMENT.test(file))
    faults.push(`${file}: only main, cli and tool configs read process.env; pass the setting in`)
  if (/^server\/.*(?<!\.test)\.(ts|sql)$/.test(file))
    for (const { what, pattern, at, why } of RESTRICTED_READS)
      if (pattern.test(text) && !at.test(file)) faults.push(`${file}: may not read ${what}: ${why}`)
  return faults
}

const all = [
  'server',
  'test',
  'prisma',
  'hashwx',
  'widget',
  'console',
  'sdk',
  'e2e',
  'examples',
  'assurance',
  'scripts',
].flatMap(files)
const faults = all.flatMap(faultsIn)
if (faults.length > 0) {
  console.error(`${faults.length} imports break the import rules:\n\n${faults.join('\n')}`)
  process.exit(1)
}
console.log(`import rules: ${all.length} files checked`)
