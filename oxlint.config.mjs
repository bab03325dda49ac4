// The lint rules, and the import rules between the project's modules:
// contract, kit ← ledger ← accounts ← captcha ← api | admin ← app ← main.

/**
 * @typedef {object} Module
 * @property {string[]} files
 * @property {string} [not] what the path of an import may not match
 * @property {string} [types] what only types may be imported from
 * @property {string[]} [packages] the only packages that it may use; without it: any
 * @property {string} why
 */

const OUTSIDE = 'console|widget|test|e2e|examples'

/** @type {Module[]} */
const MODULES = [
  {
    files: ['server/contract/**'],
    not: `/(kit|ledger|accounts|captcha|api|admin|workers|prisma|${OUTSIDE})/`,
    packages: ['zod', 'zod/mini'],
    why: 'server, console and component share it: nothing in it runs in one of them only',
  },
  {
    files: ['server/kit/**'],
    not: `/(ledger|accounts|captcha|api|admin|workers|${OUTSIDE})/`,
    why: 'the base knows nothing about captchas and about who owns what',
  },
  {
    files: ['server/ledger/**'],
    not: `/(accounts|captcha|api|admin|workers|${OUTSIDE})/`,
    packages: [],
    why: 'the ledger records; it knows no entry point and no account function',
  },
  {
    files: ['server/accounts/**'],
    not: `/(captcha|api|admin|workers|${OUTSIDE})/`,
    packages: [
      'standardwebhooks',
      'better-auth',
      'better-auth/**',
      '@better-auth/**',
      'better-call',
      '@zxcvbn-ts/**',
      'jose',
      'zod',
    ],
    why: 'it knows who owns what; the entry points translate its errors',
  },
  {
    files: ['server/captcha/**'],
    not: `/(api|admin|workers|${OUTSIDE})/`,
    types: '/prisma/client/',
    packages: ['rate-limiter-flexible', 'ioredis'],
    why: 'the verification path uses prepared statements, not Prisma, HTTP or tRPC',
  },
  {
    files: ['server/api/**'],
    not: `/(ledger|admin|prisma|workers|${OUTSIDE})/`,
    packages: ['fastify', 'zod', 'marked', '@scalar/**', 'prom-client'],
    why: 'an entry point parses, calls one function and renders; it never uses the database',
  },
  {
    files: ['server/admin/**'],
    not: `/(api|prisma|workers|${OUTSIDE})/`,
    packages: ['fastify', 'zod', '@trpc/**', 'trpc-to-openapi'],
    why: 'an entry point parses, calls one function and renders; it never uses the database',
  },
  {
    files: ['server/workers/{calls,heldSlots}.ts'],
    not: '/(ledger|accounts|captcha|api|admin)/',
    why: 'what several processes count together depends on nothing that is counted',
  },
  {
    files: ['widget/**'],
    not: '/server/(kit|ledger|accounts|captcha|api|admin)/',
    types: '/server/contract/',
    packages: ['search:javascript'],
    why: 'the component contains no server code and no package',
  },
  {
    files: ['console/**'],
    not: '/server/(kit|ledger|accounts|captcha|api)/',
    types: '/server/admin/',
    why: 'the console imports types of its API, and the contract',
  },
  {
    files: ['sdk/node/{src,examples}/**'],
    not: `/(server|testing|${OUTSIDE})/`,
    packages: ['@tollgate/node', '@tollgate/node/*', 'express', 'fastify', 'pg', 'yaml'],
    why: 'the SDK is a dependency of other companies, and its examples have what a merchant has',
  },
  {
    files: ['sdk/widget/src/**'],
    not: '/(server|prisma|console)/',
    types: '/widget/types',
    packages: ['react', 'svelte', 'svelte/action', 'vue'],
    why: 'the package has no dependencies, and loads the component from the deployment',
  },
  {
    files: ['hashwx/**', 'sdk/{testing,kit}/**', 'examples/**', 'assurance/model/**'],
    not: '/(server|prisma|console|widget)/',
    why: 'it knows the product from outside, or is a part of both sides',
  },
  {
    files: ['e2e/**', 'assurance/!(bench)/**'],
    not: '/(ledger|accounts|captcha|api|admin)/',
    why: 'end-to-end tests use the product from outside',
  },
]

/** @param {Module} module */
function importRule({ files, not, types, packages, why }) {
  const patterns = [
    ...(not ? [{ regex: not, message: why }] : []),
    ...(types ? [{ regex: types, allowTypeImports: true, message: `use \`import type\`: ${why}` }] : []),
    // the last pattern that matches decides
    ...(packages
      ? [{ group: ['**', '!./**', '!../**', '!node:*', '!node:*/*', ...packages.map((p) => `!${p}`)], message: why }]
      : []),
  ]
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

/** Files that may read the environment (or print how to, in a snippet): all other code gets its settings as arguments. */
const READS_ENVIRONMENT = [
  '**/*.test.ts',
  '**/*.config.ts',
  'scripts/**',
  'assurance/**',
  'e2e/**',
  'examples/**',
  'test/support/process.ts',
  'server/{main,cli,demo}.ts',
  'server/kit/embedded/cluster.ts',
  'console/sites/siteSnippets.ts',
  'sdk/kit/{acceptance,conformance}.ts',
  'sdk/kit/adapters/**',
  'sdk/node/examples/**',
  'sdk/node/src/cli.ts',
  'sdk/node/*.mjs',
]

/** Programs that print. */
const PRINTS = [
  'scripts/**',
  'assurance/**',
  'e2e/**',
  'server/cli*',
  'server/main.ts',
  'server/runUntilStopped.ts',
  'sdk/kit/*.ts',
  'sdk/node/examples/**',
  'examples/**',
]

// CONTRIBUTING.md has the reasons why rules are off
export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y', 'vitest', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'warn' },
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'no-console': 'error',
    'node/no-process-env': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'import/no-unassigned-import': 'off',
    'react/react-in-jsx-scope': 'off',
    'react/incompatible-library': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'vitest/no-standalone-expect': 'off',
    'import/no-named-as-default-member': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'typescript/require-array-sort-compare': 'off',
    'no-underscore-dangle': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'vitest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*', 'fc.assert'] }],
  },
  overrides: [
    { files: PRINTS, rules: { 'no-console': 'off' } },
    { files: ['console/sites/siteSnippets.ts'], rules: { 'import/default': 'off' } },
    { files: ['sdk/node/examples/**', 'examples/**'], rules: { 'oxc/no-async-endpoint-handlers': 'off' } },
    { files: READS_ENVIRONMENT, rules: { 'node/no-process-env': 'off' } },
    ...MODULES.map(importRule),
    {
      files: ['**/*.test.{ts,tsx}', '{widget,console}/vite.config.ts', 'widget/build/**', 'sdk/node/testing/**'],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
  ignorePatterns: ['dist', 'prisma/client', 'node_modules', 'hashwx/assembly'],
}
