import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasProgram } from '../deploy/proxy.ts'
import { startProgram } from './program.ts'
import { type Browser, COMMANDS, createBrowser } from './webdriver.ts'

const PROGRAM = 'firefox-esr'

export const missingForFirefox = (): string[] => [PROGRAM].filter((name) => !hasProgram(name))

/** Marionette chooses a free port, and writes it to a file of the profile. */
const SETTINGS = 'user_pref("marionette.port", 0);\n'

/**
 * Starts Firefox and sends it the commands of WebDriver by Marionette, its own protocol. geckodriver does the same, and Debian
 * has no package of it.
 */
export async function openFirefox(): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'tollgate-firefox-'))
  writeFileSync(join(profile, 'user.js'), SETTINGS)
  const program = startProgram(PROGRAM, ['--headless', '--marionette', '--no-remote', '--profile', profile], {
    HOME: profile,
  })
  async function close(): Promise<void> {
    await program.end('SIGKILL')
    // its other processes end a little later
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  try {
    const portFile = join(profile, 'MarionetteActivePort')
    const port = await program.untilReady(
      () => (existsSync(portFile) && Number(readFileSync(portFile, 'utf8'))) || undefined,
    )
    const marionette = await openMarionette(port)
    const { capabilities } = (await marionette.send('WebDriver:NewSession', {})) as {
      capabilities: { browserVersion: string }
    }
    return createBrowser({
      version: capabilities.browserVersion,
      async send(command, parameters) {
        const reply = await marionette.send(COMMANDS[command][2], parameters)
        return (reply as { value: unknown }).value
      },
      async close() {
        marionette.close()
        await close()
      },
    })
  } catch (error) {
    await close()
    throw error
  }
}

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void }

/** Messages are JSON after their length in bytes: `[0, id, name, parameters]` and `[1, id, error, result]`. */
async function openMarionette(port: number) {
  const socket = connect(port, '127.0.0.1')
  const waiting = new Map<number, Waiting>()
  let received = Buffer.alloc(0)
  let count = 0
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const start = received.indexOf(':') + 1
      const end = start + Number(received.toString('latin1', 0, start - 1))
      if (start === 0 || received.length < end) return
      read(JSON.parse(received.toString('utf8', start, end)))
      received = received.subarray(end)
    }
  })
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Firefox has closed the connection'))
  })
  socket.on('error', () => {})

  function read(message: unknown): void {
    // the first message is a greeting
    if (!Array.isArray(message)) return
    const [, id, error, result] = message as [1, number, { error: string; message: string } | null, unknown]
    if (error) waiting.get(id)?.reject(new Error(`${error.error}: ${error.message}`))
    else waiting.get(id)?.resolve(result)
    waiting.delete(id)
  }

  await once(socket, 'connect')
  return {
    send: (name: string, parameters: object) =>
      new Promise<unknown>((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        const text = JSON.stringify([0, count, name, parameters])
        socket.write(`${Buffer.byteLength(text)}:${text}`)
      }),
    close: () => socket.destroy(),
  }
}
