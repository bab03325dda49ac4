import { gzipSync } from 'node:zlib'
import { macOfKeptFile } from '../test/support/keptFile.ts'
import { readGuide } from './setup/guide.ts'
import { answerWith } from './setup/standalone.ts'
import { expect, test } from './setup/test.ts'
import { check, token } from './setup/visitor.ts'

type Named = { src: string; integrity: string; files: string[] }

const named = async (url: string): Promise<Named> => (await (await fetch(`${url}/widget.json`)).json()) as Named

test('a script pinned by its hash works, with workers and texts', async ({ page, trial, service, host }) => {
  const { src, integrity } = await named(service.url)
  const pinned = src.replace(/^.*\//, `${service.url}/`)
  const own = await host(
    answerWith(
      `<script src="${pinned}" integrity="${integrity}" crossorigin="anonymous" async defer></script>
     ${await trial.form('data-language="de"')}`,
    ),
  )
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await page.goto(own)
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })).toContainText('Geprüft')
  expect(workers[0]).toMatch(/^blob:http:\/\/localhost/)
})

test('a page pinned to an earlier version keeps working after an upgrade', async ({ page, trial, visit, service }) => {
  // What a node of that version has stored: the same files in folders with other names.
  const code = await (await fetch(`${service.url}/widget.js`)).text()
  const earlier = code.replace(/(solver|text)-[\w-]{8}(?=\/)/g, '$1-earlier_')
  expect(earlier.match(/-earlier_/g)).toHaveLength(2)
  const { rows } = await service.sql.query<{ path: string; content: Buffer }>(
    `select regexp_replace(path, '-[^/]{8}/', '-earlier_/') as path, content from kept_file where path like 'widget/assets/%'`,
  )
  for (const { path, content } of [...rows, { path: 'widget-0000000000000000.js', content: gzipSync(earlier) }])
    await service.sql.query('insert into kept_file (path, content, mac) values ($1, $2, $3) on conflict do nothing', [
      path,
      content,
      macOfKeptFile(path, content),
    ])
  await page.route('**/widget.js', (route) =>
    route.fulfill({ status: 302, headers: { location: `${service.url}/widget-0000000000000000.js` } }),
  )
  const files: string[] = []
  page.on('request', (request) => files.push(new URL(request.url()).pathname))
  await expect
    .poll(async () => (await fetch(`${service.url}/widget-0000000000000000.js`)).status, { timeout: 10_000 })
    .toBe(200)
  await visit(await trial.form('data-language="de"'))
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })).toContainText('Geprüft')
  expect(files).toContain('/widget/assets/solver-earlier_/simd.wasm')
  expect(files).toContain('/widget/assets/text-earlier_/de.json')
})

test('a self-hosted copy loads nothing but API responses from the service', async ({ page, trial, service, host }) => {
  const { files } = await named(service.url)
  const own = await host(
    answerWith(
      `<script src="/captcha/widget.js" async defer></script>${await trial.form('data-language="de"')}`,
      `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' ${service.url}`,
    ),
  )
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  for (const file of files) {
    // As the merchant's server would, which has copies of the files.
    await page.route(`${own}/captcha/${file}`, async (route) => {
      const reply = await fetch(`${service.url}/${file}`)
      const contentType = reply.headers.get('content-type') ?? ''
      await route.fulfill({ contentType, body: Buffer.from(await reply.arrayBuffer()) })
    })
  }
  await page.goto(own)
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })).toContainText('Geprüft')
  expect(workers[0]).toBe(`${own}/captcha/widget.js`)
})

test('the documented fetch form works, and requests a new intent when needed', async ({ page, trial, visit }) => {
  const form = (await trial.form())
    .replace('<form>', '<form id="newsletter">')
    .replace('</form>', '<output></output></form>')
  const sent: (string | null)[] = []
  await page.route('**/newsletter', (route) => {
    sent.push(/tgr_[\w-]+/.exec(route.request().postData() ?? '')?.[0] ?? null)
    return route.fulfill({ status: sent.length === 1 ? 503 : 200 })
  })
  await page.route('**/newsletter/intent', async (route) =>
    route.fulfill({ json: { intent_id: await trial.intent() } }),
  )
  await visit(`${form}<script>${readGuide('newsletter.js')}</script>`)
  await page.getByLabel('Comment').fill('kept')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Please try again.')).toBeVisible()
  await expect(check(page)).toHaveText('Verified')
  await expect.poll(() => token(page).inputValue()).not.toBe(sent[0])
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Thank you!')).toBeVisible()
  await expect(page.getByLabel('Comment')).toHaveValue('kept')
  expect(sent).toEqual([expect.stringMatching(/^tgr_/), expect.stringMatching(/^tgr_/)])
  expect(sent[0]).not.toBe(sent[1])
})
