import { readGuide } from './setup/guide.ts'
import { servePage } from './setup/standalone.ts'
import { expect, test } from './setup/test.ts'
import { check, token } from './setup/visitor.ts'

type Named = { src: string; integrity: string; files: string[] }

const named = async (url: string): Promise<Named> => (await (await fetch(`${url}/widget.json`)).json()) as Named

test('a page that holds it to its hash gets it, with worker and texts', async ({ page, trial, service }) => {
  const { src, integrity } = await named(service.url)
  const pinned = src.replace(/^.*\//, `${service.url}/`)
  const own = await servePage(
    `<script src="${pinned}" integrity="${integrity}" crossorigin="anonymous" async defer></script>
     ${await trial.form('data-language="de"')}`,
  )
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  await page.goto(own.url)
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })).toContainText('Geprüft')
  expect(workers[0]).toMatch(/^blob:http:\/\/localhost/)
  await own.close()
})

test('a copy on the page’s own origin needs nothing but the service’s answers from elsewhere', async ({
  page,
  trial,
  service,
}) => {
  const { files } = await named(service.url)
  const own = await servePage(
    `<script src="/captcha/widget.js" async defer></script>${await trial.form('data-language="de"')}`,
    `default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self' ${service.url}`,
  )
  const workers: string[] = []
  page.on('worker', (worker) => workers.push(worker.url()))
  for (const file of files) {
    // as the merchant's server would, which has them in a folder
    await page.route(`${own.url}captcha/${file}`, async (route) => {
      const reply = await fetch(`${service.url}/${file}`)
      const contentType = reply.headers.get('content-type') ?? ''
      await route.fulfill({ contentType, body: Buffer.from(await reply.arrayBuffer()) })
    })
  }
  await page.goto(own.url)
  await expect(page.getByRole('group', { name: 'Prüfung auf menschliche Nutzung' })).toContainText('Geprüft')
  expect(workers[0]).toBe(`${own.url}captcha/widget.js`)
  await own.close()
})

test('the documented form stays on its page, and takes another permit when it needs one', async ({
  page,
  trial,
  serve,
}) => {
  const form = (await trial.form())
    .replace('<form>', '<form id="newsletter">')
    .replace('</form>', '<output></output></form>')
  const sent: (string | null)[] = []
  await page.route('**/newsletter', (route) => {
    sent.push(/tgr_[\w-]+/.exec(route.request().postData() ?? '')?.[0] ?? null)
    return route.fulfill({ status: sent.length === 1 ? 503 : 200 })
  })
  await page.route('**/newsletter/permit', async (route) => route.fulfill({ json: { intent: await trial.permit() } }))
  await page.goto(await serve(`${form}<script>${readGuide('newsletter.js')}</script>`))
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
