import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../server/kit/process/freePort.ts'
import { hasProgram } from '../deploy/proxy.ts'
import { type StartedProgram, startProgram } from './program.ts'
import { type Browser, COMMANDS, createBrowser } from './webdriver.ts'

/** The driver of WebKitGTK, which starts its MiniBrowser, and a display in memory for it. */
const DRIVER = 'WebKitWebDriver'
const DISPLAY = 'Xvfb'

export const missingForWebkit = (): string[] => [DRIVER, DISPLAY].filter((name) => !hasProgram(name))

type Started = { value: { sessionId: string; capabilities: { browserVersion: string } } }

export async function openWebkit(): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'tollgate-webkit-'))
  const programs: StartedProgram[] = []
  async function close(): Promise<void> {
    for (const program of programs.toReversed()) await program.end()
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  try {
    // it chooses a free number, and writes it to stream 3
    const display = startProgram(DISPLAY, ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'])
    programs.push(display)
    let written = ''
    display.stream.on('data', (chunk) => (written += String(chunk)))
    const number = await display.untilReady(() => /^\d+(?=\n)/.exec(written)?.[0])

    const port = await freePort()
    const driver = startProgram(DRIVER, [`--port=${port}`], {
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPLAY: `:${number}`,
      // there is no bus for assistive technology
      NO_AT_BRIDGE: '1',
    })
    programs.push(driver)
    const call = createCall(`http://127.0.0.1:${port}`)
    await driver.untilReady(() =>
      call('GET', '/status').then(
        () => true,
        () => undefined,
      ),
    )
    const { value } = (await call('POST', '/session', { capabilities: {} })) as Started
    const session = `/session/${value.sessionId}`
    return createBrowser({
      version: value.capabilities.browserVersion,
      async send(command, parameters) {
        const [method, path] = COMMANDS[command]
        const answer = await call(method, session + path.replace('{id}', String(parameters['id'])), parameters)
        return (answer as { value: unknown }).value
      },
      async close() {
        // the browser ends with its session, and at the latest with its display
        await call('DELETE', session).catch(() => undefined)
        await close()
      },
    })
  } catch (error) {
    await close()
    throw error
  }
}

const createCall =
  (url: string) =>
  async (method: string, path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(url + path, {
      method,
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const answer = (await reply.json()) as { value: { error?: string; message?: string } }
    if (!reply.ok) throw new Error(`${answer.value.error}: ${answer.value.message}`)
    return answer
  }
