import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CDPSession, Page, TestInfo } from '@playwright/test'
import { compile } from 'svelte/compiler'
import { answerWith } from '../../e2e/setup/standalone.ts'
import type { Trial } from '../../e2e/setup/trial.ts'
import { check, token } from '../../e2e/setup/visitor.ts'
import { type BundleOptions, bundle, bundleApp } from './bundle.ts'
import { expect, test, worksWith } from './works.ts'

// `@tollgate/widget` with each framework. The applications in the folder `package` do the same.

const FOLDER = resolve('assurance/frameworks/package')

const svelte = (generate: 'client' | 'server') => ({
  name: 'svelte',
  transform: (code: string, id: string) =>
    id.endsWith('.svelte') ? compile(code, { filename: id, dev: generate === 'client', generate }).js.code : null,
})

/** The workspace of these tests has React 18, the console the current one. */
const reactOf = (folder: string) => ({
  'react-dom': resolve(folder, 'react-dom'),
  react: resolve(folder, 'react'),
})

const REACT = {
  file: 'react.jsx',
  render: `import { renderToString } from 'react-dom/server'
    import { app } from '${FOLDER}/react.jsx'
    export const render = (site) => renderToString(app(site))`,
}
const FRAMEWORKS = [
  { ...REACT, works: worksWith('React'), alias: reactOf('node_modules') },
  {
    ...REACT,
    works: worksWith('React', '../assurance/node_modules/react'),
    alias: reactOf('assurance/node_modules'),
  },
  {
    file: 'vue.js',
    works: worksWith('Vue'),
    alias: {},
    render: `import { renderToString } from 'vue/server-renderer'
      import { app } from '${FOLDER}/vue.js'
      export const render = (site) => renderToString(app(site))`,
  },
  {
    file: 'svelte.js',
    works: worksWith('Svelte'),
    alias: {},
    render: `import { render as renderToString } from 'svelte/server'
      import Form from '${FOLDER}/Form.svelte'
      export const render = (site) => renderToString(Form, { props: { site } }).body`,
  },
]

type Options = { url: string; sitekey: string; intents: string[]; [option: string]: unknown }

const siteOf = async ({ endpoint, sitekey, intent }: Trial): Promise<Options> => ({
  url: endpoint,
  sitekey,
  intents: [await intent(), await intent()],
})

/** The form as the server renders it, where there is no window. */
async function renderOnServer(
  code: string,
  site: Options,
  testInfo: TestInfo,
  options: BundleOptions,
): Promise<string> {
  const entry = testInfo.outputPath('render.js')
  writeFileSync(entry, code)
  const file = testInfo.outputPath('server.mjs')
  writeFileSync(file, await bundle(testInfo.outputPath(), 'render.js', { ...options, server: true }))
  const { render } = (await import(pathToFileURL(file).href)) as { render: (site: Options) => Promise<string> }
  return render(site)
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const boxes = (page: Page) => page.locator('[data-tollgate]')

/** The token that the package gives is that of the form. */
async function expectToken(page: Page, before = ''): Promise<string> {
  const given = page.getByLabel('Token')
  const read = async () => (await given.innerText()).replace(before, '')
  await expect.poll(read).toMatch(/^tgr_/)
  const now = await read()
  await expect(token(page)).toHaveValue(now)
  return now
}

/** The memory of the page that is in use, after a garbage collection. */
async function measure(session: CDPSession) {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters')
  return { usedSize, nodes, jsEventListeners }
}

for (const { file, works, alias, render } of FRAMEWORKS) {
  test.describe(works.annotation.description, () => {
    test.describe.configure({ mode: 'default' })
    let code: string
    test.beforeAll(async () => {
      code = await bundle(FOLDER, file, { alias, plugins: [svelte('client')] })
    })

    /** Mounts the application in a page without the component's script. */
    async function open(page: Page, url: string, site: Options, hydrates: boolean): Promise<void> {
      await page.goto(url)
      await page.evaluate(code)
      await page.evaluate(
        `globalThis.unmount = mount(document.querySelector('main'), ${JSON.stringify(site)}, ${hydrates})`,
      )
    }

    test(
      'the [package](front-end.md): hydrated, given another intent, hidden, shown again, unmounted',
      works,
      async ({ page, trial, host }, testInfo) => {
        const site = await siteOf(trial)
        const markup = await renderOnServer(render, site, testInfo, { alias, plugins: [svelte('server')] })
        expect(markup).toContain(`data-intent="${site.intents[0]}"`)
        const challenges = page.waitForRequest('**/challenge')
        await open(page, await host(answerWith(`<main>${markup}</main>`)), site, true)
        await challenges
        const first = await expectToken(page)
        await expect(page.getByLabel('Solved')).toHaveText('1')
        await expect(boxes(page)).toHaveCount(1)
        await expect(page.locator('script[src$="/widget.js"]')).toHaveCount(1)

        await press(page, 'Another')
        const second = await expectToken(page, first)
        await press(page, 'Send')
        await expect(page.getByLabel('Sent')).toHaveText(second)
        expect(await trial.redeem(site.intents[1] ?? '', second)).toBe(200)

        await press(page, 'Show or hide')
        await expect(boxes(page)).toHaveCount(0)
        await expect(page.getByLabel('Token')).toHaveText('')
        await press(page, 'Show or hide')
        await expect(check(page)).toContainText('Verification expired')
        await expect(boxes(page)).toHaveCount(1)
        await page.evaluate('unmount()')
        await expect(boxes(page)).toHaveCount(0)
      },
    )

    test('the package: hydrated when it is verified already', works, async ({ page, trial, serve }, testInfo) => {
      const site = await siteOf(trial)
      const markup = await renderOnServer(render, site, testInfo, { alias, plugins: [svelte('server')] })
      await page.goto(await serve(`<main>${markup}</main>`))
      await expect(check(page)).toHaveText('Verified')
      const before = await token(page).inputValue()
      await page.evaluate(code)
      await page.evaluate(`mount(document.querySelector('main'), ${JSON.stringify(site)}, true)`)
      expect(await expectToken(page)).toBe(before)
      await expect(page.getByLabel('Solved')).toHaveText('1')
      await expect(check(page)).toHaveText('Verified')
      await expect(boxes(page)).toHaveCount(1)
      expect(await trial.redeem(site.intents[0] ?? '', before)).toBe(200)
    })

    test('the package: fetched intents', works, async ({ page, trial, host }) => {
      await page.clock.install()
      const asked: string[] = []
      await page.route('**/intent', async (route) => {
        if (asked.push(await trial.intent()) === 1) await route.abort()
        else await route.fulfill({ json: { intent_id: asked.at(-1) } })
      })
      await page.addInitScript(`fetchIntent = async (signal) => {
          const reply = await fetch('/intent', { method: 'POST', signal })
          return (await reply.json()).intent_id
        }`)
      const { intents: _, ...site } = await siteOf(trial)
      await page.goto(await host(answerWith('<main></main>')))
      await page.evaluate(code)
      const options = `{ ...${JSON.stringify(site)}, fetchIntent, onError: (error) => (code = error) }`
      await page.evaluate(`mount(document.querySelector('main'), ${options})`)
      await page.waitForFunction('globalThis.code')
      expect([await page.evaluate('code'), asked.length, await boxes(page).count()]).toEqual(['network', 1, 0])

      await press(page, 'Reset')
      const first = await expectToken(page)
      await press(page, 'Reset')
      const second = await expectToken(page, first)
      expect(await trial.redeem(asked[2] ?? '', second)).toBe(200)
      await page.clock.fastForward('05:01')
      const third = await expectToken(page, second)
      expect(await trial.redeem(asked[3] ?? '', third)).toBe(200)
      await expect(page.getByLabel('Solved')).toHaveText('3')
      expect(asked.length).toBe(4)
      await expect(boxes(page)).toHaveCount(1)
    })

    test('the package: shown and removed 500 times without a leak', works, async ({ page, trial, host }) => {
      // the component is rendered, and has nothing to send until the form is entered
      const site = { ...(await siteOf(trial)), start: 'focus' }
      await open(page, await host(answerWith('<main></main>')), site, false)
      await expect(boxes(page)).toHaveCount(1)
      const session = await page.context().newCDPSession(page)
      const toggle = async (times: number) => {
        await page.evaluate(`(async () => {
          const button = [...document.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Show or hide')
          const until = async (shown) => {
            while (Boolean(document.querySelector('[data-tollgate]')) !== shown) await new Promise((resolve) => setTimeout(resolve))
          }
          for (let i = 0; i < ${times}; i++) for (const shown of [false, true]) { button.click(); await until(shown) }
        })()`)
        return measure(session)
      }
      const before = await toggle(100)
      const after = await toggle(400)
      expect(after.nodes).toBeLessThan(before.nodes + 400)
      expect(after.jsEventListeners).toBeLessThan(before.jsEventListeners + 400)
      // the attachments, had they been kept; the recorder of the tests keeps the events
      expect(after.usedSize).toBeLessThan(before.usedSize * 1.25)
    })
  })
}

for (const [by, folder] of [
  ['Activity', 'node_modules'],
  ['Suspense', 'node_modules'],
  ['Suspense', 'assurance/node_modules'],
] as const) {
  const works = worksWith('React', `../${folder}/react`)
  test.describe(works.annotation.description, () => {
    test(`the package: hidden by \`${by}\` and shown again`, works, async ({ page, trial, host }) => {
      const site = { ...(await siteOf(trial)), by }
      await page.goto(await host(answerWith('<main></main>')))
      await page.evaluate(await bundle(FOLDER, 'react.jsx', { alias: reactOf(folder) }))
      await page.evaluate(`unmount = mountHidden(document.querySelector('main'), ${JSON.stringify(site)})`)
      const first = await expectToken(page)
      await press(page, 'Show or hide')
      await expect(check(page)).toBeHidden()
      await press(page, 'Show or hide')
      await expect(check(page)).toHaveText('Verified')
      expect(await expectToken(page)).toBe(first)
      await expect(boxes(page)).toHaveCount(1)
      await press(page, 'Send')
      await expect(page.getByLabel('Sent')).toHaveText(first)
      expect(await trial.redeem(site.intents[0] ?? '', first)).toBe(200)
      await page.evaluate('unmount()')
      await expect(boxes(page)).toHaveCount(0)
    })
  })
}

test('`load` tries again after a failure, and uses the script that the page has', async ({
  page,
  service,
  host,
}, testInfo) => {
  await page.goto(await host(answerWith('')))
  await page.evaluate(
    await bundleApp(testInfo, { 'load.js': `import { load } from '@tollgate/widget'\nglobalThis.load = load` }),
  )
  const load = () => page.evaluate(`load({ url: '${service.url}/' }).then((api) => api === svcCaptcha, () => 'failed')`)
  await page.route('**/widget.js', (route) => route.abort(), { times: 1 })
  expect(await load()).toBe('failed')
  expect(await page.locator('script').count()).toBe(0)
  await page.evaluate(`document.head.append(Object.assign(document.createElement('script'),
    { src: '${service.url}/widget.js?render=explicit' }))`)
  expect([await load(), await load()]).toEqual([true, true])
  expect(await page.locator('script').count()).toBe(1)
})

test('the package: hidden by `KeepAlive` and shown again', worksWith('Vue'), async ({ page, trial, host }) => {
  const site = { ...(await siteOf(trial)), keepAlive: true }
  await page.goto(await host(answerWith('<main></main>')))
  await page.evaluate(await bundle(FOLDER, 'vue.js'))
  await page.evaluate(`mount(document.querySelector('main'), ${JSON.stringify(site)})`)
  const first = await expectToken(page)
  await press(page, 'Show or hide')
  await expect(boxes(page)).toHaveCount(0)
  await press(page, 'Show or hide')
  const second = await expectToken(page, first)
  await expect(boxes(page)).toHaveCount(1)
  await press(page, 'Send')
  await expect(page.getByLabel('Sent')).toHaveText(second)
  expect(await trial.redeem(site.intents[0] ?? '', second)).toBe(200)
})

test('the package: as an action (`use:tollgate`)', worksWith('Svelte'), async ({ page, trial, host }) => {
  const site = { ...(await siteOf(trial)), action: true }
  await page.goto(await host(answerWith('<main></main>')))
  await page.evaluate(await bundle(FOLDER, 'svelte.js', { plugins: [svelte('client')] }))
  await page.evaluate(`mount(document.querySelector('main'), ${JSON.stringify(site)})`)
  const first = await expectToken(page)
  await press(page, 'Another')
  const second = await expectToken(page, first)
  expect(await trial.redeem(site.intents[1] ?? '', second)).toBe(200)
  await press(page, 'Show or hide')
  await expect(boxes(page)).toHaveCount(0)
})
