import { randomBytes } from 'node:crypto'
import { expect, test } from '../../e2e/setup/test.ts'
import { events, expectPass } from '../../e2e/setup/visitor.ts'

// attack mode asks for 6,291,456 hashes: 5,000,000 more than here, for which a slow phone needs 10 s, and a busy machine much less
test.use({ work: 1_291_456 })

test('a solution that is found before its time is kept and sent again', async ({ page, service, trial, visit }) => {
  // other tests have left challenges unsolved on the machine's network, of which attack mode allows few
  const network = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` }
  await page.route(/\/(challenge|solve)$/, (route) =>
    route.continue({ headers: { ...route.request().headers(), ...network } }),
  )
  await service.sql.query("update site set work_mode = 'attack' where sitekey = $1", [trial.sitekey])
  const replies: [path: string, status: number][] = []
  const bodies: (string | null)[] = []
  page.on('response', (response) => {
    if (response.request().method() !== 'POST') return
    replies.push([new URL(response.url()).pathname, response.status()])
    if (response.url().endsWith('/solve')) bodies.push(response.request().postData())
  })
  await visit(await trial.form())
  // asked with every frame, because it stands only until the next attempt
  await page.waitForFunction(`document.querySelector('[data-tollgate]')?.shadowRoot
    .querySelector('[role="progressbar"][aria-label="Busy, continuing shortly"][aria-valuenow="100"]')`)
  await expectPass(page, trial)
  expect(replies).toEqual([
    ['/challenge', 200],
    ['/solve', 429],
    ['/solve', 200],
  ])
  expect(bodies[1]).toBe(bodies[0])
  expect((await events(page)).map(({ name }) => name)).not.toContain('error')
})
