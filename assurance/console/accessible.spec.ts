import { findFaults } from '../../e2e/setup/accessible.ts'
import { expect, test } from '../../e2e/setup/test.ts'

const page = (markup: string) =>
  `<!doctype html><html lang="en"><title>any</title><main><h1>any</h1>${markup}</main></html>`

/** Faults of a page: the markup, and the message that is expected. */
const BROKEN: Readonly<Record<string, [markup: string, fault: RegExp]>> = {
  'a button without a name': ['<button></button>', /^light, 768 pixels wide: button-name/],
  'a button without a name on a tablet': [
    '<style>button { display: none } @media (width < 800px) { button { display: block } }</style><button></button>',
    /^light, 768 pixels wide: button-name/,
  ],
  'too little contrast': ['<p style="color: #999; background: white">text</p>', /^light, 1280 .*: color-contrast/],
  'too little contrast on a phone': [
    '<style>p { background: white } @media (width < 400px) { p { color: #999 } }</style><p>text</p>',
    /^light, 320 .*: color-contrast/,
  ],
  'too little contrast of what only a phone shows, in the dark': [
    `<style>p { display: none; background: white }
       @media (width < 400px) { p { display: block } } @media (prefers-color-scheme: dark) { p { color: #999 } }</style>
     <div><p>text</p></div>`,
    /^dark, 320 .*: color-contrast/,
  ],
  'too little contrast in the dark': [
    '<style>p { background: white } @media (prefers-color-scheme: dark) { p { color: #999 } }</style><p>text</p>',
    /^dark, 1280 .*: color-contrast/,
  ],
  'more than fits a phone': ['<p style="inline-size: 600px">text</p>', /^light, 320 pixels wide: takes 6\d\d pixels/],
  'a dialog that scrolls sideways': [
    `<div role="dialog" aria-label="any">
       <div tabindex="0" style="overflow: auto"><p style="inline-size: 2000px">text</p></div>
     </div>`,
    /: scrolls sideways in a dialog: text/,
  ],
  'a table beside the navigation that is cut off': [
    `<style>td { min-inline-size: 60px } @media (800px < width < 1100px) { td { min-inline-size: 400px } }</style>
     <div style="inline-size: 300px; overflow: clip"><table aria-label="any"><tr><td>text</td></tr></table></div>`,
    /^light, 1024 pixels wide: a table is cut off: any by 1\d\d pixels/,
  ],
  'a name that is not what the button shows': [
    '<button aria-label="Menu">Account</button>',
    /^light, 1280 .*: label-content-name-mismatch/,
  ],
  'targets that are small and close': [
    '<style>a { display: block; inline-size: 12px; block-size: 12px }</style><a href="/1">1</a><a href="/2">2</a>',
    /^light, 1280 .*: target-size/,
  ],
  'a table whose heading lacks a column': [
    '<table aria-label="any"><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td><td>c</td></tr></tbody></table>',
    /: a row with other columns than its heading: any/,
  ],
}

for (const [name, [markup, fault]] of Object.entries(BROKEN)) {
  test(`findFaults reports ${name}`, async ({ page: tab }) => {
    await tab.setContent(page(markup))
    expect((await findFaults(tab)).filter((found) => fault.test(found)).length).toBeGreaterThan(0)
  })
}

test('findFaults reports nothing on a page without faults', async ({ page: tab }) => {
  await tab.setContent(page('<button>any</button>'))
  expect(await findFaults(tab)).toEqual([])
})
