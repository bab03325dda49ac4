import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { refusal } from '../../sdk/kit/checks/recover.ts'
import { openRelay, type Relay } from '../../sdk/kit/relay.ts'
import { age } from '../../test/support/age.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { type MadeSite, makeSite } from '../../test/support/make.ts'
import { pluginArchive } from './plugin.ts'
import { ADMIN, hasWordPress, startWordPress, type WordPress } from './server.ts'

/** What visitors and administrators do in WordPress, in a browser. The service is behind a relay that injects its failures. */

const isRun = process.env['CI'] !== undefined || hasWordPress()
let app: TestApp
let relay: Relay
let site: MadeSite
let browser: Browser
let wordpress: WordPress
let admin: Page

beforeAll(async () => {
  if (!isRun) return
  browser = await launchChromium()
  app = await openTestApp()
  relay = await openRelay(app.url)
  site = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
  wordpress = await startWordPress()
  // WordPress refuses a guest's second comment within 15 seconds
  const plugins = join(wordpress.folder, 'wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(join(plugins, 'test.php'), MU_PLUGIN)
  admin = await open()
})
afterAll(async () => {
  await browser?.close()
  await wordpress?.stop()
  await relay?.close()
  await app?.close()
})
beforeEach(() => wordpress?.purge())

const MU_PLUGIN = `<?php
add_filter( 'comment_flood_filter', '__return_false' );
// without a name of its own, WordPress sends no e-mail
add_filter( 'wp_mail_from', fn() => 'wordpress@example.com' );
add_filter( 'tollgate_intents_per_network', fn( $intents ) => get_option( 'test_intents', $intents ) );
// a theme or plugin that makes scripts wait
add_filter( 'script_loader_tag', fn( $tag, $handle ) => isset( $_GET['shop'] ) && 'jquery-core' === $handle ? str_replace( ' src', ' defer src', $tag ) : $tag, 10, 2 );
add_action( 'wp_enqueue_scripts', function () { if ( isset( $_GET['shop'] ) ) { wp_enqueue_script( 'jquery-core' ); } } );
// WooCommerce cannot be installed here: this answers its checkout's script as WC_Checkout does
function wc_notice_count( $type ) { return (int) isset( $_POST['out_of_stock'] ); }
add_action( 'template_redirect', function () {
  if ( ! isset( $_GET['wc-ajax'] ) ) { return; }
  define( 'DOING_AJAX', true );
  $errors = new WP_Error();
  do_action( 'woocommerce_after_checkout_validation', $_POST, $errors );
  if ( ! $errors->has_errors() && 0 === wc_notice_count( 'error' ) ) { do_action( 'woocommerce_checkout_order_processed', 1, $_POST, null ); }
  wp_send_json( array( 'codes' => $errors->get_error_codes() ) );
} );
// a form of another plugin, on the page with its shortcode
add_action( 'template_redirect', function () {
  if ( ! isset( $_POST['wish'] ) ) { return; }
  $verified = tollgate_verify( 'wish' );
  if ( is_wp_error( $verified ) ) { wp_die( $verified, '', $verified->get_error_data()['status'] ); }
  add_option( 'wish_' . wp_generate_uuid4(), wp_unslash( $_POST['wish'] ) );
  wp_die( 'Noted.', '', 200 );
} );`

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

const POST = '/?p=1'
const count = async (what: string) => Number(await wordpress.sql(`select count(*) from ${what}`))
const comments = (text: string) => count(`wp_comments where comment_content = '${text}'`)
const decisions = async (): Promise<number> =>
  (await app.rows<{ n: number }>('select count(*)::int as n from decision where tenant_id = $1', [site.tenantId]))[0]
    ?.n ?? 0
const token = (page: Page) => page.locator('[name="svc-captcha-response"]')
const solved = (page: Page) =>
  vi.waitFor(async () => expect(await token(page).inputValue()).toMatch(/^tgr_/), { timeout: 30_000, interval: 100 })

/** Fills in the comment form of the first post, on a page from the page cache. */
async function writeComment(page: Page, text: string): Promise<void> {
  await fetch(wordpress.url + POST)
  const reply = await page.goto(wordpress.url + POST)
  expect(reply?.headers()['x-cache']).toBe('HIT')
  await enterComment(page, text)
}

async function enterComment(page: Page, text: string): Promise<void> {
  await page.locator('#comment').fill(text)
  await page.locator('#author').fill('Grace')
  await page.locator('#email').fill('grace@example.com')
}

/** Publishes a page and returns its address. */
async function publish(content: string): Promise<string> {
  const id = await wordpress.php(
    `kses_remove_filters(); echo wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Wishes', 'post_content' => '${content}' ) );`,
  )
  return `${wordpress.url}/?page_id=${id}`
}

const sendComment = (page: Page) => page.getByRole('button', { name: 'Post Comment' }).click()

/** Waits for an address. The second click ends the navigation of the first, which `waitForURL` takes for a failure. */
const arrive = (page: Page, address: RegExp) =>
  vi.waitFor(() => expect(page.url()).toMatch(address), { timeout: 30_000 })

async function signIn(page: Page): Promise<void> {
  await page.goto(`${wordpress.url}/wp-login.php`)
  await page.locator('#user_login').fill(ADMIN.name)
  await page.locator('#user_pass').fill(ADMIN.password)
  await page.locator('#wp-submit').click()
}

const notices = async (page: Page) => (await page.locator('.settings-error > p').allInnerTexts()).join(' ')

describe.runIf(isRun).sequential('in WordPress', () => {
  test('an administrator uploads the plugin, saves the keys and checks them', async () => {
    await signIn(admin)
    await admin.goto(`${wordpress.url}/wp-admin/plugin-install.php?tab=upload`)
    await admin.locator('#pluginzip').setInputFiles(pluginArchive())
    await admin.getByRole('button', { name: 'Install Now' }).click()
    await admin.getByRole('link', { name: 'Activate Plugin' }).click()
    await admin.locator('tr[data-slug="tollgate"]').getByRole('link', { name: 'Settings' }).click()
    // nothing is verified before the keys are there
    expect(await admin.getByRole('button', { name: 'Check' }).count()).toBe(0)
    await admin.getByLabel('Address of the service').fill(relay.url)
    await admin.getByLabel('Site key').fill(site.sitekey)
    await admin.getByLabel('Secret key').fill(`tg_secret_${'x'.repeat(49)}`)
    await admin.getByLabel('Sign-in').check()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    // a wrong key cannot lock the administrator out
    expect(await notices(admin)).toContain('Sign-in is not protected yet')
    expect(await admin.locator('p.tollgate').innerText()).toContain('secret')

    await admin.getByLabel('Secret key').fill(site.secret)
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    expect(await admin.getByLabel('Secret key').inputValue()).toBe('')
    await admin.getByRole('button', { name: 'Check', exact: true }).click()
    await admin.getByText('The check passed').waitFor()
    await admin.getByLabel('Sign-in').check()
    await admin.getByRole('button', { name: 'Save Changes' }).click()
    expect(await notices(admin)).toBe('Settings saved.')
    expect(await admin.getByLabel('Sign-in').isChecked()).toBe(true)
    await wordpress.php(
      `update_option( 'users_can_register', '1' ); update_option( 'comment_previously_approved', '' );`,
    )
    expect(await decisions()).toBe(1)
  })

  test('two guests comment on the same cached page', async () => {
    const [first, second] = [await open(), await open()]
    for (const page of [first, second]) {
      await writeComment(page, 'from the cache')
      await page.locator('#comment').pressSequentially(page === first ? ' 1' : ' 2')
    }
    // the page itself sets no cookie, so that it can be cached
    const reply = await fetch(wordpress.url + POST)
    expect([reply.headers.get('x-cache'), reply.headers.get('set-cookie')]).toEqual(['HIT', null])
    expect(await reply.text()).not.toContain('data-intent=')
    for (const page of [first, second]) {
      await sendComment(page)
      await page.waitForURL(/#comment-\d+$/)
    }
    expect([await comments('from the cache 1'), await comments('from the cache 2')]).toEqual([1, 1])
  })

  test('a comment that is sent before its intent is there waits for it', async () => {
    const page = await open()
    let proceed = () => {}
    const held = new Promise<void>((resolve) => (proceed = resolve))
    await page.route('**/wp-json/tollgate/**', async (route) => held.then(() => route.continue()))
    await writeComment(page, 'early')
    await sendComment(page)
    proceed()
    await page.waitForURL(/#comment-\d+$/)
    expect(await comments('early')).toBe(1)
  })

  test('a wrong token, no token and the form of another visitor are refused, and the text is kept', async () => {
    const page = await open()
    const other = await open()
    for (const each of [page, other]) {
      await writeComment(each, 'refused')
      await solved(each)
    }
    const send = (form: Record<string, string>, cookies = true) =>
      (cookies ? page : other).request.post(`${wordpress.url}/wp-comments-post.php`, {
        form: {
          comment: 'refused',
          author: 'Grace',
          email: 'grace@example.com',
          comment_post_ID: '1',
          comment_parent: '0',
          ...form,
        },
      })
    const attempt = await page.locator('[name=tollgate_attempt]').inputValue()
    const given = await token(page).inputValue()
    const sent = [
      await send({}),
      await send({ tollgate_attempt: attempt }),
      await send({ tollgate_attempt: attempt, 'svc-captcha-response': given }, false),
      await send({ tollgate_attempt: attempt, 'svc-captcha-response': await token(other).inputValue() }),
    ]
    expect(sent.map((reply) => reply.status())).toEqual([422, 422, 403, 409])
    for (const reply of sent) expect(await reply.text()).toContain('>refused</textarea>')
    expect(await comments('refused')).toBe(0)
  })

  test('a comment from a page without the component, such as one of an old cache, is sent again with one', async () => {
    const page = await open()
    await writeComment(page, 'from an old page')
    await page.locator('.tollgate').evaluate((box) => box.remove())
    await sendComment(page)
    await page.getByText('Please complete the verification').waitFor()
    expect(await comments('from an old page')).toBe(0)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/#comment-\d+$/)
    expect(await comments('from an old page')).toBe(1)
  })

  test('while the service is down, nothing is published; “Try again” sends the same comment once', async () => {
    const page = await open()
    await writeComment(page, 'in a failure')
    await solved(page)
    const before = await decisions()
    const heal = relay.spoil('/siteverify', refusal(503, 'unavailable', true))
    onTestFinished(heal)
    await sendComment(page)
    await page.getByText('The verification could not be completed').waitFor()
    expect([await page.title(), await comments('in a failure')]).toEqual(['Comment not sent', 0])
    heal()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(/#comment-\d+$/)
    expect([await comments('in a failure'), (await decisions()) - before]).toEqual([1, 1])
  })

  test('while no intent can be opened, the form says so and can be tried again', async () => {
    const page = await open()
    const heal = relay.spoil('/intents', refusal(503, 'unavailable'))
    onTestFinished(heal)
    await writeComment(page, 'patient')
    await page.getByText('The verification cannot be shown at the moment.').waitFor()
    heal()
    await page.getByRole('button', { name: 'Try again' }).click()
    await sendComment(page)
    await page.waitForURL(/#comment-\d+$/)
    expect(await comments('patient')).toBe(1)
  })

  test('a double click publishes one comment', async () => {
    const page = await open()
    await writeComment(page, 'twice')
    await solved(page)
    const before = await decisions()
    await page.getByRole('button', { name: 'Post Comment' }).dblclick()
    await arrive(page, /#comment-\d+$/)
    expect([await comments('twice'), (await decisions()) - before]).toEqual([1, 1])
  })

  test('after the back button, another comment can be sent', async () => {
    const page = await open()
    await writeComment(page, 'first of two')
    await sendComment(page)
    await page.waitForURL(/#comment-\d+$/)
    await page.goBack()
    await enterComment(page, 'second of two')
    await sendComment(page)
    await vi.waitFor(async () => expect(await comments('second of two')).toBe(1), { timeout: 30_000 })
    expect(await comments('first of two')).toBe(1)
  })

  test.each([
    ['comment', writeComment],
    ['registration', (page: Page) => register(page, 'slow')],
  ])('a form that is open for six minutes is renewed: %s', async (what, fillIn) => {
    const page = await open()
    await page.clock.install()
    await fillIn(page, 'six minutes')
    await solved(page)
    await age(app.sql, [site.tenantId], 360)
    await page.clock.fastForward('06:00')
    await vi.waitFor(async () => expect(await token(page).inputValue()).toBe(''))
    const before = await decisions()
    if (what === 'comment') await sendComment(page)
    else await page.locator('#wp-submit').click()
    await page.waitForURL(what === 'comment' ? /#comment-\d+$/ : /checkemail=registered/)
    expect((await decisions()) - before).toBe(1)
  })

  async function register(page: Page, name: string): Promise<void> {
    await page.goto(`${wordpress.url}/wp-login.php?action=register`)
    await page.locator('#user_login').fill(name)
    await page.locator('#user_email').fill(`${name}@example.com`)
  }

  test('registration: two clicks make one account, and a taken name is told only to a verified visitor', async () => {
    const page = await open()
    await register(page, 'barbara')
    await page.locator('#wp-submit').dblclick()
    await arrive(page, /checkemail=registered/)
    expect(await count(`wp_users where user_login = 'barbara'`)).toBe(1)
    const reply = await page.request.post(`${wordpress.url}/wp-login.php?action=register`, {
      form: { user_login: 'barbara', user_email: 'barbara@example.com' },
    })
    expect(reply.status()).toBe(422)
    expect(await reply.text()).not.toContain('already registered')
    await register(page, 'barbara')
    await page.locator('#wp-submit').click()
    await page.getByText('This username is already registered').waitFor()
  })

  test('a lost password', async () => {
    const page = await open()
    await page.goto(`${wordpress.url}/wp-login.php?action=lostpassword`)
    await page.locator('#user_login').fill('barbara')
    await page.locator('#wp-submit').click()
    await page.waitForURL(/checkemail=confirm/)
    const reply = await page.request.post(`${wordpress.url}/wp-login.php?action=lostpassword`, {
      form: { user_login: 'nobody' },
    })
    expect([reply.status(), (await reply.text()).includes('no account')]).toEqual([422, false])
  })

  test('sign-in: without a verification, a right and a wrong password get the same answer', async () => {
    const page = await open()
    const answers = await Promise.all(
      [ADMIN.password, 'wrong'].map(async (pwd) => {
        const reply = await page.request.post(`${wordpress.url}/wp-login.php`, { form: { log: ADMIN.name, pwd } })
        return [reply.status(), /id="login_error">([^]*?)<\/div>/.exec(await reply.text())?.[1]]
      }),
    )
    expect(answers[0]).toEqual([422, expect.stringContaining('complete the verification')])
    expect(answers[1]).toEqual(answers[0])
    await signIn(page)
    await page.waitForURL(/wp-admin/)
  })

  test('XML-RPC and application passwords have no form, and work as before', async () => {
    const call = `<methodCall><methodName>wp.getProfile</methodName><params>${[0, ADMIN.name, ADMIN.password]
      .map(
        (value) =>
          `<param><value>${typeof value === 'number' ? `<int>${value}</int>` : `<string>${value}</string>`}</value></param>`,
      )
      .join('')}</params></methodCall>`
    const reply = await fetch(`${wordpress.url}/xmlrpc.php`, {
      method: 'POST',
      body: call,
      headers: { 'content-type': 'text/xml' },
    })
    expect(await reply.text()).toContain('ada@example.com')
  })

  test('while the service is down, the constant lets administrators in, and nobody else', async () => {
    onTestFinished(relay.spoil('/intents', refusal(503, 'unavailable')))
    const page = await open()
    await signIn(page)
    await page.getByText('Please complete the verification').waitFor()
    expect(await page.locator('p.tollgate').innerText()).toContain('cannot be shown')
    onTestFinished(wordpress.configure("define( 'TOLLGATE_EXEMPT_ADMINISTRATORS', true );"))
    await wordpress.php(`wp_set_password( 'a password', get_user_by( 'login', 'barbara' )->ID );`)
    const guest = await open()
    const reply = await guest.request.post(`${wordpress.url}/wp-login.php`, {
      form: { log: 'barbara', pwd: 'a password' },
    })
    expect(reply.status()).toBe(503)
    await signIn(page)
    await page.waitForURL(/wp-admin/)
    await page.getByText('Tollgate could not verify a visitor').waitFor()
  })

  test('a form of another plugin is verified once, by shortcode, block and functions', async () => {
    await admin.goto(`${wordpress.url}/wp-admin/post-new.php?post_type=page`)
    // WordPress's own editor, with the block from the plugin
    const content = '<!-- wp:html --><form method="post"><input name="wish" aria-label="Wish"><!-- /wp:html -->'
    const block = await admin.evaluate(
      `new Promise((resolve) => wp.domReady(() => {
        const block = wp.blocks.createBlock('tollgate/field', { action: 'wish' })
        wp.data.dispatch('core/block-editor').insertBlocks(block)
        resolve(wp.blocks.serialize(block))
      }))`,
    )
    await admin.getByLabel('What the form does').waitFor()
    const button = '<!-- wp:html --><button>Send</button></form><!-- /wp:html -->'
    const page = await open()
    const pages = [
      content + block + button,
      content.replace('<!-- /wp:html -->', `[tollgate action="wish"]<button>Send</button></form><!-- /wp:html -->`),
    ]
    for (const [index, html] of pages.entries()) {
      const address = await publish(html)
      await page.goto(address)
      await page.getByLabel('Wish').fill(`wish ${index}`)
      await solved(page)
      const form = {
        wish: `wish ${index}`,
        tollgate_attempt: await page.locator('[name=tollgate_attempt]').inputValue(),
        'svc-captcha-response': await token(page).inputValue(),
      }
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('Noted.').waitFor()
      const again = await page.request.post(address, { form })
      expect([again.status(), await count(`wp_options where option_value = 'wish ${index}'`)]).toEqual([409, 1])
    }
  })

  test('a comment that is marked as spam is reported, and taken back', async () => {
    const id = Number(await wordpress.sql(`select comment_ID from wp_comments where comment_content = 'twice'`))
    await wordpress.php(
      `$all = get_option( 'tollgate' ); $all['report'] = true; update_option( 'tollgate', $all ); wp_set_current_user( 1 );
       foreach ( array( 'spam', 'approve' ) as $status ) {
         wp_set_comment_status( ${id}, $status );
         foreach ( _get_cron_array() as $time => $hooks ) {
           foreach ( $hooks['tollgate_report'] ?? array() as $event ) {
             do_action_ref_array( 'tollgate_report', $event['args'] );
             wp_unschedule_event( $time, 'tollgate_report', $event['args'] );
           }
         }
       }`,
    )
    const rows = await app.rows(
      'select outcome, business_type from feedback_event where tenant_id = $1 order by revision',
      [site.tenantId],
    )
    expect(rows).toEqual([
      { outcome: 'confirmed_abuse', business_type: 'comment_moderation' },
      { outcome: 'legitimate', business_type: 'comment_moderation' },
    ])
  })

  test('a report that the service has not taken for a week is given up', async () => {
    onTestFinished(relay.spoil('/feedback', refusal(503, 'unavailable')))
    const planned = await wordpress.php(
      `foreach ( array( HOUR_IN_SECONDS, WEEK_IN_SECONDS ) as $age ) {
         do_action( 'tollgate_report', (int) get_comments( array( 'search' => 'twice', 'fields' => 'ids' ) )[0], 'legitimate', time() - $age, wp_generate_uuid4() );
         $planned = 0;
         foreach ( _get_cron_array() as $hooks ) { $planned += count( $hooks['tollgate_report'] ?? array() ); }
         echo $planned, ' ';
       }`,
    )
    // the one of an hour ago stays planned
    expect(planned.trim()).toBe('1 1')
  })

  test('the hooks of WooCommerce verify its forms', async () => {
    const found = await wordpress.php(
      `$all = get_option( 'tollgate' ); $all['protect'][] = 'checkout'; update_option( 'tollgate', $all );
       ob_start();
       foreach ( array( 'login_form', 'register_form', 'lostpassword_form', 'checkout_after_customer_details' ) as $hook ) {
         do_action( "woocommerce_$hook" );
       }
       preg_match_all( '/data-action="(\\w+)"/', ob_get_clean(), $fields );
       $refused = array();
       foreach ( array( 'process_login_errors', 'process_registration_errors' ) as $hook ) {
         $refused[] = apply_filters( "woocommerce_$hook", new WP_Error() )->get_error_code();
       }
       $checkout = new WP_Error();
       do_action( 'woocommerce_after_checkout_validation', array(), $checkout );
       $_POST['wc_reset_password'] = 'true';
       $lost = new WP_Error();
       do_action( 'lostpassword_post', $lost, false );
       echo json_encode( array( $fields[1], array_merge( $refused, array( $checkout->get_error_code(), $lost->get_error_code() ) ) ) );`,
    )
    expect(JSON.parse(found)).toEqual([
      ['login', 'register', 'lostpassword', 'checkout'],
      Array(4).fill('tollgate_incomplete'),
    ])
  })

  test('the checkout of WooCommerce: its script gets the message, and an order that it refuses itself uses up nothing', async () => {
    const page = await open()
    const address = await publish('<form class="checkout">[tollgate action="checkout"]</form>')
    await page.goto(`${address}&shop`)
    await solved(page)
    const order = async (fields: Record<string, string>) => {
      const reply = await page.request.post(`${wordpress.url}/?wc-ajax=checkout`, { form: fields })
      return [reply.status(), ((await reply.json()) as { codes: string[] }).codes]
    }
    const attempt = page.locator('[name=tollgate_attempt]')
    const form = async () => ({
      billing_city: 'Ghent',
      tollgate_attempt: await attempt.inputValue(),
      'svc-captcha-response': await token(page).inputValue(),
    })
    const before = await decisions()
    expect(await order({ billing_city: 'Ghent' })).toEqual([200, ['tollgate_incomplete']])
    const first = await form()
    expect(await order({ ...first, out_of_stock: '1' })).toEqual([200, []])
    expect((await decisions()) - before).toBe(0)
    expect(await order(first)).toEqual([200, []])
    expect(await order(first)).toEqual([200, ['tollgate_done']])
    expect((await decisions()) - before).toBe(1)
    // its script reports the refusal, and the form gets another intent
    await page.evaluate(`jQuery(document.body).trigger('checkout_error')`)
    await vi.waitFor(async () => expect(await attempt.inputValue()).not.toBe(first.tollgate_attempt))
    await solved(page)
    expect(await order(await form())).toEqual([200, []])
  })

  test('a form far below opens its intent when the visitor comes near', async () => {
    const page = await open()
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/tollgate/v1/intent') && asked.push(request.url()))
    await page.goto(await publish('<div style="height:9000px"></div><form>[tollgate action="far"]</form>'))
    await page.evaluate(
      `new Promise((resolve) => new IntersectionObserver(resolve).observe(document.querySelector('.tollgate')))`,
    )
    expect(asked).toEqual([])
    await page.locator('.tollgate').scrollIntoViewIfNeeded()
    await solved(page)
    expect([asked.length, await count(`wp_tollgate_attempts where action = 'far'`)]).toEqual([1, 1])
  })

  test('a network opens at most as many intents as it may, with any number of requests at the same time', async () => {
    // as after an update of a version that did not have the table
    await wordpress.sql('drop table wp_tollgate_networks')
    await wordpress.php(`update_option( 'test_intents', 3 ); update_option( 'tollgate_schema', 1 );`)
    const ask = (addresses: string, body: object, cookie = '') =>
      fetch(`${wordpress.url}/wp-json/tollgate/v1/intent`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': addresses, cookie },
        body: JSON.stringify(body),
      })
    const opened = await count('wp_tollgate_attempts')
    // what a visitor writes into the header is not the address that the proxy adds
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, index) => ask(`192.0.2.${index}, 203.0.113.7`, { action: 'comment' })),
    )
    const statuses = replies.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429, 429, 429])
    expect((await count('wp_tollgate_attempts')) - opened).toBe(3)
    const refused = replies.find(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused?.json()).toEqual({ error: 'rate-limited' })
    // a renewal opens an intent, too
    const given = replies.find(({ status }) => status === 200)
    const renewal = { intent_id: ((await given?.json()) as { intent_id: string } | undefined)?.intent_id }
    const cookie = given?.headers.getSetCookie()[0]?.split(';')[0]
    expect((await ask('203.0.113.7', renewal, cookie)).status).toBe(429)
    const login = await fetch(`${wordpress.url}/wp-login.php`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect([login.status, (await login.text()).includes('cannot be shown')]).toEqual([503, true])
    // the addresses of an IPv6 /64 are one network; others are not affected
    const others = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8::4', '2001:db8:0:1::1', '203.0.113.8']
    const of = []
    for (const address of others) of.push((await ask(address, { action: 'comment' })).status)
    expect(of).toEqual([200, 200, 200, 429, 200, 200])
    await admin.goto(`${wordpress.url}/wp-admin/`)
    await admin.getByText('One network address opened more than 3 forms in ten minutes').waitFor()
    // ten minutes later
    await wordpress.sql('update wp_tollgate_networks set started_at = started_at - 600')
    expect((await ask('203.0.113.7', renewal, cookie)).status).toBe(200)
    await wordpress.php(`do_action( 'tollgate_sweep' );`)
    expect(await count('wp_tollgate_networks')).toBe(1)
  })

  test('old records are swept, and nothing stays after the plugin is deleted', async () => {
    expect(await count('wp_tollgate_attempts')).toBeGreaterThan(10)
    await wordpress.sql('update wp_tollgate_attempts set opened_at = opened_at - 86401')
    await wordpress.php(`do_action( 'tollgate_sweep' );`)
    expect(await count('wp_tollgate_attempts')).toBe(0)
    await wordpress.php(
      `wp_schedule_single_event( time() + 3600, 'tollgate_report', array( 1, 'legitimate', time(), wp_generate_uuid4() ) );
       require_once ABSPATH . 'wp-admin/includes/admin.php'; deactivate_plugins( 'tollgate/tollgate.php' );
       wp_set_current_user( 1 ); uninstall_plugin( 'tollgate/tollgate.php' );`,
    )
    expect(await count(`information_schema.tables where table_name like '%tollgate%'`)).toBe(0)
    expect(await count(`wp_options where option_name like '%tollgate%'`)).toBe(0)
    expect(await count(`wp_commentmeta where meta_key like '%tollgate%'`)).toBe(0)
    expect(await wordpress.php('echo wp_json_encode( _get_cron_array() );')).not.toContain('tollgate')
    const own = wordpress
      .logs()
      .split('\n')
      .filter((line) => /PHP .*plugins\/tollgate/.test(line))
    expect(own).toEqual([])
  })
})
