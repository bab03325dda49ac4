import { type Call, createClient } from './client.ts'
import { csrfHeaders } from './csrf.ts'
import { describeSession } from './describe.ts'
import { BOX_SELECTOR, createBox } from './element.ts'
import { callPage, emit } from './events.ts'
import { createField } from './field.ts'
import { findForm, isInForm, opensWindow, pathOf, press, type Submitter } from './form.ts'
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
  /** For events in the roots around the container, in the capture phase. */
  readonly handlers: Handlers
  /** The page calls `form.submit()`, which fires no event. Returns true if that has to wait. */
  holdNative(form: HTMLFormElement): boolean
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

/** By the type of the event. */
export type Handlers = Readonly<Record<string, (event: SubmitEvent & FormDataEvent & PageTransitionEvent) => unknown>>

/** A submit that waits for the token. */
interface Pending {
  readonly form: HTMLFormElement
  /** Undefined if a script called `submit` or dispatched an event. */
  readonly submitter: Submitter | undefined
  /** Repeats what was stopped. True if it was an event of the page that no listener has prevented. */
  readonly repeat: () => unknown
}

/** What all widgets of a page share. */
export interface Shared {
  readonly solver: Solver
  readonly loadLanguage: (language: string) => Promise<Language>
  readonly help: Help
  /** Observes the documents and shadow roots of a path: their changes, and the events that have handlers. */
  readonly watchRoots: (path: readonly Node[], handlers: Handlers) => void
  /** Calls `fn` when the document has been parsed. */
  readonly ready: (fn: () => void) => void
  /** The widget's container is in the document, with its box in it. */
  readonly keep: (widget: Widget) => void
  /** The widget's container has left the document. */
  readonly drop: (widget: Widget) => void
}

/**
 * Creates the widget of `container`; `given` overrides its attributes. `share` returns what it shares with others of the same
 * endpoint. Has no effect before `mount`.
 */
export function createWidget(
  id: string,
  container: HTMLElement,
  given: RenderOptions,
  share: (endpoint: string) => Shared,
): Widget {
  let options = readOptions(container, given)
  const shared = share(options.endpoint)
  /** All intents of the widget so far. When the page renders one again, it is not a new one. */
  const seen = new Set([options.intent])
  let language: Language | undefined
  /** The form was submitted since the last change of the state. */
  let submitted = false
  /** After that, its values with the token were collected. */
  let collected = false
  let typed = false
  /** The form opens a window, and needs another press. */
  let again = false
  let pending: Pending | undefined
  let renewed = false
  let reattachedAt = -REATTACH_WINDOW_MS

  const box = createBox(pressed, draw, onMove)
  const field = createField(options.responseFieldName)
  box.frame.append(field.area)
  const connect = () => createClient(options.endpoint, options, readFacts)
  const { session, step, checkExpiry, needsIntent, canRetry, hasFailed } = createVerification(
    shared.solver,
    connect,
    renew,
    change,
  )

  // The form is looked up for each event, so the container can be moved.
  const isOwnForm = (form: EventTarget | null): form is HTMLFormElement => form === findForm(container)

  const enter = ({ target }: Event) => {
    const { state } = session()
    const starts = state === 'expired' || (state === 'idle' && options.start === 'focus') || (canRetry() && !reporting)
    if (starts && isInForm(container, target as Node)) execute()
  }

  const handlers: Handlers = {
    focusin: enter,
    input: (event) => {
      typed = true
      draw()
      // The page may offer no button to press before there is a token, and the visitor need not enter another field.
      if (session().state === 'expired') enter(event)
    },
    // The page may be about to read the token, from a field that it has rendered since.
    click: draw,
    // The event precedes the reset.
    reset: () => setTimeout(fill),
    formdata: ({ target, formData }) => {
      if (!isOwnForm(target)) return
      // Without a submit before, a script only looks at the values.
      collected = submitted
      const name = options.responseFieldName
      // A script of the page may have restored the fields of a draft.
      formData.set(name, getResponse() || formData.get(name) || '')
    },
    submit: (event) => {
      const { target: form, isTrusted } = event
      const submitter = event.submitter as Submitter
      if (!isOwnForm(form)) return
      // An event of the page's own has no default action, and stays one.
      if (!hold(form, submitter, () => (isTrusted ? press(form, submitter) : form.dispatchEvent(event)))) return
      event.stopImmediatePropagation()
      if (isTrusted) event.preventDefault()
    },
    pageshow: ({ persisted }) => {
      // The form was submitted with this token before the visitor came back, so it has been used.
      if (persisted && collected) step({ type: 'timeout' })
      if (persisted) resume()
    },
    visibilitychange: resume,
    online: resume,
  }

  /** The page was hidden or shown, or the browser is online. */
  function resume(): void {
    checkExpiry()
    if (!document.hidden && canRetry()) execute()
  }

  /** Returns true if the submit has to wait. */
  function hold(form: HTMLFormElement, submitter: Pending['submitter'], repeat: () => unknown): boolean {
    // A button that closes a dialog submits nothing. What is sent in spite of invalid fields is a draft or a step back.
    const closes = (submitter?.formMethod || form.method) === 'dialog'
    if (reporting || closes || submitter?.matches('[data-svc-captcha-skip],:invalid [formnovalidate]')) return false
    checkExpiry()
    if (session().state !== 'error' || canRetry() || options.start === 'submit' || needsIntent()) execute()
    submitted = !isWorking(session())
    pending = submitted ? undefined : { form, submitter, repeat }
    again = false
    draw()
    return !submitted
  }

  /** Submits the form that waits. If it opens a window, the visitor may have to press the button again. */
  function submitPending(): void {
    if (!pending) return
    const { form, submitter, repeat } = pending
    pending = undefined
    again = opensWindow(form, submitter) && (navigator as Partial<Navigator>).userActivation?.isActive === false
    if (again) draw()
    else repeat()
  }

  /** What a program does and people do not. Where a visitor must have done something, its absence is a fact, too. */
  function readFacts(): string {
    const acted = (navigator as Partial<Navigator>).userActivation?.hasBeenActive
    return [
      navigator.webdriver && 'webdriver',
      acted === false && (renewed || pending) && 'idle',
      field.isTrapped(findForm(container)) && 'honeypot',
    ]
      .filter(Boolean)
      .join()
  }

  function mount(): void {
    // A cloned container includes the original's box and token.
    for (const copy of container.querySelectorAll(BOX_SELECTOR)) if (copy !== box.frame) copy.remove()
    setIntent()
    draw()
    void updateLanguage()
    if (options.renew === false) void shared.help(options, 'renew-ignored')
    // The parser may not have seen the form's fields yet.
    shared.ready(() => {
      const isAlone = container.isConnected && !options.callback && !findForm(container)
      if (isAlone && document.forms[0]) void shared.help(options, 'no-form')
    })
    emit(container, 'ready', { id })
    // A listener may have removed the widget.
    if (box.frame.parentNode) autoStart()
  }

  function autoStart(): void {
    const missing = missingOptions(options)
    const focused = (container.getRootNode() as ParentNode).querySelector(':focus')
    if (missing) step({ type: 'failed', code: 'missing-option', field: missing })
    else if (options.start === 'auto' || (options.start === 'focus' && isInForm(container, focused))) execute()
  }

  function execute(): void {
    if (!missingOptions(options) && (options.renew || session().state !== 'expired')) step({ type: 'start' })
  }

  function pressed(): void {
    if (session().state !== 'expired' || options.renew) execute()
    // Not `reload`, which would send the form again if the page is the answer to one. With a fragment, nothing would be loaded.
    else location.replace(location.href.replace(/#.*/, ''))
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
    draw()
    if (now.state === 'solving' && !(before.state === 'solving' && before.ratio === now.ratio)) {
      emit(container, 'progress', { id, ratio: now.ratio })
    }
    if (now.state !== before.state) announce(now)
  }

  function announce(now: Session): void {
    submitted = collected = again = false
    const before = reporting
    const isDue = () => now === session()
    if (now.state === 'solved') {
      const { response } = now.token
      emit(container, 'solved', { id, response })
      callPage(options.callback, [response], isDue)
      submitPending()
    } else if (now.state === 'expired') {
      emit(container, 'expired', { id })
      callPage(options.expiredCallback, [], isDue)
      // The visitor has submitted the form already and should not have to do it again.
      if (pending && session() === now) execute()
    } else if (now.state === 'error') {
      const { code, field: subject, requestId } = now
      reporting = true
      emit(container, 'error', { id, code, field: subject, requestId })
      callPage(options.errorCallback, [code], isDue)
      void shared.help(options, code, subject, requestId)
      // The visitor has read an error already, and submitted the form again.
      if (hasFailed() && isDue() && !needsIntent()) submitPending()
    }
    if (!isWorking(session())) {
      // A script that called `submit` presses no button again.
      if (now.state !== 'idle' && pending?.submitter === undefined) submitPending()
      pending = undefined
    }
    reporting = before
  }

  /** Shows the session, and repairs what the page's own rendering has removed. */
  function draw(): void {
    const now = session()
    reattach()
    fill()
    const shown = now.state === 'expired' && options.renew ? IDLE : now
    box.draw({
      session: now,
      options,
      content: language && { language, description: describeSession(shown, language.text, typed, again) },
    })
  }

  async function updateLanguage(): Promise<void> {
    const requested = options.language
    const loaded = await shared.loadLanguage(requested)
    if (requested !== options.language) return
    language = loaded
    draw()
  }

  function fill(): void {
    field.setToken(getResponse(), findForm(container))
  }

  /** The box was inserted or removed, alone or with its container. */
  async function onMove(): Promise<void> {
    if (container.isConnected && box.frame.parentNode === container) {
      shared.watchRoots(pathOf(container), handlers)
      // Before the page's changes are observed, which would create another widget.
      shared.keep(widget)
    }
    // A container that is moved is removed and inserted at once.
    await Promise.resolve()
    if (container.isConnected) reattach()
    else shared.drop(widget)
  }

  function reattach(): void {
    if (box.frame.parentNode !== container && mayRepair()) container.append(box.frame)
  }

  /** Without a limit, a page that undoes each repair immediately would never become idle. */
  function mayRepair(): boolean {
    const now = performance.now()
    if (reattachedAt + REATTACH_MS > now) return false
    reattachedAt = Math.max(reattachedAt, now - REATTACH_WINDOW_MS) + REATTACH_MS
    return true
  }

  function pause(): void {
    step({ type: 'reset' })
  }

  function getResponse(): string {
    const now = session()
    return now.state === 'solved' ? now.token.response : ''
  }

  const widget: Widget = {
    id,
    container,
    mount,
    execute,
    reset,
    updateOptions,
    handlers,
    holdNative: (form) => {
      // An event that the page dispatched before comes first, and a listener of it may prevent this.
      const event = pending?.repeat
      const repeat = () => (!event || event()) && HTMLFormElement.prototype.submit.call(form)
      return isOwnForm(form) && hold(form, undefined, repeat)
    },
    pause,
    remove: () => {
      reattachedAt = Number.POSITIVE_INFINITY
      pause()
      box.frame.remove()
    },
    getResponse,
    isExpired: () => session().state === 'expired',
  }
  return widget
}
