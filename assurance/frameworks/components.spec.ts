import { compile } from 'svelte/compiler'
import { bundleApp } from './bundle.ts'
import { expect, expectSignUp, hideAndShow, sendEarly, sendVerified, test, worksWith } from './works.ts'

/** Applications of frameworks whose components render a form, which a button of theirs hides and shows. */

const PREACT = `/** @jsxImportSource preact */
import { render } from 'preact'
import { useState } from 'preact/hooks'

function App() {
  const [shown, setShown] = useState(true)
  return (
    <>
      {shown && (
        <form onSubmit={signUp}>
          <input type="hidden" name="attempt" value={site.attempt} />
          <label>Comment <input name="comment" /></label>
          <div class="svc-captcha" data-endpoint={site.endpoint} data-sitekey={site.sitekey} data-intent={site.intent} />
          <button>Send</button>
        </form>
      )}
      <button onClick={() => setShown(!shown)}>Show or hide</button>
    </>
  )
}
render(<App />, document.querySelector('main'))`

const SVELTE = `<script>
  let shown = $state(true)
  const { site, signUp } = window
</script>
{#if shown}
  <form onsubmit={signUp}>
    <input type="hidden" name="attempt" value={site.attempt} />
    <label>Comment <input name="comment" /></label>
    <div class="svc-captcha" data-endpoint={site.endpoint} data-sitekey={site.sitekey} data-intent={site.intent}></div>
    <button>Send</button>
  </form>
{/if}
<button onclick={() => (shown = !shown)}>Show or hide</button>`

const SVELTE_PLUGIN = {
  name: 'svelte',
  transform: (code: string, id: string) =>
    id.endsWith('.svelte') ? compile(code, { filename: id, dev: true }).js.code : null,
}

const SOLID = `import { createSignal, Show } from 'solid-js'
import html from 'solid-js/html'
import { render } from 'solid-js/web'

const [shown, setShown] = createSignal(true)
render(() => html\`
  <\${Show} when=\${shown}>\${() => html\`
    <form onSubmit=\${signUp}>
      <input type="hidden" name="attempt" value=\${site.attempt} />
      <label>Comment <input name="comment" /></label>
      <div class="svc-captcha" data-endpoint=\${site.endpoint} data-sitekey=\${site.sitekey} data-intent=\${site.intent}></div>
      <button>Send</button>
    </form>\`}<//>
  <button onClick=\${() => setShown(!shown())}>Show or hide</button>\`, document.querySelector('main'))`

/** Its form is in a shadow root, where the component is rendered by its function. */
const LIT = `import { html, LitElement, nothing } from 'lit'

class SignUp extends LitElement {
  static properties = { shown: { state: true } }
  constructor() {
    super()
    this.shown = true
  }
  updated() {
    const box = this.renderRoot.querySelector('.captcha')
    if (box) svcCaptcha.ready(() => svcCaptcha.render(box, site))
  }
  render() {
    return html\`\${this.shown ? html\`
      <form @submit=\${signUp}>
        <input type="hidden" name="attempt" value=\${site.attempt}>
        <label>Comment <input name="comment"></label>
        <div class="captcha"></div>
        <button>Send</button>
      </form>\` : nothing}
      <button @click=\${() => { this.shown = !this.shown }}>Show or hide</button>\`
  }
}
customElements.define('sign-up', SignUp)
document.querySelector('main').append(document.createElement('sign-up'))`

const ANGULAR = `import 'zone.js'
import '@angular/compiler'
import { Component, provideZoneChangeDetection } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'

const App = Component({
  selector: 'main',
  template: \`
    @if (shown) {
      <form (submit)="signUp($event)">
        <input type="hidden" name="attempt" [value]="site.attempt">
        <label>Comment <input name="comment"></label>
        <div class="svc-captcha" [attr.data-endpoint]="site.endpoint" [attr.data-sitekey]="site.sitekey" [attr.data-intent]="site.intent"></div>
        <button>Send</button>
      </form>
    }
    <button (click)="shown = !shown">Show or hide</button>\`,
})(class {
  shown = true
  site = window.site
  signUp = window.signUp
})
bootstrapApplication(App, { providers: [provideZoneChangeDetection()] }).catch((error) => console.error(error))`

const FRAMEWORKS = [
  { name: 'Preact', files: { 'main.jsx': PREACT } },
  {
    name: 'Svelte',
    files: {
      'main.js': `import { mount } from 'svelte'\nimport App from './App.svelte'\nmount(App, { target: document.querySelector('main') })`,
      'App.svelte': SVELTE,
    },
    plugins: [SVELTE_PLUGIN],
  },
  { name: 'Solid', from: 'solid-js', files: { 'main.js': SOLID } },
  { name: 'Lit', files: { 'main.js': LIT }, place: ', in a shadow root' },
  { name: 'Angular', from: '@angular/core', files: { 'main.js': ANGULAR }, place: ', with zone.js' },
]

for (const { name, from, files, plugins, place = '' } of FRAMEWORKS) {
  test.describe(name, () => {
    // in one worker, which bundles it once
    test.describe.configure({ mode: 'default' })
    const works = worksWith(name, from)
    const pages = { '/': () => '<main></main>' }
    let app: string
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the pattern
    test.beforeAll(async ({}, testInfo) => {
      app = await bundleApp(testInfo, files, { plugins })
    })

    test(`a form with a submit handler, sent early${place}`, works, async ({ page, open }) => {
      const shop = await open({ app, pages })
      await sendEarly(page, () => page.goto(shop.url))
      await expectSignUp(page, shop)
    })

    test(`a form that is rendered again${place}`, works, async ({ page, open }) => {
      const shop = await open({ app, pages })
      await page.goto(shop.url)
      await hideAndShow(page)
      await sendVerified(page)
      await expectSignUp(page, shop)
    })
  })
}

test('loaded before the component', worksWith('zone.js'), async ({ page, open }) => {
  const shop = await open({ scripts: ['zone.js/bundles/zone.umd.js'] })
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
  // where it keeps those of the browser
  const kept = ['fetch', 'setTimeout', 'Promise', 'addEventListener'].map((name) => `__zone_symbol__${name}`)
  expect(await page.evaluate(`${JSON.stringify(kept)}.filter((name) => name in window)`)).toEqual(kept)
})
