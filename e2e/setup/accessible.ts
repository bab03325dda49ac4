import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
/** WCAG 2.5.3. Axe takes it for experimental, so that its tag does not enable it. */
const LABEL_IN_NAME = 'label-content-name-mismatch'
/** Beside the navigation, a table has the least room at 1024. */
const WIDTHS = [1280, 1024, 768, 320]
/** Axe finds nothing there that it does not find wider or narrower. */
const WITHOUT_AXE = 1024

/** What a theme changes: the page is the same in both but for its colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** An element at the edge of a dialog that passes the focus on at once, which axe cannot know. */
const GUARD = '[data-base-ui-focus-guard]'

/** The texts of elements in an open dialog that scroll sideways, which a person would not expect there. */
const SIDEWAYS = `[...document.querySelectorAll('[role=dialog] *')]
  .filter((part) => part.scrollWidth > part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX))
  .map((part) => part.innerText)`

/**
 * Ends what is on its way: colours between two themes belong to neither, and what fades in has too little contrast. From
 * now on nothing in the document fades.
 */
const SETTLE = `if (!window.settled) {
    settled = new CSSStyleSheet()
    settled.replaceSync('*, ::before, ::after { transition: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, settled]
  }
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish()`

/** Three lines of a table with its padding are 73 high. No text takes more, so a higher row has a column that is too narrow to read. */
const ROW_MAX = 76
/** On narrower screens most rows are cards, which may be of any height. */
const CARDS_BELOW = 768
/** The table rows that are too high. */
const HIGH_ROWS = `[...document.querySelectorAll('table tbody tr')]
  .filter((row) => getComputedStyle(row).display === 'table-row' && row.offsetHeight > ${ROW_MAX})
  .map((row) => row.closest('table').ariaLabel + ': ' + row.offsetHeight + ' pixels, ' + row.innerText.slice(0, 60))`

/** The tables of which columns are cut off. */
const CUT_TABLES = `[...document.querySelectorAll('table')]
  .map((table) => [table, table.offsetWidth - table.parentElement.clientWidth])
  .filter(([table, over]) => over > 1 && !/auto|scroll/.test(getComputedStyle(table.parentElement).overflowX))
  .map(([table, over]) => 'a table is cut off: ' + table.ariaLabel + ' by ' + over + ' pixels')`

/** The table rows that have another number of cells than their heading. */
const ODD_ROWS = `(() => {
  const count = (row) => [...row.cells].filter((cell) => getComputedStyle(cell).display !== 'none')
    .reduce((sum, cell) => sum + cell.colSpan, 0)
  return [...document.querySelectorAll('table tbody tr')]
    .filter((row) => getComputedStyle(row).display === 'table-row')
    .filter((row) => count(row) !== count(row.closest('table').rows[0]))
    .map((row) => 'a row with other columns than its heading: ' + row.closest('table').ariaLabel)
})()`

/** No shorter word is broken, however narrow the screen: such a heading has too little room. */
const WORD_MAX = 18
/** The words of headings that are broken, and the texts of charts that are cut off. */
const CUT = `[...document.querySelectorAll('h1, h2')].flatMap((heading) => {
  const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
  const found = []
  while (texts.nextNode()) for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
    const range = document.createRange()
    range.setStart(texts.currentNode, index)
    range.setEnd(texts.currentNode, index + word.length)
    if (word.length <= ${WORD_MAX} && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
      found.push('a broken word in a heading: ' + word)
  }
  return found
}).concat([...document.querySelectorAll('figure svg text')]
  .filter((text) => text.getBoundingClientRect().right > text.ownerSVGElement.getBoundingClientRect().right + 1)
  .map((text) => 'a text of a chart is cut off: ' + text.textContent))`

/** What is cut off for longer stays so. */
const REDRAWN_MS = 3000

/** Begins to remember the colours of the elements that were looked at. */
const FORGET = 'window.looked = { colours: new WeakMap(), fresh: [] }'

/** Finds the elements whose colours were not looked at yet, the outermost of them, and remembers them; how many. */
const FIND_FRESH = `(() => {
  const fresh = new Set()
  for (const each of document.body.querySelectorAll('*')) {
    const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity } = getComputedStyle(each)
    const { width, height } = each.getBoundingClientRect()
    const isShown = width > 1 && height > 1 && each.checkVisibility({ visibilityProperty: true })
    const colours = [color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity].join()
    if (!isShown || looked.colours.get(each) === colours) continue
    looked.colours.set(each, colours)
    fresh.add(each)
  }
  looked.fresh = [...fresh].filter((each) => !fresh.has(each.parentElement))
  return looked.fresh.length
})()`

/**
 * What the page shows that breaks WCAG 2.2 A or AA, light or dark, or scrolls sideways, wide or narrow. Colours,
 * which take axe longer than all the rest, are looked at in the widest, and in the narrowest those that the widest did not
 * show: nothing has others in between.
 */
export async function findFaults(
  page: Page,
  widths: readonly number[] = WIDTHS,
  themes: readonly ('light' | 'dark')[] = ['light', 'dark'],
): Promise<string[]> {
  const outermost = new Set([widths[0], widths.at(-1)])
  const faults: string[] = []
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme })
    await page.evaluate(FORGET)
    for (const width of colorScheme === 'light' ? widths : widths.filter((each) => outermost.has(each))) {
      await page.setViewportSize({ width, height: 900 })
      await page.evaluate(SETTLE)
      const found = [
        ...(colorScheme === 'light' && width !== WITHOUT_AXE ? await structureFaults(page) : []),
        ...(outermost.has(width) ? await colourFaults(page) : []),
      ]
      const inDialogs = await page.evaluate<string[]>(SIDEWAYS)
      found.push(...inDialogs.map((text) => `scrolls sideways in a dialog: ${text}`))
      const high = width < CARDS_BELOW ? [] : await page.evaluate<string[]>(HIGH_ROWS)
      found.push(...high.map((row) => `a row that is too high: ${row}`))
      found.push(...(await cutTexts(page)), ...(await page.evaluate<string[]>(CUT_TABLES)))
      if (width >= CARDS_BELOW) found.push(...new Set(await page.evaluate<string[]>(ODD_ROWS)))
      const taken = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (taken > width) found.push(`takes ${taken} pixels`)
      faults.push(...found.map((fault) => `${colorScheme}, ${width} pixels wide: ${fault}`))
    }
  }
  return faults
}

/** A chart is drawn again a moment after its width has changed, so only what stays cut off counts. */
async function cutTexts(page: Page): Promise<string[]> {
  const end = Date.now() + REDRAWN_MS
  for (;;) {
    const found = await page.evaluate<string[]>(CUT)
    if (found.length === 0 || Date.now() > end) return found
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
}

function structureFaults(page: Page): Promise<string[]> {
  const others = OF_COLOURS.map((rule) => [rule, { enabled: false }])
  const rules = { ...Object.fromEntries(others), [LABEL_IN_NAME]: { enabled: true } }
  return violationsOf(page, 'document', { runOnly: RULES, rules })
}

async function colourFaults(page: Page): Promise<string[]> {
  const fresh = await page.evaluate<number>(FIND_FRESH)
  return fresh === 0 ? [] : violationsOf(page, 'looked.fresh', { runOnly: OF_COLOURS })
}

/**
 * Of a test with the tag `@accessible`. With ALL_WIDTHS, as `npm run assurance` sets it, light and dark at these widths; else light
 * at the widest of them.
 */
export async function expectAccessible(page: Page, widths: readonly number[] = WIDTHS): Promise<void> {
  expect(test.info().tags, 'without the tag, npm run assurance does not check it').toContain('@accessible')
  const found = process.env['ALL_WIDTHS'] ? findFaults(page, widths) : findFaults(page, widths.slice(0, 1), ['light'])
  expect.soft(await found).toEqual([])
}

/**
 * What axe finds. Run in the page itself: its own driver for Playwright opens another page each time, for the sake of
 * frames, of which there are none here, and takes eight times as long. `within`: an expression of the page.
 */
async function violationsOf(page: Page, within: string, options: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  // without the rules that passed: collecting them takes longer than checking
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] })
  return page.evaluate<
    string[]
  >(`axe.run({ include: ${within}, exclude: ['${GUARD}'] }, ${all}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`)
}
