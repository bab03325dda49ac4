import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from '../../e2e/setup/test.ts'

const folderOf = (path: string) => new URL(path, import.meta.url)
const TAGS = readdirSync(folderOf('../../widget/text')).map((name) => name.slice(0, -'.json'.length))
const FROM_RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur'])
/** Languages whose lines can break between any two letters or syllables. */
const BREAKS_WITHIN_WORDS = new Set(['ja', 'ko', 'th', 'zh', 'zh-TW'])
/** Packages of @fontsource-variable by language, because the fonts of machines differ in width or are missing. */
const FONTS: Readonly<Record<string, string>> = {
  ar: 'noto-sans-arabic',
  bn: 'noto-sans-bengali',
  fa: 'noto-sans-arabic',
  he: 'noto-sans-hebrew',
  hi: 'noto-sans-devanagari',
  th: 'noto-sans-thai',
  ur: 'noto-sans-arabic',
}
const LATIN = 'inter'
/** As wide as Verdana: the widest font that browsers commonly use as `system-ui`. Has Latin, Greek and Cyrillic. */
const WIDE = 'DejaVu Sans'
/** These characters are square in every font, and so are the boxes that replace missing characters. */
const OF_ONE_WIDTH = new Set(['ja', 'ko', 'zh', 'zh-TW'])

/** By state: the service's response to the challenge request; undefined: no response. */
const ANSWERS: Readonly<Record<string, { status: number; body: object; after?: number } | undefined>> = {
  idle: undefined,
  working: undefined,
  waiting: { status: 429, body: { error: 'rate-limited' }, after: 50 },
  solved: { status: 200, body: { kind: 'none', response: 'tgr_none', expires_at: 1 } },
  expired: { status: 409, body: { error: 'intent-expired' } },
  offline: { status: 400, body: { error: 'network' } },
  limited: { status: 429, body: { error: 'rate-limited' }, after: 100 },
  busy: { status: 500, body: { error: 'internal-error' } },
  failed: { status: 422, body: { error: 'solution-invalid' } },
  unsupported: { status: 200, body: { kind: 'riddle', expires_at: 1 } },
  misconfigured: { status: 403, body: { error: 'site-disabled' } },
  unlisted: { status: 403, body: { error: 'origin-not-allowed' } },
}
/** In pixels. A higher box would move what is below it. */
const HEIGHTS: Readonly<Record<string, number>> = { normal: 72, compact: 148 }

/** Boxes of every size in these states. */
const boxes = (states: readonly string[]): string =>
  Object.keys(HEIGHTS)
    .flatMap((size) => states.map((state) => ({ size, state, start: state === 'idle' ? 'submit' : 'auto' })))
    .map(
      ({ size, state, start }) =>
        `<div class="svc-captcha" data-sitekey="any" data-endpoint="." data-intent="${state}" data-size="${size}" data-start="${start}"></div>`,
    )
    .join('')

/** The style sheets of all fonts, and a box for every state and size. */
function markup(): string {
  const fonts = new Set([LATIN, ...Object.values(FONTS)])
  const paths = [...fonts].map((font) => `@fontsource-variable/${font}/index`)
  paths.push('@fontsource/dejavu-sans/400', '@fontsource/dejavu-sans/700')
  const sheets = paths.map((path) => `<link rel="stylesheet" href="/fonts/${path}.css">`)
  return `${sheets.join('')}<style>body { inline-size: 300px }</style>${boxes(Object.keys(ANSWERS))}`
}

/** Mocks the service, where the box's intent names the state that the response has to cause, and serves the fonts of packages. */
async function mockServers(page: Page): Promise<void> {
  await page.route('**/challenge', async (route) => {
    const { intent_id: state }: { intent_id: string } = route.request().postDataJSON()
    const answer = ANSWERS[state]
    if (!answer) return
    const { status, body, after } = answer
    const headers = { 'x-request-id': '0192f0c1-77aa-7c3e-9d52-8f0e4a6b1c2d', 'retry-after': `${after ?? 0}` }
    await route.fulfill({ status, headers, json: body })
  })
  await page.route('**/fonts/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/fonts/', '')
    await route.fulfill({ path: fileURLToPath(folderOf(`../../node_modules/${path}`)) })
  })
}

/** In the page: the layout faults of all boxes in one language after the other, with each of its font families. */
const FAULTS = `async (languages, heights) => {
  const boxes = [...document.querySelectorAll('.svc-captcha')].map(({ dataset, children }) => {
    const host = [...children].find(({ shadowRoot }) => shadowRoot)
    return { intent: dataset.intent, size: dataset.size, dataset, box: host.shadowRoot.querySelector('.box') }
  })
  const names = { idle: 'idle', working: 'loading', waiting: 'loading', solved: 'solved', expired: 'expired' }
  const areThere = (tag) => boxes.every(
    ({ intent, box }) => box.lang === tag.toLowerCase() && box.dataset.state === (names[intent] ?? 'error'),
  )
  // timers and frames stand still
  const turn = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(0)
  })
  const isOut = (inner, outer) =>
    inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom
  const countLines = (text, start, end) => {
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, end)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  }
  const faultsOf = ({ size, box }, { direction, isBreakable }) => {
    const faults = []
    if (getComputedStyle(box).direction !== direction) faults.push('runs the wrong way')
    if (box.offsetHeight > heights[size]) faults.push('is ' + box.offsetHeight + ' pixels high')
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) faults.push('overflows')
    for (const part of box.querySelectorAll('.label, .advice, .checkbox, .action, .reference')) {
      const text = part.firstChild
      if (part.getClientRects().length === 0 || !text) continue
      if (isOut(part.getBoundingClientRect(), box.getBoundingClientRect())) faults.push(part.className + ' sticks out')
      if (part.clientWidth > 0 && part.scrollWidth > part.clientWidth) faults.push(part.className + ' is cut')
      if (part.className === 'action' && countLines(text, 0, text.length) > 1) faults.push('button has two lines')
      for (const { 0: word, index } of isBreakable ? [] : text.data.matchAll(/[^\\s-]+/g)) {
        if (countLines(text, index, index + word.length) > 1) faults.push(word + ' is broken')
      }
    }
    return faults
  }
  const found = []
  for (const language of languages) {
    for (const { dataset } of boxes) dataset.language = language.tag
    while (!areThere(language.tag)) await turn()
    for (const family of language.families) {
      for (const { box } of boxes) box.style.fontFamily = family
      await Promise.all([...document.fonts].filter((face) => face.family === family).map((face) => face.load()))
      for (const each of boxes)
        for (const fault of faultsOf(each, language)) found.push([language.tag, family, each.size, each.intent, fault].join(' '))
    }
  }
  return found
}`

/** The layout faults of all boxes in these languages. */
const findFaults = (page: Page, tags: readonly string[]): Promise<string[]> => {
  const languages = tags.map((tag) => ({
    tag,
    direction: FROM_RIGHT_TO_LEFT.has(tag) ? 'rtl' : 'ltr',
    isBreakable: BREAKS_WITHIN_WORDS.has(tag),
    families: familyFor(tag) === familyOf(LATIN) ? [familyOf(LATIN), WIDE] : [familyFor(tag)],
  }))
  return page.evaluate<string[]>(`(${FAULTS})(${JSON.stringify(languages)}, ${JSON.stringify(HEIGHTS)})`)
}

const familyFor = (tag: string) => (OF_ONE_WIDTH.has(tag) ? '' : familyOf(FONTS[tag] ?? LATIN))

/** The family name that fontsource uses. */
const familyOf = (font: string) =>
  `${font.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()).replaceAll('-', ' ')} Variable`

test('every language fits the box in every state, and is loaded only when it is needed', async ({ page, visit }) => {
  const fetched: string[] = []
  page.on('response', (response) => {
    if (/\/text-(?!.*help)/.test(response.url())) fetched.push(response.url())
  })
  // Time is paused, so that no request times out while the boxes are measured.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1000)
  await mockServers(page)
  await visit(markup())
  await expect(page.getByText('Verification expired')).toHaveCount(2)
  // After something was typed, an expired component says so; those that are added then are as before.
  await page.evaluate(`document.body.dispatchEvent(new Event('input', { bubbles: true }))
    document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(boxes(['expired']))})`)
  await expect(page.getByText('Verification expired')).toHaveCount(4)
  await expect(page.getByText(/^Copy your text/)).toHaveCount(2)
  expect(await findFaults(page, ['en'])).toEqual([])
  expect(fetched).toEqual([])

  const others = TAGS.filter((tag) => tag !== 'en')
  expect(await findFaults(page, others)).toEqual([])
  expect(new Set(fetched.map((url) => url.replace(/[^/]*$/, ''))).size).toBe(1)
  expect(fetched.map((url) => url.replace(/.*\//, ''))).toEqual(others.map((tag) => `${tag.toLowerCase()}.json`))
  expect(
    await page.evaluate(`[...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family)`),
  ).toEqual(expect.arrayContaining([...Object.values(FONTS).map(familyOf), familyOf(LATIN), WIDE]))
})

test('texts are cached for any origin; a missing text is not', async ({ page, visit, service }) => {
  const text = page.waitForResponse(/widget\/assets\/text-.*\/fr\.json$/)
  await visit('<div class="svc-captcha" data-language="fr-CA" data-start="submit"></div>')
  const headers = await (await text).allHeaders()
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'access-control-allow-origin': '*',
    'content-type': expect.stringContaining('application/json'),
  })
  const gone = await page.request.get(`${service.url}/widget/assets/text-gone/fr.json`)
  expect(gone.status()).toBe(404)
  expect(gone.headers()['cache-control'] ?? '').not.toContain('immutable')
})
