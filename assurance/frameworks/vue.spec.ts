import { expectSignUp, hideAndShow, sendEarly, sendVerified, test, worksWith } from './works.ts'

const VUE = worksWith('Vue')

/** A page with an application of Vue; its compiler runs in the browser. */
const app = (template: string) => ({
  scripts: ['vue/dist/vue.global.js'],
  pages: {
    '/': () => `<main></main><script>addEventListener('DOMContentLoaded', () => {
      const Captcha = { props: ['site'], template: ${JSON.stringify(`<div class="svc-captcha" :data-endpoint="site.endpoint" :data-sitekey="site.sitekey" :data-intent="site.intent"></div>`)} }
      Vue.createApp({
        components: { Captcha },
        data: () => ({ site, shown: true }),
        methods: { signUp },
        template: ${JSON.stringify(template)},
      }).mount('main')
    })</script>`,
  },
})

const FORM = '<form @submit.prevent="signUp">'
const FIELDS = '<input type="hidden" name="attempt" :value="site.attempt"><label>Comment <input name="comment"></label>'
const BUTTONS = '<button type="button" @click="shown = !shown">Show or hide</button><button>Send</button>'

test('a form with `@submit.prevent`, sent early', VUE, async ({ page, open }) => {
  const shop = await open(app(`${FORM}${FIELDS}<Captcha :site="site" />${BUTTONS}</form>`))
  await sendEarly(page, () => page.goto(shop.url))
  await expectSignUp(page, shop)
})

test('hidden by `v-if` and shown again', VUE, async ({ page, open }) => {
  const shop = await open(app(`${FORM}${FIELDS}<Captcha v-if="shown" :site="site" />${BUTTONS}</form>`))
  await page.goto(shop.url)
  await hideAndShow(page)
  await sendVerified(page)
  await expectSignUp(page, shop)
})

test('hidden by `KeepAlive` and shown again', VUE, async ({ page, open }) => {
  const shop = await open(
    app(`${FORM}${FIELDS}<KeepAlive><Captcha v-if="shown" :site="site" /></KeepAlive>${BUTTONS}</form>`),
  )
  await page.goto(shop.url)
  await hideAndShow(page)
  await sendVerified(page)
  await expectSignUp(page, shop)
})
