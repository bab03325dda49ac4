import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Adapter } from '../../sdk/kit/adapter.ts'
import { aboutMerchant, failedChecks, writeReport } from '../../sdk/kit/report.ts'
import { accept } from '../../sdk/kit/run.ts'
import { openTestApp, type TestApp } from '../../test/support/app.ts'
import { launchChromium } from '../../test/support/chromium.ts'
import { makeSite } from '../../test/support/make.ts'
import { installPlugin } from './plugin.ts'
import { hasWordPress, startWordPress, type WordPress } from './server.ts'

const isRun = process.env['CI'] !== undefined || hasWordPress()
let app: TestApp
let browser: Browser
let wordpress: WordPress
beforeAll(async () => {
  if (!isRun) return
  browser = await launchChromium()
  app = await openTestApp({ TEST_KEYS: 'on' })
  wordpress = await startWordPress()
  await installPlugin(wordpress)
})
afterAll(async () => {
  await wordpress?.stop()
  await app?.close()
  await browser?.close()
})

/**
 * Registration, whose page contains the intent. WordPress would refuse a second registration of the same name: the account is removed
 * again, so that nothing but the plugin keeps a form from being executed twice.
 */
function registration(): Adapter {
  const executed = join(wordpress.folder, 'registered.log')
  const plugins = join(wordpress.folder, 'wp-content/mu-plugins')
  mkdirSync(plugins, { recursive: true })
  writeFileSync(
    join(plugins, 'count.php'),
    `<?php
    add_action( 'register_new_user', function ( $id ) {
      file_put_contents( '${executed}', "$id\\n", FILE_APPEND | LOCK_EX );
      require_once ABSPATH . 'wp-admin/includes/user.php';
      wp_delete_user( $id );
    }, 1000 );`,
  )
  return {
    name: 'registration in WordPress',
    async start({ tollgateUrl, sitekey, secret }) {
      await wordpress.php(
        `update_option( 'users_can_register', '1' );
         update_option( 'tollgate', array(
           'url' => '${tollgateUrl}', 'sitekey' => '${sitekey}', 'secret' => '${secret}', 'protect' => array( 'register', 'login' )
         ) );`,
      )
      const before = wordpress.logs().length
      return {
        form: `${wordpress.url}/wp-login.php?action=register`,
        fields: { user_login: 'grace', user_email: 'grace@example.com' },
        changed: { user_login: 'edsger', user_email: 'edsger@example.com' },
        executed: async () => (existsSync(executed) ? readFileSync(executed, 'utf8').trim().split('\n').length : 0),
        logs: async () => wordpress.logs().slice(before),
        stop: async () => {},
      }
    },
  }
}

test.runIf(isRun)('registration passes the six acceptance checks', { timeout: 400_000 }, async () => {
  const { tenantId, ...keys } = await makeSite(app.ctx, { hostnames: ['localhost'], quota: 100_000 })
  const results = await accept(registration(), { target: app.url, keys, browser })
  const report = writeReport(aboutMerchant('registration in WordPress'), results)
  // the report belongs into CI's log
  process.stdout.write(`\n${report}\n`)
  expect({ failed: failedChecks(results), report }).toEqual({ failed: [], report })
  expect({ unclear: results.filter(({ outcome }) => outcome === 'unclear'), report }).toEqual({ unclear: [], report })
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ name }) => name)).toEqual([
    'submit a real token 301 seconds after the form was opened',
  ])
  const [books] = await app.rows<{ decisions: number; charged: number }>(
    `select (select count(*)::int from decision where tenant_id = $1) as decisions,
            (select coalesce(sum(used), 0)::int from quota_period where tenant_id = $1) as charged`,
    [tenantId],
  )
  expect(books?.decisions).toBeGreaterThan(10)
  expect(books?.charged).toBe(books?.decisions)
})
