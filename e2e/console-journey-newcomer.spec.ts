import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decide } from './setup/decided.ts'
import { consoleUrl, mailed, moveToNewNetwork, tenantUrl } from './setup/member.ts'
import { button, dialog, takeSecret } from './setup/page.ts'
import { makeSite } from './setup/site.ts'
import { expect, test } from './setup/test.ts'
import { passCheck } from './setup/visitor.ts'

// The first hour of a developer who has nothing but the address of the service.

const run = promisify(execFile)

/** Where the sample listens: any port, which it prints. */
const LISTENS = "const server = app.listen(0, () => console.log('http://localhost:' + server.address().port + '/'))"

/** Runs the server until `close`, with these options of Node. */
async function serve(folder: string, ...options: string[]) {
  const child = spawn(process.execPath, [...options, 'server.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    url: String(line).trim(),
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

test('from nothing to a form in production: live demo, account, playground, sample of the docs, first refusal and its fix, first verification', async ({
  page,
  context,
  service,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-newcomer-'))
  const visitor = await context.newPage()
  try {
    // the docs: the sample runs unchanged, with a test key
    await page.goto(`${consoleUrl(service)}/docs/quick-start`)
    const blocks = await page.locator('figure.code code').allTextContents()
    const install = blocks.find((code) => code.startsWith('npm install ')) ?? ''
    const sample = (blocks.find((code) => code.startsWith('// server.mjs')) ?? '').replace(
      /^app\.listen\(4000.*/m,
      LISTENS,
    )
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    await run('npm', install.split('\n', 1)[0]?.split(' ').slice(1) ?? [], { cwd: folder })
    writeFileSync(join(folder, 'server.mjs'), sample)
    const trial = await serve(folder)
    await visitor.goto(trial.url)
    await passCheck(visitor)
    await button(visitor, 'Sign up').click()
    await expect(visitor.getByText('Welcome')).toBeVisible()
    await trial.close()

    // the start page verifies its visitor, who breaks something
    await page.goto(consoleUrl(service))
    await expect(page.getByText(/^This page just verified you in [\d.]+ s\.$/)).toBeVisible()
    await page.getByRole('link', { name: 'Break it yourself' }).click()
    await page.getByRole('radio', { name: 'Reused token' }).check()
    await button(page, 'Start').click()
    const calls = page.getByRole('list', { name: 'Calls' }).getByRole('listitem')
    await expect(calls.last()).toContainText('The visitor submitted the form twice')

    // an account
    const email = `grace.${randomUUID().slice(0, 8)}@people.example`
    const password = 'correct horse battery'
    await moveToNewNetwork(page)
    await page.goto(consoleUrl(service))
    await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('short')
    await button(page, 'Create account').click()
    // the rule is said once: the error takes the place of the hint
    await expect(page.getByText(/at least 10 characters/i)).toHaveCount(1)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button(page, 'Create account').click()
    await expect(page.getByText(`We sent a link to ${email}`)).toBeVisible()
    // the browser that signed up is signed in by the link
    await page.goto(await mailed(service, email, '/verify-email'))
    await expect(page.getByText(`Confirm ${email}`)).toBeVisible()
    await button(page, 'Confirm').click()

    // a tenant and a site
    await page.getByLabel('Name', { exact: true }).fill('Compilers')
    await button(page, 'Create tenant').click()
    await expect(page.getByRole('heading', { level: 2, name: 'Name your tenant' })).toContainText('Done')
    await expect(page.getByRole('heading', { level: 2, name: 'Create your first site' })).toBeFocused()
    await page.getByLabel('Name', { exact: true }).fill('Sign-up')
    await page.getByLabel('Hostname').fill('www.compilers.example')
    await button(page, 'Create site').click()
    const environment = await dialog(page, 'Your site’s keys').locator('code').last().innerText()
    const secret = await takeSecret(page, 'Your site’s keys', 'Continue')
    await expect(page.getByRole('heading', { level: 2, name: 'See it work' })).toBeFocused()
    await expect(button(page, 'Allow localhost')).toBeVisible()
    const sitekey = await page
      .getByText(/^tg_site_\w{20}$/)
      .first()
      .innerText()
    const welcome = page.url()

    // it is seen to work before any code, and that ends no step of the form
    await button(page, 'Start').click()
    await expect(page.getByText(/^It works: 4 calls, [\d.]+ s\.$/)).toBeVisible()
    await expect(calls).toHaveText([/200.*\/intents/, /200.*\/challenge/, /200.*\/solve/, /200.*\/siteverify/])
    await expect(page.getByRole('heading', { level: 2, name: 'See it work' })).toContainText('Done')
    const formStep = page.getByRole('heading', { level: 2, name: 'Add it to your form' })
    await expect(formStep).toContainText('Now')
    await page.getByRole('link', { name: 'Now in your form' }).click()
    await expect(formStep).toBeInViewport()
    expect(
      (
        await service.sql.query('select from usage_hour h join site s on s.id = h.site_id where s.sitekey = $1', [
          sitekey,
        ])
      ).rows,
    ).toEqual([])

    // the program with the site's own keys: the first call is refused, and the page says why
    // the file with the secret was saved in step 2; one without it would replace it
    await expect(page.locator('summary', { hasText: '.env' })).toHaveCount(0)
    // first what to install, then the program
    await expect(page.locator('details[open] code')).toHaveText(/^npm install .* express$/)
    await expect(page.getByText('Lost the secret key?')).toHaveCount(0)
    await page.locator('summary', { hasText: 'server.mjs' }).click()
    const program = await page.locator('details[open] code').innerText()
    expect(program).toContain("in production 'www.compilers.example'")
    expect(program.split('\n').length).toBeLessThan(90)
    writeFileSync(join(folder, 'server.mjs'), program.replace(/^app\.listen\(4000.*/m, LISTENS))
    writeFileSync(join(folder, '.env'), environment)
    const form = await serve(folder, '--env-file=.env')
    await visitor.goto(form.url)
    await expect(visitor.getByText('Something is wrong on our side.')).toBeVisible()
    await expect(page.getByText('Your backend opens an intent: refused')).toBeVisible()
    await expect(page.getByText('Add it under Hostnames')).toBeVisible()

    // the fix is one click, on the page that the refusal names
    await page.getByRole('link', { name: 'Skip for now' }).click()
    const steps = page.getByRole('region', { name: 'Get started' })
    await expect(steps).toContainText('3 of 4 steps done')
    await steps.getByRole('link', { name: 'Continue set-up' }).click()
    await expect(formStep).toBeInViewport()
    await button(page, 'Allow localhost').click()
    await expect(async () => {
      await visitor.goto(form.url)
      await expect(button(visitor, 'Sign up')).toBeVisible({ timeout: 1000 })
    }).toPass()

    // the first verification, which the step shows
    await page.goto(welcome)
    await passCheck(visitor)
    await button(visitor, 'Sign up').click()
    await expect(visitor.getByText('Welcome')).toBeVisible()
    await expect(formStep).toContainText('Done')

    // before going live: the console's check and the doctor find nothing
    await page.getByRole('link', { name: 'Open the console' }).click()
    await page.getByRole('table', { name: 'Sites' }).getByRole('link', { name: 'Sign-up' }).click()
    await page.getByRole('link', { name: 'Integrate', exact: true }).click()
    const check = page.getByRole('region', { name: 'Check my integration' })
    for (const step of ['Your backend opens intents', 'Visitors solve challenges', 'Your backend redeems tokens'])
      await expect(check.getByRole('listitem', { name: step })).toContainText('Done')
    const { stdout } = await run(
      join(folder, 'node_modules/.bin/tollgate'),
      ['doctor', '--url', service.url, '--sitekey', sitekey, '--hostname', 'www.compilers.example', '--page', form.url],
      { env: { PATH: process.env['PATH'], TOLLGATE_SECRET: secret } },
    )
    expect(stdout).toMatch(/\nNo errors\.\n$/)
    expect(stdout).toContain('www.compilers.example is allowed.')
    await form.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the set-up page continues where its person stopped, and still creates another tenant', async ({
  page,
  service,
  owner,
}) => {
  const step = (title: string) => page.getByRole('heading', { level: 2, name: title })
  const welcome = `${consoleUrl(service)}/welcome`
  const notice = page.getByRole('region', { name: 'You already have Pennywheel' })
  const resume = notice.getByRole('link', { name: 'Continue with Pennywheel' })

  // without a site
  await page.goto(welcome)
  await expect(step('Create another tenant')).toContainText('Now')
  await resume.click()
  await expect(step('Name your tenant')).toContainText('Done')
  await expect(page.getByLabel('Hostname')).toBeVisible()
  await expect(notice).toHaveCount(0)

  // with one
  const site = await makeSite(service, owner)
  await page.goto(welcome)
  await resume.click()
  await expect(step('Create your first site')).toContainText('Done')
  await expect(page.getByText(site.sitekey).first()).toBeVisible()
  await expect(step('See it work')).toContainText('Now')
  const lost = page.getByText('Lost the secret key? Create another under Keys.')
  await expect(lost.getByRole('link', { name: 'Keys' })).toHaveAttribute('href', new URL(`${site.path}/keys`).pathname)

  // the menu creates another one
  await page.goto(tenantUrl(service, owner))
  await button(page, 'Tenant Pennywheel: switch').click()
  await page.getByRole('menuitem', { name: 'Create tenant' }).click()
  await expect(notice).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('Compilers')
  await button(page, 'Create tenant').click()
  await expect(page).toHaveURL(/tenant=compilers/)
  await expect(step('Create your first site')).toContainText('Now')

  // once its backend has redeemed a token, it is set up
  await service.sql.query("update site set base_work = 1024, challenge_kind = 'sha256' where id = $1", [site.id])
  await decide(service, site)
  await page.goto(welcome)
  await expect(page.getByRole('region', { name: 'You already have Compilers' })).toBeVisible()
  await expect(notice).toHaveCount(0)
})
