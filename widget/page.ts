import { createHelp } from './help.ts'
import { createLanguages } from './language.ts'
import { ATTRIBUTES } from './options.ts'
import solverFolder from './solver/folder'
import { createHire, inWorkers, once, onMainThread } from './solver/hire.ts'
import { createSolver } from './solver/solve.ts'
import { findTool } from './solver/tool.ts'
import textFolder from './text/folder'
import type { RenderOptions, SvcCaptcha, WidgetRef } from './types.ts'
import { createWidget, type Widget } from './widget.ts'

const MAX_WORKERS = 8

/** All widgets of the page. */
export interface Page {
  readonly api: SvcCaptcha
  /** From now on widgets follow their containers: attributes that change, and containers that leave. */
  watch(): void
}

/**
 * `base` is the URL of widget.js, beside which its other files are. `automatic` renders every `.svc-captcha` whenever
 * it appears; else the page calls `render`.
 */
export function createPage(base: string, automatic: boolean): Page {
  const widgets = new Set<Widget>()
  /** Removed on purpose: these containers are not rendered again by themselves. */
  const dismissed = new WeakSet<Element>()
  /** Rendered before they were put into the page: these have not left it. */
  const awaited = new WeakSet<Element>()
  const containers = document.getElementsByClassName('svc-captcha')
  const shared = createShared(base)
  let count = 0

  function find(ref: WidgetRef): Widget | undefined {
    return [...widgets].find(({ id, container }) => id === ref || container === ref)
  }

  function render(el: HTMLElement | string, options: RenderOptions = {}): string {
    const container = typeof el === 'string' ? document.querySelector<HTMLElement>(el) : el
    if (!container) throw new TypeError(`svcCaptcha.render: no such element`)
    remove(container)
    dismissed.delete(container)
    if (!container.isConnected) awaited.add(container)
    count += 1
    const widget = createWidget(`tollgate-${count}`, container, options, shared)
    widgets.add(widget)
    widget.begin()
    return widget.id
  }

  function remove(ref: WidgetRef): void {
    const widget = find(ref)
    if (!widget) return
    widgets.delete(widget)
    dismissed.add(widget.container)
    widget.remove()
  }

  /** Brings the widgets in line with the document. */
  function sweep(): void {
    for (const widget of widgets) {
      const { container } = widget
      if (container.isConnected) {
        awaited.delete(container)
        widget.stay()
      } else if (!awaited.has(container)) {
        remove(container)
        dismissed.delete(container)
      }
    }
    if (!automatic) return
    for (const container of containers) {
      if (container instanceof HTMLElement && !find(container) && !dismissed.has(container)) render(container)
    }
  }

  function watch(): void {
    const observer = new MutationObserver((records) => {
      for (const { type, target } of records) {
        if (type === 'attributes' && target instanceof Element) find(target)?.reread()
      }
      sweep()
    })
    observer.observe(document, { subtree: true, childList: true, attributeFilter: ['class', ...ATTRIBUTES] })
    const wake = (restored: boolean) => {
      for (const widget of widgets) widget.wake(restored)
    }
    addEventListener('pageshow', ({ persisted }) => wake(persisted))
    document.addEventListener('visibilitychange', () => wake(false))
    addEventListener('online', () => {
      for (const widget of widgets) widget.reconnect()
    })
    sweep()
  }

  const api: SvcCaptcha = {
    ready: (fn) => {
      if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => fn(), { once: true })
      else fn()
    },
    render,
    remove,
    execute: (ref) => find(ref)?.execute(),
    reset: (ref, options) => find(ref)?.reset(options?.intent),
    getResponse: (ref) => find(ref)?.getResponse() ?? '',
    isExpired: (ref) => find(ref)?.isExpired() ?? false,
  }
  return { api, watch }
}

function createShared(base: string): Parameters<typeof createWidget>[3] {
  const folder = new URL(solverFolder, base).href
  const texts = new URL(textFolder, base)
  const tool = once(() => findTool(folder))
  const workers = inWorkers(base)
  return {
    solver: createSolver({
      // One core stays with the page. Where the number is kept secret, two is what nearly every device has.
      workers: Math.min(MAX_WORKERS, (navigator.hardwareConcurrency || 2) - 1),
      hireWorker: createHire(workers, tool),
      hireMainThread: createHire(onMainThread, tool),
      fetchAhead: () => void Promise.all([workers(), tool()]).catch(() => undefined),
    }),
    loadLanguage: createLanguages(texts),
    help: createHelp(new URL('help.json', texts)),
  }
}
