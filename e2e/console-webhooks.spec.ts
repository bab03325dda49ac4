import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { verifyWebhook } from '../sdk/node/src/webhook.ts'
import { expectAccessible } from './setup/accessible.ts'
import { tenantUrl } from './setup/member.ts'
import { button, dialog } from './setup/page.ts'
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
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  try {
    await page.goto(tenantUrl(service, owner, '/settings'))
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Webhooks' }).click()
    await expect(page.getByText('No webhooks')).toBeVisible()
    await button(page, 'Create webhook').click()
    const sheet = dialog(page, 'Create a webhook')
    await sheet.getByLabel('URL').fill('https://10.0.0.1/hooks')
    await expectAccessible(page)
    await button(sheet, 'Create webhook').click()
    await expect(sheet.getByRole('alert')).toContainText('has no public address')
    await sheet.getByLabel('URL').fill(url)
    await button(sheet, 'Create webhook').click()
    const shown = dialog(page, 'The signing secret')
    const secret = await shown.locator('code').first().innerText()
    await shown.getByRole('checkbox').check()
    await button(shown, 'Done').click()

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

    await button(page, 'Actions for the webhook').click()
    await page.getByRole('menuitem', { name: 'Rotate secret…' }).click()
    await button(dialog(page, 'Rotate the signing secret?'), 'Rotate secret').click()
    const rotated = dialog(page, 'The new signing secret')
    await rotated.getByRole('checkbox').check()
    await button(rotated, 'Done').click()
    await expect(page.getByText('Also signs until')).toBeVisible()

    await button(page, 'Actions for the webhook').click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await button(dialog(page, 'Delete this webhook?'), 'Delete webhook').click()
    await expect(page.getByText('No webhooks')).toBeVisible()
  } finally {
    server.close()
  }
})
