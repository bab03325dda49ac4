import { expect, test } from 'vitest'
import { formsOf, offersAgain, type Page, protectedForm, textOf, withValues } from './page.ts'

const page = (body: string, type = 'text/html'): Page => ({
  url: 'http://localhost:8000/checkout?product=bell',
  firstStatus: 200,
  status: 200,
  headers: { 'content-type': type },
  body,
  locations: [],
})

test('reads a form as a browser would send it', () => {
  const body = `<form method=post action="/checkout">
    <input type=hidden name=attempt value="a&amp;b">
    <input type=radio name=product value=bell><input type=radio name=product value=lamp checked>
    <input type=checkbox name=news><input name=email value="" required><input name=off value=x disabled>
    <select name=quantity><option>1</option><option value=2 selected>two</option></select>
    <textarea name=note>one &lt; two</textarea>
    <div class="svc-captcha" data-intent=i data-sitekey=s data-callback=done data-response-field-name=token></div>
    <input type=file name=picture><button name=go value=now>Send</button><button name=stop>Stop</button></form>`
  expect(protectedForm(page(body))).toEqual({
    action: 'http://localhost:8000/checkout',
    method: 'POST',
    multipart: false,
    values: [
      ['attempt', 'a&b'],
      ['product', 'lamp'],
      ['email', ''],
      ['quantity', '2'],
      ['note', 'one < two'],
      ['go', 'now'],
    ],
    hidden: ['attempt'],
    widget: { intent: 'i', sitekey: 's', tokenField: 'token', callbacks: ['done'] },
  })
})

test('sends a form without action to its page, and ignores forms without the component', () => {
  const it = page('<form enctype="multipart/form-data"><input name=q></form>')
  expect(formsOf(it)).toMatchObject([{ action: it.url, method: 'GET', multipart: true, widget: undefined }])
  expect(protectedForm(it)).toBeUndefined()
})

test('replaces values by name and leaves out undefined ones', () => {
  const values = withValues(
    [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ],
    { a: '4', b: undefined, c: '5' },
  )
  expect(values).toEqual([
    ['a', '4'],
    ['c', '5'],
  ])
})

test.each([
  ['a link to the form', '<a href="/checkout">Again</a>', true],
  ['a form to the form’s address', '<form method=post action="/checkout?x=1"></form>', true],
  ['a link elsewhere', '<a href="/">Home</a><form action="/search"></form>', false],
  ['a link that is no address', '<a href="http://[">x</a>', false],
])('%s: does it offer to try again?', (_, body, offers) => {
  expect(offersAgain(page(body), 'http://localhost:8000/checkout')).toBe(offers)
})

test('extracts the visible text of a page', () => {
  expect(
    textOf(
      page('<!DOCTYPE html><title>Shop</title><script>no()</script><p>Please try again.</p><noscript>no</noscript>'),
    ),
  ).toBe('Please try again.')
  expect(textOf(page('{"error":"unavailable"}', 'application/json'))).toBe('')
})
