import attempts from '../../sdk/node/examples/attempts.ts?raw'
import schema from '../../sdk/node/examples/schema.sql?raw'
import server from '../../sdk/node/examples/server.mjs?raw'
import index from '../../sdk/php/examples/index.php?raw'
import php from '../../sdk/php/examples/signup.php?raw'
import app from '../../sdk/python/examples/app.py?raw'
import flask from '../../sdk/python/examples/flask_app.py?raw'
import type { Language, SDKS } from '../../server/contract/languages.ts'
import { openIntent, redeemToken } from './snippets.ts'

export type Facts = { origin: string; hostname: string; sitekey: string }

export type BackendSnippets = {
  /** The tables that the other snippets use; none where they are in the example itself. */
  tables?: string
  /** Runs before the form is shown. The secret stays in the environment. */
  open: string
  /** Runs when the form is submitted. In the languages with an SDK it continues the same file. */
  redeem: string
}

type QuickStart = {
  /** The name of the program's file. */
  file: string
  /** The program of the quick start, which reads the keys from the environment (`envFile`). `hostname`: the site's, in production. */
  program: (hostname: string) => string
  /** Installs what it needs. `install`: the command that installs the SDK. */
  install: (install: string) => string
  /** Runs it. */
  run: string
}

/** An example with other texts in it. */
function change(example: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${from}`)
    return text.replace(from, () => to)
  }, example.trim())
}

/** Says before the line of the program which hostname to send in production. The program itself runs on localhost. */
const inProduction = (line: string, comment: '//' | '#', hostname: string): Record<string, string> =>
  hostname === 'localhost'
    ? {}
    : { [line]: `${comment} localhost to try it here; in production '${hostname}'\n${line}` }

/** Sets the variables of the file, as Node does with --env-file. */
const LOAD = 'set -a; . ./.env; set +a'

/** The program of the quick start in each language, for the keys of a site instead of a test key. */
export const QUICK_STARTS: Record<keyof typeof SDKS, QuickStart> = {
  node: {
    file: 'server.mjs',
    program: (hostname) =>
      change(server, {
        ...inProduction('const page =', '//', hostname),
        '  testKeys,\n': '',
        "const url = 'http://localhost:3000'\n": '',
        'const { sitekey, secret } = testKeys.pass':
          'const { TOLLGATE_URL: url, TOLLGATE_SITEKEY: sitekey, TOLLGATE_SECRET: secret } = process.env',
      }),
    install: (install) => `${install} express`,
    run: 'node --env-file=.env server.mjs # then open http://localhost:4000',
  },

  python: {
    file: 'app.py',
    program: (hostname) =>
      change(app, {
        ...inProduction('page = {', '#', hostname),
        'import uuid\n': 'import os\nimport uuid\n',
        '    TEST_KEYS,\n': '',
        'url, keys = "http://localhost:3000", TEST_KEYS["pass"]': `url = os.environ["TOLLGATE_URL"]
keys = {"sitekey": os.environ["TOLLGATE_SITEKEY"], "secret": os.environ["TOLLGATE_SECRET"]}`,
      }),
    install: (install) => `python3 -m venv .venv && . .venv/bin/activate
${install} flask`,
    run: `${LOAD}
flask run --port 4000 # then open http://localhost:4000`,
  },

  php: {
    file: 'index.php',
    program: (hostname) =>
      change(index, {
        ...inProduction('$page =', '//', hostname),
        'TestKeys, ': '',
        "$url = 'http://localhost:3000'": "$url = getenv('TOLLGATE_URL')",
        "TestKeys::get('pass')": "['sitekey' => getenv('TOLLGATE_SITEKEY'), 'secret' => getenv('TOLLGATE_SECRET')]",
      }),
    install: (install) => `composer init -n --name=shop/signup # only in an empty folder
${install}`,
    run: `${LOAD}
php -S localhost:4000 index.php # then open http://localhost:4000`,
  },
}

/** The backend's code in a language. Those with an SDK quote its examples, which the project's tests run. */
export const backendSnippets = (language: Language, facts: Facts): BackendSnippets => BACKENDS[language](facts)

/** The part of an example from one text to another, or to its end. */
function quote(example: string, from: string, to?: string): string {
  const start = example.indexOf(from)
  const end = to === undefined ? example.length : example.indexOf(to, start)
  if (start < 0 || end < 0) throw new Error(`the example has no part from ${from} to ${to}`)
  return example.slice(start, end).trim()
}

const SUBMISSION = '/** Takes a submission'

const BACKENDS: Record<Language, (facts: Facts) => BackendSnippets> = {
  curl: ({ origin, hostname }) => ({
    open: openIntent(origin, hostname),
    redeem: redeemToken(origin, hostname),
  }),

  node: ({ origin, hostname, sitekey }) => ({
    tables: schema.trim(),
    open: `// config.ts
import { Tollgate } from '@tollgate/node'
import pg from 'pg'

// from your configuration, never from a form field or the Host header
export const ACTION = 'signup'
export const HOSTNAME = '${hostname}'
export const tollgate = new Tollgate({
  url: '${origin}',
  sitekey: '${sitekey}',
  secret: process.env.TOLLGATE_SECRET ?? '',
})
export const db = new pg.Pool({ connectionString: process.env.DATABASE_URL })

// attempts.ts; the whole example: ${origin}/docs/examples
${quote(attempts, 'import', SUBMISSION)}`,
    redeem: quote(attempts, SUBMISSION),
  }),

  python: ({ origin, hostname, sitekey }) => ({
    open: `# from flask_app.py, with its tables and pages at ${origin}/docs/examples
tollgate = Tollgate(
    url="${origin}",
    sitekey="${sitekey}",
    secret=os.environ["TOLLGATE_SECRET"],
)
# from your configuration, never from a form field or the Host header
ACTION, HOSTNAME = "signup", "${hostname}"


${quote(flask, 'def visitor()', 'def find(')}`,
    redeem: quote(flask, 'def find(', 'with connect()'),
  }),

  php: ({ origin, hostname, sitekey }) => ({
    open: `// from signup.php, with its tables and pages at ${origin}/docs/examples
$tollgate = new Tollgate(
    url: '${origin}',
    sitekey: '${sitekey}',
    secret: getenv('TOLLGATE_SECRET'),
);
// from your configuration, never from a form field or the Host header
const ACTION = 'signup';
define('HOSTNAME', '${hostname}');

${quote(php, '/** Shows a new form', '/** Takes a submission')}`,
    redeem: quote(php, '/** Takes a submission', '/** The attempt'),
  }),
}
