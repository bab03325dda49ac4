import { expect, test } from 'vitest'
import { launchChromium } from '../../../test/support/chromium.ts'
import { listen } from '../../testing/listen.ts'
import { solved } from './works.ts'

test('waits for the token on a page that forbids eval', { timeout: 120_000 }, async () => {
  const server = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'" })
    response.end('<!doctype html><title>Form</title><form><input type="hidden" name="svc-captcha-response"></form>')
  })
  const browser = await launchChromium()
  try {
    const tab = await browser.newPage()
    await tab.goto(server.url)
    const token = solved(tab)
    await tab.evaluate("document.querySelector('input').value = 'tgr_x'")
    expect(await token).toBe('tgr_x')
  } finally {
    await browser.close()
    await server.close()
  }
})
