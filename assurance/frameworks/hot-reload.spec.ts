import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { createLogger, createServer, type PluginOption } from 'vite'
import { check, token } from '../../e2e/setup/visitor.ts'
import { expect, test, worksWith } from './works.ts'

// `@tollgate/widget` in Vite's development server, with the plugin of each framework.

type App = {
  works: ReturnType<typeof worksWith>
  plugins: PluginOption[]
  /** Packages that are no modules. */
  bundled?: string[]
  files: Record<string, string>
}

const APPS: App[] = [
  {
    works: worksWith('React'),
    plugins: [react()],
    bundled: ['react', 'react-dom/client', 'react/jsx-runtime', 'react/jsx-dev-runtime'],
    files: {
      'Form.jsx': `import { Tollgate } from '@tollgate/widget/react'
        export function Form({ site }) {
          return <form><Tollgate {...site} /><button>Send</button></form>
        }`,
      'main.jsx': `import { createRoot } from 'react-dom/client'
        import { Form } from './Form.jsx'
        createRoot(document.querySelector('main')).render(<Form site={site} />)`,
    },
  },
  {
    works: worksWith('Vue'),
    plugins: [vue()],
    files: {
      'Form.vue': `<script setup>
        import { Tollgate } from '@tollgate/widget/vue'
        defineProps(['site'])
        </script>
        <template><form><Tollgate v-bind="site" /><button>Send</button></form></template>`,
      'main.js': `import { createApp } from 'vue'
        import Form from './Form.vue'
        createApp(Form, { site }).mount('main')`,
    },
  },
  {
    works: worksWith('Svelte'),
    plugins: [svelte({ configFile: false })],
    files: {
      'Form.svelte': `<script>
        import { Tollgate } from '@tollgate/widget/svelte'
        let { site } = $props()
        </script>
        <form><Tollgate {...site} /><button>Send</button></form>`,
      'main.js': `import { mount } from 'svelte'
        import Form from './Form.svelte'
        mount(Form, { target: document.querySelector('main'), props: { site } })`,
    },
  },
]

for (const { works, plugins, bundled = [], files } of APPS)
  test.describe(works.annotation.description, () => {
    test('the package: hot reload', works, async ({ page, trial }, testInfo) => {
      const [form = '', main = ''] = Object.keys(files)
      const site = { url: trial.endpoint, sitekey: trial.sitekey, intent: await trial.intent() }
      const root = testInfo.outputPath('app')
      mkdirSync(root, { recursive: true })
      for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
      writeFileSync(
        join(root, 'index.html'),
        `<!doctype html><html lang="en"><title>Shop</title><main></main>
      <script>site = ${JSON.stringify(site)}</script><script type="module" src="/${main}"></script></html>`,
      )
      // names the file for which the page is reloaded
      const said: string[] = []
      const info = (message: string) => said.push(message)
      // a build in this process has set it to production, with which the plugins replace no modules
      process.env['NODE_ENV'] = 'development'
      const server = await createServer({
        root,
        configFile: false,
        customLogger: { ...createLogger('error'), info },
        // a change below the root reloads the page
        cacheDir: testInfo.outputPath('cache'),
        plugins,
        resolve: { alias: { '@tollgate/widget': resolve('sdk/widget/dist') } },
        // a package that Vite finds later reloads the page
        optimizeDeps: { include: bundled, noDiscovery: true },
        server: {
          host: 'localhost',
          port: 0,
          fs: { strict: false },
          // Vite does not watch the folder of Playwright
          watch: { ignored: ['!**/test-results/**'] },
        },
      })
      try {
        await server.listen()
        page.on('console', (message) => said.push(message.text()))
        await page.goto(server.resolvedUrls?.local[0] ?? '')
        await expect(check(page)).toHaveText('Verified')
        await page.evaluate('window.isFirstPage = true')
        const path = join(root, form)
        // in one step: of a file that is empty for a moment, nothing can be replaced, and the page is reloaded
        const saved = testInfo.outputPath(form)
        writeFileSync(saved, readFileSync(path, 'utf8').replace('Send</button>', 'Send it</button>'))
        renameSync(saved, path)
        await expect(page.getByRole('button', { name: 'Send it' })).toBeVisible()
        await expect(check(page)).toHaveText('Verified')
        await expect(page.locator('[data-tollgate]')).toHaveCount(1)
        expect(await page.evaluate('window.isFirstPage'), said.join('\n')).toBe(true)
        expect(await trial.redeem(site.intent, await token(page).inputValue())).toBe(200)
      } finally {
        await server.close()
      }
    })
  })
