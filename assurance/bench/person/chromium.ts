import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Page } from 'playwright-core'
import { ensureBrowser } from '../../../scripts/browser.mjs'

/** Playwright's options treat hidden tabs like visible ones, so it only connects to a browser that is started here. */
const OPTIONS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--no-first-run',
  // navigator.webdriver, which the component reports
  '--disable-blink-features=AutomationControlled',
  // a page stays in the process of its tab, which is throttled
  '--disable-features=SpareRendererForSitePerProcess',
  '--remote-debugging-port=0',
]

export type Tab = { page: Page; pid: number }

/** Starts Chromium with an empty profile. Of its tabs, only the one in front is visible. */
export async function openChromium() {
  const program = (await ensureBrowser()) ?? chromium.executablePath()
  const profile = mkdtempSync(join(tmpdir(), 'tollgate-chromium-'))
  const child = spawn(program, [...OPTIONS, `--user-data-dir=${profile}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exit = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const browser = await chromium.connectOverCDP(await readAddress(child.stderr), { noDefaults: true })
  const context = browser.contexts()[0]
  const first = context?.pages()[0]
  if (!context || !first || child.pid === undefined) throw new Error('Chromium has no tab')
  const session = await browser.newBrowserCDPSession()

  async function renderers(): Promise<number[]> {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  }

  return {
    version: browser.version(),
    pid: child.pid,
    /** Opens a tab in front of the others, with a process of its own. */
    async openTab(): Promise<Tab> {
      const before = await renderers()
      const page = await context.newPage()
      const added = (await renderers()).filter((pid) => !before.includes(pid))
      const [pid] = added
      if (pid === undefined || added.length > 1) throw new Error(`a tab has started ${added.length} processes`)
      return { page, pid }
    },
    /** Shows the first tab, which hides the others. */
    hideOthers: () => first.bringToFront(),
    renderers,
    async close(): Promise<void> {
      await session.send('Browser.close').catch(() => child.kill())
      await exit
      process.off('exit', kill)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

export type Chromium = Awaited<ReturnType<typeof openChromium>>

/** Reads the address of the DevTools protocol. */
function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface(output)
      .on('line', (line) => {
        const [url] = /ws:\/\/\S+/.exec(line) ?? []
        if (url) resolve(url)
      })
      .on('close', () => reject(new Error('Chromium did not start')))
  })
}
