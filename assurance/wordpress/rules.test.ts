import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findPhp } from '../../scripts/php.mjs'

/** The rules of WordPress's Plugin Check that can be checked without it: https://wordpress.org/plugins/plugin-check/. */

const ROOT = 'integrations/wordpress'
const NAMES = readdirSync(ROOT, { recursive: true, withFileTypes: true }).flatMap((entry) =>
  entry.isFile() ? `${entry.parentPath}/${entry.name}`.slice(ROOT.length + 1) : [],
)
const read = (name: string) => readFileSync(`${ROOT}/${name}`, 'utf8')
const PHP = NAMES.filter((name) => name.endsWith('.php'))
const php = findPhp()
const main = read('tollgate.php')
const readme = read('readme.txt')

/** The lines of all PHP files that match and are not excused, as `file:line text`; strings and comments included. */
const lines = (pattern: RegExp, isRight: (line: string, before: string) => boolean = () => false): string[] =>
  PHP.flatMap((name) => {
    const all = read(name).split('\n')
    return all.flatMap((line, index) =>
      pattern.test(line) && !/^\s*(\*|\/\/|\/\*)/.test(line) && !isRight(line, all[index - 1] ?? '')
        ? `${name}:${index + 1} ${line.trim()}`
        : [],
    )
  })
/** Whether the rule is switched off for the line, with a reason. */
const isExcused = (line: string, before: string): boolean =>
  [line, before].some((each) => each.includes('phpcs:ignore'))

test.runIf(php !== undefined)('every file is PHP', () => {
  const wrong = PHP.filter((name) => spawnSync(php ?? 'php', ['-l', `${ROOT}/${name}`]).status !== 0)
  expect(wrong).toEqual([])
})

test('no file does anything when it is opened by its address', () => {
  const guard = /^defined\( '(ABSPATH|WP_UNINSTALL_PLUGIN)' \) \|\| exit;$/m
  expect(PHP.filter((name) => !guard.test(read(name)))).toEqual([])
  // the SDK's files only declare
  const sdk = readdirSync('sdk/php/src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.php'))
  const declaration =
    /^<\?php\s+declare\(strict_types=1\);\s+namespace [\w\\]+;\s+(use [\w\\]+;\s+)*(\/\*\*[^]*?\*\/\s+)?(final |abstract |readonly )*(class|interface|enum) [^]*\n}\n$/
  expect(sdk.filter((name) => !declaration.test(readFileSync(`sdk/php/src/${name}`, 'utf8')))).toEqual([])
})

test('what is printed is escaped where it is printed', () => {
  const escaped = /^(esc_(html|attr|url|textarea)(__)?|wp_kses(_post)?|checked|selected)\(/
  const wrong = PHP.flatMap((name) =>
    [...read(name).matchAll(/\becho ([^]*?);\n|\bprintf\(\s*([^]*?)\s*\);\n/g)].flatMap(([, printed, format]) => {
      const parts = splitTop(printed ?? format ?? '', printed === undefined ? ',' : '.')
      return parts.filter((part) => !/^'[^']*'$/.test(part) && !escaped.test(part)).map((part) => `${name}: ${part}`)
    }),
  )
  expect(wrong).toEqual([])
  expect(lines(/\b(print|print_r|var_dump|vprintf)\b *\(|<\?=|\b_e\(|\b_ex\(/)).toEqual([])
})

/** The parts of an expression between separators outside of brackets, quotes and comments. */
function splitTop(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of text.replace(/\/\*[^]*?\*\//g, '').matchAll(/'(?:[^'\\]|\\.)*'|[^]/g)) {
    if ('(['.includes(piece)) depth += 1
    if (')]'.includes(piece)) depth -= 1
    if (piece === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

test('what is received is sanitized, and what changes settings needs a nonce and a permission', () => {
  const received = lines(
    /\$_(GET|POST|REQUEST|COOKIE|SERVER|FILES)\b/,
    (line, before) =>
      /sanitize_\w+\( ?(wp_unslash\()?|wp_unslash\( \$_POST \)|if \( isset\( \$_POST/.test(line) ||
      isExcused(line, before) ||
      /\$_COOKIE\[ self::COOKIE \] = /.test(line),
  )
  expect(received).toEqual([])
  for (const [, handler = ''] of read('includes/class-settings-page.php').matchAll(
    /'admin_post_' \. self::CHECK, array\( self::class, '(\w+)' \)/g,
  )) {
    const body = read('includes/class-settings-page.php').split(`function ${handler}(`)[1] ?? ''
    expect(body).toMatch(
      /^[^]{0,60}current_user_can\( 'manage_options' \)[^]*?check_admin_referer\([^]*?(update_option|redirect)/,
    )
  }
  expect(read('includes/class-settings-page.php')).toContain("'sanitize_callback' => array( self::class, 'sanitize' )")
})

test('every value in SQL is prepared', () => {
  const calls = PHP.flatMap((name) =>
    [...read(name).matchAll(/\$wpdb->(?:query|get_\w+)\(\s*([^]*?)\s*\);/g)].map(([, text = '']) => `${name}: ${text}`),
  )
  expect(calls.length).toBeGreaterThan(4)
  const literal = /^\S+: (\$wpdb->prepare\(|"[^"]*"|$|\$wpdb->(insert|update)\()/
  expect(calls.filter((call) => !literal.test(call))).toEqual([])
  // what is written into a statement is the prefix of tables and the charset, both of WordPress
  const variables = PHP.flatMap((name) => read(name).match(/\{\$[^}]+\}(?=[^\n]*(\n|"))/g) ?? [])
  expect([...new Set(variables)].toSorted()).toEqual(['{$charset}', '{$wpdb->prefix}'])
})

test('every text can be translated, in the plugin’s own domain', () => {
  const source = PHP.map(read).join('')
  const functions = String.raw`\b(?:__|_x|_n|_nx|esc_html__|esc_attr__|esc_html_x|esc_attr_x)\(`
  const calls = source.match(new RegExp(functions, 'g')) ?? []
  const right = source.match(new RegExp(String.raw`${functions} '(?:[^'\\]|\\.)*', 'tollgate' \)`, 'g')) ?? []
  expect(calls.length).toBeGreaterThan(40)
  expect(right.length).toBe(calls.length)
  // what a placeholder stands for
  expect(lines(/\b__\( '[^']*%(\d\$)?s/, (_line, before) => before.includes('/* translators: '))).toEqual([])
  expect(/^ \* Text Domain: (.*)$/m.exec(main)?.[1]).toBe('tollgate')
})

test('every global name begins with that of the plugin', () => {
  const globals = [
    ...read('includes/functions.php').matchAll(/^function (\w+)/gm),
    ...read('uninstall.php').matchAll(/^function (\w+)|^\s*(?:foreach \( )?\$(\w+)\b(?! as)/gm),
    ...PHP.flatMap((name) => [
      ...read(name).matchAll(
        /(?:get_option|update_option|delete_option|set_transient|delete_transient|wp_(?:register|enqueue)_(?:script|style)|add_shortcode|wp_schedule_\w+event)\((?:[^']*time\(\), 'hourly',)? '(\w[\w-]*)'/g,
      ),
      ...read(name).matchAll(/const (?:OPTION|NOTED|CHECKED|HOOK|CHECK|ATTEMPT|COOKIE) += '([^']+)'/g),
    ]),
  ].map(([, first, second]) => first ?? second ?? '')
  expect(globals.length).toBeGreaterThan(15)
  expect(globals.filter((name) => !name.startsWith('tollgate') && !['settings_errors', 'wpdb'].includes(name))).toEqual(
    [],
  )
  const others = PHP.filter((name) => !/^(uninstall|includes\/functions)\.php$/.test(name))
  expect(others.filter((name) => !read(name).includes('\nnamespace Tollgate\\WordPress;\n'))).toEqual([])
})

test('no function that plugins must not use, and no script of another host but the deployment’s', () => {
  const forbidden =
    /\b(eval|exec|system|passthru|shell_exec|proc_open|popen|create_function|extract|curl_\w+|error_log|file_put_contents|fopen|rand|mt_rand|date|json_encode|strip_tags|parse_url|unserialize|base64_decode|query_posts|wp_redirect|set_time_limit|ini_set)\(|<<<|`/
  expect(lines(forbidden)).toEqual([])
  expect(lines(/https?:\/\/(?!tollgate\.example|www\.apache\.org)[\w.]+/)).toEqual([])
  const scripts = PHP.flatMap((name) => [
    ...read(name).matchAll(
      /wp_register_(?:script|style)\( '([\w-]+)', ([^,]+), (?:array\([^)]*\)), (Settings::VERSION)/g,
    ),
  ])
  expect(scripts.map(([, handle, source]) => [handle, source])).toEqual([
    ['tollgate', "$assets . 'tollgate.css'"],
    ['tollgate', "$assets . 'tollgate.js'"],
    ['tollgate-widget', "untrailingslashit( Settings::get( 'url' ) ) . '/widget.js'"],
    ['tollgate-block', "$assets . 'block.js'"],
  ])
})

test('readme.txt and the header of the plugin have the fields of wordpress.org, and agree', () => {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(readme)?.[1]
  const header = (name: string) => new RegExp(`^ \\* ${name}: (.+)$`, 'm').exec(main)?.[1]
  for (const name of ['Requires at least', 'Requires PHP', 'License', 'License URI'])
    expect(field(name)).toBe(header(name))
  expect(field('Stable tag')).toBe(header('Version'))
  expect(field('Tested up to')).toMatch(/^\d+\.\d+$/)
  expect(field('Tags')?.split(', ').length).toBeLessThanOrEqual(5)
  expect(readme).toMatch(/^=== Tollgate ===\n/)
  const [, short = ''] = /\n\n([^\n]+)\n\n== Description ==/.exec(readme) ?? []
  expect([short.length > 20, short.length <= 150, short]).toEqual([true, true, header('Description')])
  for (const section of ['External services', 'Installation', 'Frequently Asked Questions', 'Changelog'])
    expect(readme).toContain(`\n== ${section} ==\n`)
  expect(NAMES.filter((name) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*\.(php|js|css|txt|pot)$/.test(name))).toEqual([])
})
