import { cpuSeconds } from '../cpu.ts'
import type { Chromium } from './chromium.ts'
import { throttle } from './throttle.ts'

/** `rate`: how many times slower the page's threads are. `background`: hidden as soon as the verification has begun. */
export type Condition = {
  kind: 'sha256' | 'hashwx'
  workers: number
  rate: number
  tab: 'foreground' | 'background'
  caches: 'warm' | 'cold'
}

/** Times in milliseconds since the navigation began. */
export type Visit = {
  /** The component is rendered and starts the verification. */
  ready: number
  solved: number
  hidden?: number
  /** CPU seconds of all processes of the browser, from the navigation to the token. */
  cpu: number
  /** Milliseconds of the longest task of the main thread; undefined if none took 50, which browsers do not report. */
  longest?: number
  token: string
}

const TIMEOUT_MS = 90_000

/** Runs before the scripts of the page. The component starts a worker for each core but one. */
const record = (workers: number) => `
  Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => ${workers + 1} })
  const { seen, tasks } = (window.bench = { seen: {}, tasks: [] })
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  document.addEventListener('visibilitychange', () => { if (document.hidden) seen.hidden ??= performance.now() })
  for (const name of ['ready', 'solved', 'error'])
    document.addEventListener('svc-captcha:' + name, ({ detail }) => {
      seen[name] = performance.now()
      seen.token = detail.response
      notifyBench(detail.code ?? name)
    })`

const READ = `(() => {
  const { seen, tasks } = window.bench
  return tasks.length > 0 ? { ...seen, longest: Math.max(...tasks.map(({ duration }) => duration)) } : seen
})()`

/** Opens `url` in a new tab and waits for the component's token. */
export async function visit(chromium: Chromium, url: string, { workers, rate, tab }: Condition): Promise<Visit> {
  const { page, pid } = await chromium.openTab()
  try {
    const session = await page.context().newCDPSession(page)
    // a function of Playwright's own would run scripts in the page while it is measured
    await session.send('Runtime.enable')
    await session.send('Runtime.addBinding', { name: 'notifyBench' })
    await page.addInitScript(record(workers))
    const solved = new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no token in ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
      session.on('Runtime.bindingCalled', ({ name, payload }) => {
        if (name !== 'notifyBench') return
        if (payload === 'ready') {
          if (tab === 'background') chromium.hideOthers().catch(reject)
          return
        }
        clearTimeout(timer)
        if (payload === 'solved') resolve(cpuSeconds(chromium.pid))
        else reject(new Error(`the component reports ${payload}`))
      })
    })
    const processes = await chromium.renderers()
    const before = cpuSeconds(chromium.pid)
    const stop = await throttle(pid, rate)
    let after: number
    try {
      after = await Promise.all([solved, page.goto(url, { waitUntil: 'commit' })]).then(([seconds]) => seconds)
    } finally {
      stop()
    }
    const added = (await chromium.renderers()).filter((each) => !processes.includes(each))
    if (added.length > 0) throw new Error('the page was not in the process that was throttled')
    // observers hear of a task after its end
    await page.waitForTimeout(100)
    return { ...((await page.evaluate(READ)) as Omit<Visit, 'cpu'>), cpu: after - before }
  } finally {
    await page.close()
  }
}
