import { LANGUAGE_NAMES, type Language, SDKS } from '../../../contract/languages.ts'
import type { IntegrationCode } from '../../../contract/mistakes/integration.ts'
import type { Finding } from './mistakes.ts'

/** Lines to change, and what they have to say; empty if no line has to change. `where`: the part of the code. */
type Change = { where: string; removed: string[]; added: string[] }

/** `example`: `removed` is what such code usually says. Otherwise it has the value that was sent. */
export type Lines = Change & { example: boolean }

const OPEN = 'the code that opens the intent'
const REDEEM = 'the code that redeems the token'
const FORM = 'the page with the form (HTML)'
const ENVIRONMENT = 'the environment of that server'
const PROXY = 'the proxy in front of the service (nginx)'

const element = (sitekey: string, more = '') =>
  `<div class="svc-captcha" data-sitekey="${sitekey}" data-intent="…" data-endpoint="…"${more}></div>`

type Pair = [removed: string[], added: string[]]

const each = (where: string, node: Pair, python = node, php = node, curl = node): Record<Language, Change> => {
  const change = ([removed, added]: Pair): Change => ({ where, removed, added })
  return { node: change(node), python: change(python), php: change(php), curl: change(curl) }
}

const html = (removed: string[], added: string[]): Record<Language, Change> => each(FORM, [removed, added])

const secretLines = ({ last4, currentLast4 }: Finding) => {
  const current = currentLast4 === '' ? 'the new secret' : currentLast4
  return each(ENVIRONMENT, [[`TOLLGATE_SECRET=tg_secret_…${last4}`], [`TOLLGATE_SECRET=tg_secret_…${current}`]])
}

/** `used`: an expression, in the quotes of the language if it is text. */
const hostLines = (used: Record<Language, string>, right: string) =>
  each(
    OPEN,
    [[`hostname: ${used.node},`], [`hostname: '${right}',`]],
    [[`hostname=${used.python},`], [`hostname="${right}",`]],
    [[`hostname: ${used.php},`], [`hostname: '${right}',`]],
    [[`"hostname": ${used.curl}`], [`"hostname": "${right}"`]],
  )

const quoted = (text: string) => ({ node: `'${text}'`, python: `"${text}"`, php: `'${text}'`, curl: `"${text}"` })

/** From the host that the backend sent to one that is allowed; else from the allowed one to the host of the page. */
const otherHost = ({ sent, hostname = '', allowed }: Finding) => {
  const [used, right] = sent ? [hostname, allowed] : [allowed, hostname]
  return used === undefined || right === undefined ? each(OPEN, [[], []]) : hostLines(quoted(used), right)
}

type Facts = { sitekey: string; hostname: string }

const LINES: Record<IntegrationCode, (finding: Finding, facts: Facts) => Record<Language, Change>> = {
  'ended-secret': secretLines,
  'two-secrets': secretLines,
  'test-key': (_, { sitekey }) =>
    each(
      'the code that creates the client',
      [
        ["sitekey: 'tg_site_TEST…',", "secret: 'tg_secret_TEST…',"],
        [`sitekey: '${sitekey}',`, 'secret: config.tollgateSecret,'],
      ],
      [
        ['sitekey="tg_site_TEST…",', 'secret="tg_secret_TEST…",'],
        [`sitekey="${sitekey}",`, 'secret=os.environ["TOLLGATE_SECRET"],'],
      ],
      [
        ["sitekey: 'tg_site_TEST…',", "secret: 'tg_secret_TEST…',"],
        [`sitekey: '${sitekey}',`, "secret: getenv('TOLLGATE_SECRET'),"],
      ],
      [['Authorization: Bearer tg_secret_TEST…'], ['Authorization: Bearer $TOLLGATE_SECRET']],
    ),
  'never-redeemed': (_, { hostname }) =>
    each(
      REDEEM,
      [
        [],
        [
          'await tollgate.verify({',
          "  response: form['svc-captcha-response'],",
          '  intentId: attempt.intent_id,',
          '  action: attempt.action,',
          '  hostname: attempt.hostname,',
          '  idempotencyKey: attempt.idempotency_key,',
          '})',
        ],
      ],
      [
        [],
        [
          'tollgate.verify(',
          '    response=form["svc-captcha-response"],',
          '    intent_id=attempt["intent_id"],',
          '    action=attempt["action"],',
          '    hostname=attempt["hostname"],',
          '    idempotency_key=attempt["idempotency_key"],',
          ')',
        ],
      ],
      [
        [],
        [
          '$tollgate->verify(',
          "    response: $_POST['svc-captcha-response'] ?? null,",
          "    intentId: $attempt['intent_id'],",
          "    action: $attempt['action'],",
          "    hostname: $attempt['hostname'],",
          "    idempotencyKey: $attempt['idempotency_key'],",
          ');',
        ],
      ],
      [
        [],
        [
          'POST /siteverify',
          `{"response": "$TOKEN", "intent_id": "$INTENT_ID", "action": "signup", "hostname": "${hostname}", "idempotency_key": "$IDEMPOTENCY_KEY"}`,
        ],
      ],
    ),
  'key-per-retry': () =>
    each(
      REDEEM,
      [
        ['idempotencyKey: createIdempotencyKey(),'],
        ['idempotencyKey: attempt.idempotency_key, // stored before the first call'],
      ],
      [
        ['idempotency_key=create_idempotency_key(),'],
        ['idempotency_key=attempt["idempotency_key"],  # stored before the first call'],
      ],
      [
        ['idempotencyKey: Random::createIdempotencyKey(),'],
        ["idempotencyKey: $attempt['idempotency_key'], // stored before the first call"],
      ],
      [['"idempotency_key": "$(openssl rand -hex 16)"'], ['"idempotency_key": "$IDEMPOTENCY_KEY"']],
    ),
  'shared-intent': () =>
    each(
      'the response with the form',
      [["reply.header('cache-control', 'public, max-age=600')"], ["reply.header('cache-control', 'no-store')"]],
      [
        ['response.headers["Cache-Control"] = "public, max-age=600"'],
        ['response.headers["Cache-Control"] = "no-store"'],
      ],
      [["header('Cache-Control: public, max-age=600');"], ["header('Cache-Control: no-store');"]],
      [['Cache-Control: public, max-age=600'], ['Cache-Control: no-store']],
    ),
  'expired-form': (_, { sitekey }) => html([element(sitekey)], [element(sitekey, ' data-renew="/intent"')]),
  'www-host': otherHost,
  'loopback-host': otherHost,
  'malformed-host': (_, { hostname }) =>
    hostLines(
      {
        node: 'req.headers.host',
        python: 'request.headers["Host"]',
        php: "$_SERVER['HTTP_HOST']",
        curl: `"https://${hostname}:443"`,
      },
      hostname,
    ),
  'missing-origin': () => each(PROXY, [['proxy_set_header Origin "";'], ['proxy_set_header Origin $http_origin;']]),
  // which of the listed ones is meant is not known, and it may be the site's own
  'unlisted-host': () => each(OPEN, [[], []]),
  'plain-session': () =>
    each(
      OPEN,
      [['session: req.session.id,'], ['session: hashSession(config.sessionKey, req.session.id),']],
      [['session=session_id,'], ['session=hash_session(os.environ["SESSION_KEY"], session_id),']],
      [['session: session_id(),'], ["session: Hash::hashSession(getenv('SESSION_KEY'), session_id()),"]],
      [
        ['"session": "$SESSION_ID"'],
        ['"session": "$(printf %s "$SESSION_ID" | openssl dgst -sha256 -hmac "$SESSION_KEY" -r | cut -c1-64)"'],
      ],
    ),
  'reused-nonce': () =>
    each(
      OPEN,
      [['nonce: user.id,'], ['nonce: createNonce(), // once per form']],
      [['nonce=user_id,'], ['nonce=create_nonce(),  # once per form']],
      [['nonce: $userId,'], ['nonce: Random::createNonce(), // once per form']],
      [['"nonce": "$USER_ID"'], ['"nonce": "$(openssl rand -hex 16)"']],
    ),
  'no-token': (_, { sitekey }) =>
    html(
      ['<form method="post">…</form>', element(sitekey)],
      ['<form method="post">', `  ${element(sitekey)}`, '</form>'],
    ),
  'mixed-sites': (_, { sitekey }) =>
    each(
      'the code that creates the client',
      [
        ["sitekey: '…the site key of another site',"],
        [`sitekey: '${sitekey}', // checked against the secret by every call`],
      ],
      [
        ['sitekey="…the site key of another site",'],
        [`sitekey="${sitekey}",  # checked against the secret by every call`],
      ],
      [
        ["sitekey: '…the site key of another site',"],
        [`sitekey: '${sitekey}', // checked against the secret by every call`],
      ],
      [['data-sitekey="…of another site"'], [`data-sitekey="${sitekey}"`]],
    ),
  'binding-differs': () =>
    each(
      REDEEM,
      [
        ["action: 'signup',", 'hostname: req.hostname,'],
        ['action: attempt.action,', 'hostname: attempt.hostname,'],
      ],
      [
        ['action="signup",', 'hostname=request.host,'],
        ['action=attempt["action"],', 'hostname=attempt["hostname"],'],
      ],
      [
        ["action: 'signup',", "hostname: $_SERVER['HTTP_HOST'],"],
        ["action: $attempt['action'],", "hostname: $attempt['hostname'],"],
      ],
      [['"action": "signup", "hostname": "$HOST"'], ['"action": "$STORED_ACTION", "hostname": "$STORED_HOSTNAME"']],
    ),
  'secret-in-body': () =>
    each('the request', [['{"secret": "tg_secret_…", …}'], ['Authorization: Bearer tg_secret_…']]),
  milliseconds: () =>
    each(
      'the code that sends feedback',
      [['occurredAt: Date.now(),'], ['occurredAt: Math.floor(Date.now() / 1000),']],
      [['occurred_at=time.time() * 1000,'], ['occurred_at=int(time.time()),']],
      [['occurredAt: microtime(true) * 1000,'], ['occurredAt: time(),']],
      [['"occurred_at": 1767225600000'], ['"occurred_at": 1767225600']],
    ),
}

/** The lines to change for the finding, in the language. */
export const linesFor = (finding: Finding, language: Language, facts: Facts): Lines => ({
  ...LINES[finding.mistake](finding, facts)[language],
  example: finding.last4 === undefined && !finding.sent,
})

/** The language of an SDK's User-Agent; undefined for any other. */
export function languageOf(userAgent: string | null | undefined): Language | undefined {
  const name = /^tollgate-(\w+)\//.exec(userAgent ?? '')?.[1]
  return LANGUAGE_NAMES.find((language) => language === name && language in SDKS)
}
