import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '../sdk/node/src/webhook.ts'
import { listen } from '../sdk/testing/listen.ts'
import { expectAccessible } from './setup/accessible.ts'
import { tenantUrl } from './setup/member.ts'
import { button, dialog, expectErrorAt, takeSecret } from './setup/page.ts'
import { expect, test } from './setup/test.ts'

test('a webhook is created, tested, seen to fail, sent again, rotated and deleted', { tag: '@accessible' }, async ({
  page,
  service,
  owner,
}) => {
  let status = 500
  const received: { headers: Record<string, string>; body: string }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) })
    response.writeHead(status).end(status === 500 ? 'no such table' : 'thanks')
  }
  const server = await listen((request, response) => void take(request, response))
  const url = `${server.url}/hooks`
  try {
    await page.goto(tenantUrl(service, owner, '/settings'))
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click()
    await expect(page.getByText('No webhooks')).toBeVisible()
    await button(page, 'Create webhook').click()
    const sheet = dialog(page, 'Create a webhook')
    await sheet.getByLabel('URL').fill('https://10.0.0.1/hooks')
    await expectAccessible(page)
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    await page.setViewportSize({ width: 375, height: 667 })
    await button(sheet, 'Create webhook').click()
    await expectErrorAt(sheet, 'URL', /has no public address/)
    await expect(sheet.getByRole('alert')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width, height })
    await sheet.getByLabel('URL').fill(url)
    await button(sheet, 'Create webhook').click()
    const secret = await takeSecret(page, 'The signing secret')

    await page.getByRole('link', { name: url }).click()
    await button(page, 'Send test').click()
    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /webhook\.test/ })
    await expect(row).toContainText('Retrying')
    await expect(row).toContainText('500')
    await expectAccessible(page)
    status = 200
    await button(row, 'Details of webhook.test').click()
    const details = dialog(page, 'webhook.test')
    await expect(details).toContainText('no such table')
    await button(details, 'Send again').click()
    await expect(details).toContainText('thanks')
    await expectAccessible(page)
    const [first] = received
    expect(first && verifyWebhook(first.headers, first.body, secret)).toMatchObject({ type: 'webhook.test' })
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await page.keyboard.press('Escape')

    // where the actions are beside the title and there are two, an open menu makes no third
    await page.setViewportSize({ width: 320, height })
    const place = await button(page, 'Actions for the webhook').boundingBox()
    await button(page, 'Actions for the webhook').click()
    await expect(page.getByRole('menu')).toBeVisible()
    expect(await page.locator('[aria-label="Actions for the webhook"]').boundingBox()).toEqual(place)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width, height })

    await button(page, 'Actions for the webhook').click()
    await page.getByRole('menuitem', { name: 'Rotate secret…' }).click()
    await button(dialog(page, 'Rotate the signing secret?'), 'Rotate secret').click()
    await takeSecret(page, 'The new signing secret')
    await expect(page.getByText('Also signs until')).toBeVisible()
    // two dialogs later, the focus is where it began
    await expect(button(page, 'Actions for the webhook')).toBeFocused()
    await button(page, 'Actions for the webhook').click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await button(dialog(page, 'Delete this webhook?'), 'Delete webhook').click()
    await expect(page.getByText('No webhooks')).toBeVisible()
  } finally {
    await server.close()
  }
})

test('a webhook that was disabled after five days of failures says so, and works once it is enabled', {
  tag: '@accessible',
}, async ({ page, service, owner }) => {
  const server = await listen((_request, response) => response.end('thanks'))
  try {
    await page.goto(tenantUrl(service, owner, '/settings/webhooks'))
    await button(page, 'Create webhook').click()
    const sheet = dialog(page, 'Create a webhook')
    await sheet.getByLabel('URL').fill(server.url)
    await button(sheet, 'Create webhook').click()
    await takeSecret(page, 'The signing secret')
    // as five days of failures leave it (server/accounts/webhooks/deliver.test.ts)
    await service.sql.query(
      `update webhook_endpoint set failing_since = now() - interval '5 days', disabled_at = now(), disabled_by_failures = true
       where tenant_id = $1`,
      [owner.tenantId],
    )
    await page.reload()
    const row = page.getByRole('row', { name: new RegExp(server.url) })
    await expect(row).toContainText('Disabled after failures')
    await expectAccessible(page)
    await row.getByRole('link').click()
    await expect(button(page, 'Send test')).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
    await button(page, 'Actions for the webhook').click()
    await page.getByRole('menuitem', { name: 'Enable' }).click()
    await button(page, 'Send test').click()
    await expect(page.getByRole('row', { name: /webhook\.test/ })).toContainText('Delivered')
  } finally {
    await server.close()
  }
})
