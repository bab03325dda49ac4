import attempts from '../../sdk/node/examples/attempts.ts?raw'
import schema from '../../sdk/node/examples/schema.sql?raw'
import php from '../../sdk/php/examples/signup.php?raw'
import flask from '../../sdk/python/examples/flask_app.py?raw'
import type { Language } from '../../server/contract/languages.ts'
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
export const ACTION = 'checkout'
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
