import { type Call, createClient } from './client.ts'
import { csrfHeaders } from './csrf.ts'
import { describeSession } from './describe.ts'
import { BOX_SELECTOR, createBox } from './element.ts'
import { callPage, emit } from './events.ts'
import { createField } from './field.ts'
import { type FormEvents, type FormWatch, watchForm } from './form.ts'
import type { Help } from './help.ts'
import type { Language } from './language.ts'
import { isSameIntent, missingOptions, readOptions } from './options.ts'
import { IDLE, isWorking, type Session } from './session.ts'
import type { Solver } from './solver/solve.ts'
import type { RenderOptions } from './types.ts'
import { createVerification } from './verify.ts'

/** One captcha on the page. */
export interface Widget {
  readonly id: string
  readonly container: HTMLElement
  /** Renders the box and starts the verification if `start` is `auto`. Also continues after `pause`. */
  mount(): void
  execute(): void
  reset(intent?: string): void
  /** Applies attributes that the page has changed. A new intent resets the widget. */
  updateOptions(): void
  /** Inserts the box again if the page's own rendering has removed it. */
  reattach(): void
  /** The page was hidden or shown, or the browser is online; `restored`: the page comes from the back/forward cache. */
  resume(restored: boolean): void
  /** Stops all work. The box stays in the container. */
  pause(): void
  remove(): void
  getResponse(): string
  isExpired(): boolean
}

/** What the page has changed is repaired at most 50 times in a row, and once more for every 20 ms that pass. */
const REATTACH_MS = 20
const REATTACH_WINDOW_MS = 1_000

/** A widget reports an error, and what happens at that moment starts no other try: two of them would never end. */
let reporting = false

/** What all widgets of a page share. */
export interface Shared {
  readonly solver: Solver
  readonly loadLanguage: (language: string) => Promise<Language>
  readonly help: Help
}

/** Creates the widget of `container`; `given` overrides its attributes. Has no effect before `mount`. */
export function createWidget(id: string, container: HTMLElement, given: RenderOptions, shared: Shared): Widget {
  let options = readOptions(container, given)
  /** All intents of the widget so far. When the page renders one again, it is not a new one. */
  const seen = new Set([options.intent])
  let language: Language | undefined
  let collected = false
  let typed = false
  let renewed = false
  let reattachedAt = -REATTACH_WINDOW_MS

  const box = createBox(press, draw)
  const field = createField(options.responseFieldName)
  const connect = () => createClient(options.endpoint, options, readFacts)
  const { session, step, checkExpiry, needsIntent, canRetry, hasFailed } = createVerification(
    shared.solver,
    connect,
    renew,
    change,
  )
  let form: FormWatch
  const formEvents: FormEvents = {
    onFocus: () => {
      const { state } = session()
      if (state === 'expired' || (state === 'idle' && options.start === 'focus') || (canRetry() && !reporting))
        execute()
    },
    onSubmit: () => {
      checkExpiry()
      const tries = session().state !== 'error' || canRetry() || options.start === 'submit' || needsIntent()
      if (tries && !reporting) execute()
      return isWorking(session())
    },
    onType: () => {
      typed = true
      if (session().state === 'expired') draw()
    },
    onCollect: () => {
      collected = session().state === 'solved'
    },
  }

  /** What a program does and people do not. Where a visitor must have done something, its absence is a fact, too. */
  function readFacts(): string {
    const acted = (navigator as Partial<Navigator>).userActivation?.hasBeenActive
    return [
      navigator.webdriver && 'webdriver',
      acted === false && (renewed || form.isPending()) && 'idle',
      field.isTrapped() && 'honeypot',
    ]
      .filter(Boolean)
      .join()
  }

  function mount(): void {
    // A cloned container includes the original's box and token.
    for (const copy of container.querySelectorAll(BOX_SELECTOR)) copy.remove()
    form = watchForm(container, formEvents)
    setIntent()
    reattach()
    draw()
    void updateLanguage()
    if (options.renew === false) void shared.help(options, 'renew-ignored')
    emit(container, 'ready', { id })
    // A listener may have removed the widget.
    if (box.host.parentNode) autoStart()
  }

  function autoStart(): void {
    const missing = missingOptions(options)
    if (missing) step({ type: 'failed', code: 'missing-option', field: missing })
    else if (options.start === 'auto' || (options.start === 'focus' && form.isFocused())) execute()
  }

  function execute(): void {
    if (!missingOptions(options) && (options.renew || session().state !== 'expired')) step({ type: 'start' })
  }

  function press(): void {
    if (session().state === 'expired' && !options.renew) location.reload()
    else execute()
  }

  async function renew(call: Call): Promise<void> {
    if (!options.renew) return
    setIntent(await connect().renew(options.renew, call, csrfHeaders(options.renewHeader)))
    renewed = true
  }

  /** Reads the options again. The intent remains, unless there is a new one. */
  function setIntent(intent?: string): void {
    const read = readOptions(container, given)
    options = { ...read, intent: intent || (seen.has(read.intent) && options.intent) || read.intent }
    seen.add(options.intent)
    // For a widget that is created anew in this element.
    if (![read.intent, container.dataset['intent']].includes(options.intent) && mayRepair()) {
      container.dataset['intent'] = options.intent
    }
  }

  function reset(intent?: string): void {
    setIntent(intent)
    step({ type: 'reset' })
    autoStart()
  }

  function updateOptions(): void {
    const before = options
    setIntent()
    if (!isSameIntent(before, options)) reset()
    draw()
    if (before.language !== options.language) void updateLanguage()
  }

  function change(now: Session, before: Session): void {
    reattach()
    draw()
    if (now.state === 'solving' && !(before.state === 'solving' && before.ratio === now.ratio)) {
      emit(container, 'progress', { id, ratio: now.ratio })
    }
    if (now.state !== before.state) announce(now)
  }

  function announce(now: Session): void {
    collected = false
    if (now.state === 'solved') {
      emit(container, 'solved', { id, response: now.token.response })
      callPage(options.callback, now.token.response)
      form.submitPending()
    } else if (now.state === 'expired') {
      emit(container, 'expired', { id })
      callPage(options.expiredCallback)
      // The visitor has submitted the form already and should not have to do it again.
      if (form.isPending() && session() === now) execute()
    } else if (now.state === 'error') {
      const { code, field: subject, requestId } = now
      reporting = true
      emit(container, 'error', { id, code, field: subject, requestId })
      callPage(options.errorCallback, code)
      void shared.help(options, code, subject, requestId)
      // The visitor has read an error already, and submitted the form again.
      if (hasFailed() && session() === now && !needsIntent()) form.submitPending()
      reporting = false
    }
    if (!isWorking(session())) form.cancel()
  }

  function draw(): void {
    const now = session()
    const shown = now.state === 'expired' && options.renew ? IDLE : now
    box.draw({
      session: now,
      options,
      content: language && { language, description: describeSession(shown, language.text, typed) },
    })
  }

  async function updateLanguage(): Promise<void> {
    const requested = options.language
    const loaded = await shared.loadLanguage(requested)
    if (requested !== options.language) return
    language = loaded
    draw()
  }

  function reattach(): void {
    field.setToken(getResponse())
    if (box.host.parentNode === container && field.input.parentNode === box.host) return
    if (!mayRepair()) return
    box.host.append(field.input)
    container.append(box.host)
    field.setToken(getResponse())
  }

  function pause(): void {
    form.disconnect()
    step({ type: 'reset' })
  }

  /** Without a limit, a page that undoes each repair immediately would never become idle. */
  function mayRepair(): boolean {
    const now = performance.now()
    if (reattachedAt + REATTACH_MS > now) return false
    reattachedAt = Math.max(reattachedAt, now - REATTACH_WINDOW_MS) + REATTACH_MS
    return true
  }

  function getResponse(): string {
    const now = session()
    return now.state === 'solved' ? now.token.response : ''
  }

  return {
    id,
    container,
    mount,
    execute,
    reset,
    updateOptions,
    reattach,
    resume: (restored) => {
      // The form was submitted with this token before the visitor came back, so it has been used.
      if (restored && collected) step({ type: 'timeout' })
      checkExpiry()
      if (!document.hidden && canRetry()) execute()
    },
    pause,
    remove: () => {
      pause()
      box.host.remove()
    },
    getResponse,
    isExpired: () => session().state === 'expired',
  }
}
