import { type Call, createClient } from './client.ts'
import { describe } from './describe.ts'
import { createBox, OURS } from './element.ts'
import { callPage, emit } from './events.ts'
import { createField } from './field.ts'
import { watchForm } from './form.ts'
import type { Help } from './help.ts'
import type { Language } from './language.ts'
import { findMissing, isSameIntent, readOptions } from './options.ts'
import { IDLE, isWorking, type Session } from './session.ts'
import type { Solver } from './solver/solve.ts'
import type { RenderOptions } from './types.ts'
import { createVerification } from './verify.ts'

/** One captcha on the page. */
export interface Widget {
  readonly id: string
  readonly container: HTMLElement
  /** Appears, and starts if it is to start by itself. */
  begin(): void
  execute(): void
  reset(intent?: string): void
  /** Takes in attributes that the page has changed; another intent is a reset. */
  reread(): void
  /** Puts its elements back where a page's own rendering has thrown them out. */
  stay(): void
  /** The page is looked at again; `restored` if it comes from the back/forward cache. */
  wake(restored: boolean): void
  /** The connection is back. */
  reconnect(): void
  remove(): void
  getResponse(): string
  isExpired(): boolean
}

/** A box returns at most 50 times at once, and once more for every 20 ms that pass. */
const RETURN_MS = 20
const ALL_RETURNS_MS = 1_000

/** What all widgets of a page share. */
export interface Shared {
  readonly solver: Solver
  readonly loadLanguage: (wanted: string) => Promise<Language>
  readonly help: Help
}

/** Makes the widget of `container`; `given` overrides its attributes. Nothing happens before `begin`. */
export function createWidget(id: string, container: HTMLElement, given: RenderOptions, shared: Shared): Widget {
  let own = given
  let options = readOptions(container, own)
  let language: Language | undefined
  let collected = false
  let typed = false
  let returned = -ALL_RETURNS_MS

  const box = createBox(press)
  const field = createField(options.responseFieldName)
  const connect = () => createClient(options.endpoint, options)
  const { session, step, checkExpiry, isDue } = createVerification(shared.solver, connect, renew, change)
  const form = watchForm(container, {
    onFocus: () => {
      const { state } = session()
      if (state === 'expired' || (state === 'idle' && options.start === 'focus')) execute()
    },
    onSubmit: () => {
      checkExpiry()
      if (session().state !== 'error' || options.start === 'submit' || isDue()) execute()
      return isWorking(session())
    },
    onType: () => {
      typed = true
      if (session().state === 'expired') draw()
    },
    onCollect: () => {
      collected = session().state === 'solved'
    },
  })

  function begin(): void {
    // A copy of a container carries a copy of what was in it, token and all.
    for (const copy of container.querySelectorAll(OURS)) copy.remove()
    stay()
    draw()
    void speak()
    if (options.renew === false) void shared.help(options, 'renew-ignored')
    emit(container, 'ready', { id })
    // Unless whoever heard it has removed the widget.
    if (box.host.parentNode) startByItself()
  }

  function startByItself(): void {
    const field = findMissing(options)
    if (field) step({ type: 'failed', code: 'missing-option', field })
    else if (options.start === 'auto' || (options.start === 'focus' && form.hasFocus())) execute()
  }

  function execute(): void {
    if (!findMissing(options) && (options.renew || session().state !== 'expired')) step({ type: 'start' })
  }

  function press(): void {
    if (session().state === 'expired' && !options.renew) location.reload()
    else execute()
  }

  async function renew(call: Call): Promise<void> {
    if (options.renew) take(await connect().renew(options.renew, call))
  }

  function take(intent: string | undefined): void {
    if (intent) {
      const { intent: _, ...others } = own
      own = others
      container.dataset['intent'] = intent
    }
    options = readOptions(container, own)
  }

  function reset(intent?: string): void {
    take(intent)
    step({ type: 'reset' })
    startByItself()
  }

  function reread(): void {
    const before = options
    options = readOptions(container, own)
    if (!isSameIntent(before, options)) reset()
    draw()
    if (before.language !== options.language) void speak()
  }

  function change(now: Session, before: Session): void {
    stay()
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
      form.release()
    } else if (now.state === 'expired') {
      emit(container, 'expired', { id })
      callPage(options.expiredCallback)
      // Whoever waits for the form to be sent should not have to ask again.
      if (form.isHeld() && session() === now) execute()
    } else if (now.state === 'error') {
      const { code, field, requestId } = now
      emit(container, 'error', { id, code, field, requestId })
      callPage(options.errorCallback, code)
      void shared.help(options, code, field, requestId)
    }
    if (!isWorking(session())) form.drop()
  }

  function draw(): void {
    const now = session()
    // What can be renewed has only to be started again.
    const seen = now.state === 'expired' && options.renew ? IDLE : now
    box.draw({
      session: seen,
      options,
      words: language && { language, description: describe(seen, language.text, typed) },
    })
  }

  async function speak(): Promise<void> {
    const wanted = options.language
    const loaded = await shared.loadLanguage(wanted)
    if (wanted !== options.language) return
    language = loaded
    draw()
  }

  function stay(): void {
    field.put(getResponse())
    if (box.host.parentNode === container && field.input.parentNode === box.host) return
    // With a page that throws them out again at once, this would go on for ever, and the page would hang.
    const now = performance.now()
    if (returned + RETURN_MS > now) return
    returned = Math.max(returned, now - ALL_RETURNS_MS) + RETURN_MS
    box.host.append(field.input)
    container.append(box.host)
    field.put(getResponse())
  }

  function getResponse(): string {
    const now = session()
    return now.state === 'solved' ? now.token.response : ''
  }

  return {
    id,
    container,
    begin,
    execute,
    reset,
    reread,
    stay,
    wake: (restored) => {
      // The form was sent with this token before the visitor came back: it is spent.
      if (restored && collected) step({ type: 'lapsed' })
      checkExpiry()
    },
    reconnect: () => {
      const now = session()
      if (now.state === 'error' && now.code === 'network') execute()
    },
    remove: () => {
      form.stop()
      step({ type: 'reset' })
      box.host.remove()
    },
    getResponse,
    isExpired: () => session().state === 'expired',
  }
}
