import { expectAccessible } from './setup/accessible.ts'
import { test } from './setup/test.ts'

/** Pages that break what pages here have to keep. Each of these tests has to fail. */
const BROKEN = {
  'no name': '<button></button>',
  'too little contrast': '<p style="color: #999; background: white">text</p>',
  'too little contrast in the dark':
    '<style>p { background: white } @media (prefers-color-scheme: dark) { p { color: #999 } }</style><p>text</p>',
  'more than fits a phone': '<p style="inline-size: 600px">text</p>',
  'a dialog that scrolls sideways':
    '<div role="dialog" aria-label="any"><div tabindex="0" style="overflow: auto"><p style="inline-size: 2000px">text</p></div></div>',
}

for (const [fault, markup] of Object.entries(BROKEN)) {
  test(`a page with ${fault} is no accessible page`, async ({ page }) => {
    test.fail()
    await page.setContent(`<!doctype html><html lang="en"><title>any</title><main><h1>any</h1>${markup}</main></html>`)
    await expectAccessible(page)
  })
}

test('a page without faults is one', async ({ page }) => {
  await page.setContent('<!doctype html><html lang="en"><title>any</title><main><h1>any</h1></main></html>')
  await expectAccessible(page)
})
