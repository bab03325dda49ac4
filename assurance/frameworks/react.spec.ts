import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestInfo } from '@playwright/test'
import { readGuide } from '../../e2e/setup/guide.ts'
import type { Service } from '../../e2e/setup/service.ts'
import { check, token } from '../../e2e/setup/visitor.ts'
import { bundle } from './bundle.ts'
import { expect, expectSignUp, sendEarly, test, worksWith } from './works.ts'

const REACT = worksWith('React')

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
  },
}

/** A merchant's application: the documented React component, the types that the service serves, and a form. */
async function writeApp({ url }: Service, testInfo: TestInfo): Promise<string> {
  const folder = testInfo.outputPath('app')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  writeFileSync(join(folder, 'Tollgate.tsx'), readGuide('Tollgate.tsx'))
  writeFileSync(join(folder, 'tollgate.d.ts'), await (await fetch(`${url}/widget.d.ts`)).text())
  for (const file of ['App.tsx', 'Action.tsx']) copyFileSync(`assurance/frameworks/react/${file}`, join(folder, file))
  return folder
}

/** The application in the page. */
async function bundleMarkup(folder: string): Promise<string> {
  return (await bundle(folder, 'App.tsx')).replaceAll('</script', '<\\/script')
}

test('the documented React component compiles with the types that the service serves', async ({
  service,
}, testInfo) => {
  const folder = await writeApp(service, testInfo)
  const compile = () =>
    promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder, '--pretty', 'false'])
  await compile()
  writeFileSync(
    join(folder, 'wrong.ts'),
    `document.body.addEventListener('svc-captcha:solved', ({ detail }) => detail.code)\nwindow.svcCaptcha?.render('#x', { size: 'huge' })`,
  )
  const { stdout } = await compile().catch((error: { stdout: string }) => error)
  expect(stdout).toMatch(/wrong\.ts\(1,.*code/)
  expect(stdout).toMatch(/wrong\.ts\(2,.*huge/)
})

test(
  'the [documented component](component.md#react) in strict mode, hidden and shown again, with a new intent',
  REACT,
  async ({ page, trial, serve, service }, testInfo) => {
    const intents = [await trial.intent(), await trial.intent()] as const
    const site = JSON.stringify({ endpoint: service.url, sitekey: trial.sitekey, intents })
    const code = await bundleMarkup(await writeApp(service, testInfo))
    const url = await serve(`<body><script>window.site = ${site}</script><script>${code}</script></body>`)
    await page.goto(url)
    await page.evaluate(`mount('render')`)
    const given = page.getByLabel('Token')
    await expect(given).toHaveText(/^tgr_/)
    await expect(given).toHaveText(await token(page).inputValue())

    const first = await given.innerText()
    await page.getByRole('button', { name: 'Begin anew' }).click()
    await expect(given).not.toHaveText(first)
    await expect(given).toHaveText(/^tgr_/)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByLabel('Sent')).toHaveText(await given.innerText())

    const toggle = page.getByRole('button', { name: 'Show or hide' })
    const show = async () => {
      await toggle.click()
      await expect(page.locator('.svc-captcha')).toHaveCount(0)
      await toggle.click()
    }
    await show()
    await expect(check(page)).toHaveText('Verified')
    expect(await trial.redeem(intents[1], await page.getByLabel('Sent').innerText())).toBe(200)
    await show()
    await expect(check(page)).toContainText('Verification expired')
  },
)

test(
  'hydration of a page from the server that is already verified',
  REACT,
  async ({ page, trial, serve, service }, testInfo) => {
    const intent = await trial.intent()
    const site = JSON.stringify({ endpoint: service.url, sitekey: trial.sitekey, intents: [intent, ''] })
    const code = await bundleMarkup(await writeApp(service, testInfo))
    await page.goto(await serve(`<body><script>window.site = ${site}</script><script>${code}</script></body>`))
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<main id=root>' + markup + '</main>')`)
    await expect(check(page)).toHaveText('Verified')
    const before = await token(page).inputValue()
    await page.evaluate(`mount('hydrate')`)
    await expect(page.getByLabel('Token')).toHaveText(before)
    await expect(check(page)).toHaveText('Verified')
    await expect(token(page)).toHaveValue(before)
    expect(await trial.redeem(intent, before)).toBe(200)
  },
)

test(
  'a form action (`<form action={…}>`), sent while the component works',
  REACT,
  async ({ page, open, service }, testInfo) => {
    const app = await bundle(await writeApp(service, testInfo), 'Action.tsx')
    const shop = await open({ app, pages: { '/': () => '<main></main>' } })
    await sendEarly(page, () => page.goto(shop.url))
    await expectSignUp(page, shop)
  },
)
