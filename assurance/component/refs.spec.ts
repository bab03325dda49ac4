import { expect, test } from '../../e2e/setup/test.ts'
import { check, checkbox } from '../../e2e/setup/visitor.ts'

const CALLS = ['execute', 'reset', 'getResponse', 'isExpired', 'remove'] as const

/** How a script can refer to the component that it rendered with one of `RENDERED`. */
const REFS: Readonly<Record<string, string>> = {
  'the ID that render returned': 'id',
  'the element': `document.querySelector('#box')`,
  'a selector': `'#box'`,
  'another selector of the element': `'form > .place'`,
}

for (const [kind, ref] of Object.entries(REFS)) {
  test(`every function accepts ${kind}`, async ({ page, trial, visit }) => {
    await visit('<form><div class="place" id="box"></div></form>', { query: '?render=explicit' })
    await page.evaluate(
      `id = svcCaptcha.render(${ref === 'id' ? `'#box'` : ref}, ${await trial.options({ start: 'submit' })})`,
    )
    await page.evaluate(`svcCaptcha.execute(${ref})`)
    await expect(check(page)).toHaveText('Verified')
    expect(await page.evaluate(`svcCaptcha.getResponse(${ref})`)).toMatch(/^tgr_/)
    expect(await page.evaluate(`svcCaptcha.isExpired(${ref})`)).toBe(false)
    await page.evaluate(`svcCaptcha.reset(${ref}, { intent: '${await trial.intent()}' })`)
    await expect(checkbox(page)).toBeVisible()
    await page.evaluate(`svcCaptcha.remove(${ref})`)
    await expect(page.locator('[data-tollgate]')).toHaveCount(0)
  })
}

test('a selector finds a component in a shadow root', async ({ page, trial, visit }) => {
  await visit('<x-form></x-form>', { query: '?render=explicit' })
  await page.evaluate(`
    root = document.querySelector('x-form').attachShadow({ mode: 'open' })
    root.innerHTML = ${JSON.stringify(`<form>${await trial.box()}</form>`)}
    svcCaptcha.render(root.querySelector('.svc-captcha'))`)
  await expect(check(page)).toHaveText('Verified')
  expect(await page.evaluate(`svcCaptcha.getResponse('.svc-captcha')`)).toMatch(/^tgr_/)
  await expect(page.evaluate(`svcCaptcha.getResponse('0')`)).rejects.toThrow("'0' is not a valid selector")
})

/** IDs and selectors that never belonged to a component. */
const UNKNOWN = ['tollgate-99', 'unknown', '#nowhere', '#plain']

test('an ID or selector that never named a component is an error that says what to do', async ({ page, visit }) => {
  await visit('<div id="plain"></div>')
  await page.waitForFunction('window.svcCaptcha')
  for (const ref of UNKNOWN) {
    for (const call of CALLS) {
      const message = `svcCaptcha: no such element or ID: ${ref}.`
      await expect(page.evaluate(`svcCaptcha.${call}('${ref}')`), `${call} ${ref}`).rejects.toThrow(message)
    }
  }
  await expect(page.evaluate(`svcCaptcha.render('#nowhere')`)).rejects.toThrow('no such element or ID: #nowhere')
  await expect(page.evaluate(`svcCaptcha.render(null)`)).rejects.toThrow('no such element or ID: null')
  const list = page.evaluate(`svcCaptcha.render(document.querySelectorAll('b'))`)
  await expect(list).rejects.toThrow('no such element or ID: [object NodeList]')
})

test('the ID, selector and element of a removed component are ignored', async ({ page, trial, visit }) => {
  for (const remove of [`svcCaptcha.remove('#box')`, `document.querySelector('form').remove()`]) {
    await test.step(remove, async () => {
      await visit('<main></main>', { query: '?render=explicit' })
      const box = (await trial.box()).replace('<div', '<div id="box"')
      await page.evaluate(`
        document.querySelector('main').innerHTML = ${JSON.stringify(`<form>${box}</form>`)}
        element = document.querySelector('#box')
        id = svcCaptcha.render('#box')`)
      await expect(check(page)).toHaveText('Verified')
      await page.evaluate(remove)
      await expect(page.locator('[data-tollgate]')).toHaveCount(0)
      for (const ref of ['id', `'#box'`, 'element']) {
        for (const call of CALLS) {
          const answer = { getResponse: '', isExpired: false }[call as string]
          expect(await page.evaluate(`svcCaptcha.${call}(${ref})`), `${call} ${ref}`).toBe(answer)
        }
      }
    })
  }
})
