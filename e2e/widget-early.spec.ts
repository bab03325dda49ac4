import { expect, test } from './setup/test.ts'
import { check, events, passCheck, token } from './setup/visitor.ts'

// attack mode asks for 6,291,456 hashes: 1,791,456 more than here, for which a slow phone needs 3 s
test.use({ work: 4_500_000 })

test('a device that is faster than the minimum age of a challenge keeps the solution and sends it again', async ({
  page,
  service,
  trial,
  serve,
}) => {
  await service.sql.query("update site set work_mode = 'attack' where sitekey = $1", [trial.sitekey])
  const replies: [path: string, status: number][] = []
  const bodies: (string | null)[] = []
  page.on('response', (response) => {
    if (response.request().method() !== 'POST') return
    replies.push([new URL(response.url()).pathname, response.status()])
    if (response.url().endsWith('/solve')) bodies.push(response.request().postData())
  })
  // the second attempt waits until the page was read: its text and bar stand for a moment only
  let read = () => {}
  const held = new Promise<void>((resolve) => {
    read = resolve
  })
  await page.route('**/solve', async (route) => {
    if (bodies.length > 0) await held
    await route.continue()
  })
  await page.goto(await serve(await trial.form()))
  await expect(check(page)).toHaveText('Busy, continuing shortly')
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100')
  read()
  await passCheck(page)
  expect(replies).toEqual([
    ['/challenge', 200],
    ['/solve', 429],
    ['/solve', 200],
  ])
  expect(bodies[1]).toBe(bodies[0])
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
  const intent = await page.locator('.svc-captcha').getAttribute('data-intent')
  expect(await trial.redeem(intent ?? '', await token(page).inputValue())).toBe(200)
})
