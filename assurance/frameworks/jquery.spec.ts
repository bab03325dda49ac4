import { check, delayResponses } from '../../e2e/setup/visitor.ts'
import { formOf } from './shop.ts'
import { expect, expectSignUp, sendEarly, sendVerified, test, worksWith } from './works.ts'

/** A script that runs when the page is ready. */
const ready = (script: string) => `<script>addEventListener('DOMContentLoaded', () => { ${script} })</script>`
const SHOW = `(answer) => $('output').html(answer)`
const POST = `$.post('/signup', $('form').serialize(), ${SHOW})`

for (const from of ['jquery-1', 'jquery', 'jquery-4']) {
  test.describe(from, () => {
    const works = worksWith('jQuery', from)
    const scripts = [`${from}/dist/jquery.js`]

    test("a handler of `.on('submit')` that sends `.serialize()`, sent early", works, async ({ page, open }) => {
      const head = ready(`$(document).on('submit', 'form', (event) => { event.preventDefault(); ${POST} })`)
      const shop = await open({ scripts, head })
      await sendEarly(page, () => page.goto(shop.url))
      await expectSignUp(page, shop)
    })

    for (const call of [`trigger('submit')`, 'submit()']) {
      test(`\`.${call}\`, called early`, works, async ({ page, open }) => {
        const shop = await open({ scripts })
        const proceed = await delayResponses(page, 'challenge')
        await page.goto(shop.url)
        await page.getByLabel('Comment').fill('hello')
        await expect(check(page)).toHaveText('Verifying you are human')
        await page.evaluate(`$('form').${call}`)
        proceed()
        await expectSignUp(page, shop)
      })
    }

    test('inserted by `.load()`', works, async ({ page, open }) => {
      const shop = await open({
        scripts,
        pages: { '/': () => '<main></main>' },
        head: ready(`$('main').load('/form')`),
      })
      await sendEarly(page, () => page.goto(shop.url))
      await expectSignUp(page, shop)
    })
  })
}

test.describe('jQuery Validation', () => {
  const works = worksWith('jQuery Validation', 'jquery-validation')
  const scripts = ['jquery/dist/jquery.js', 'jquery-validation/dist/jquery.validate.js']
  const validate = (submitHandler: string) =>
    ready(`$('form').validate({ rules: { comment: 'required' }, messages: { comment: 'Required' } ${submitHandler} })`)
  const HANDLERS = {
    'a `submitHandler` that sends `$(form).serialize()`': `, submitHandler: () => { ${POST} }`,
    'a `submitHandler` that calls `form.submit()`': ', submitHandler: (form) => form.submit()',
    'without a `submitHandler`': '',
  }
  for (const [title, handler] of Object.entries(HANDLERS)) {
    test(`${title}, first with an invalid field`, works, async ({ page, open }) => {
      const shop = await open({ scripts, head: validate(handler), form: (site) => formOf(site) })
      const proceed = await delayResponses(page, 'challenge')
      await page.goto(shop.url)
      await expect(check(page)).toHaveText('Verifying you are human')
      const send = page.getByRole('button', { name: 'Send' })
      await send.click()
      proceed()
      await expect(page.getByText('Required')).toBeVisible()
      await sendVerified(page)
      await expectSignUp(page, shop)
    })
  }
})
