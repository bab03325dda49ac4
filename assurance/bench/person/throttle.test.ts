import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

const stateOf = (pid: number) => /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

it.runIf(process.platform === 'linux')(
  'stops a busy process while it is throttled, and lets it run afterwards',
  async () => {
    const child = spawn(process.execPath, ['-e', 'for (;;);'])
    const pid = child.pid ?? 0
    try {
      const end = await throttle(pid, 20)
      await vi.waitFor(() => expect(stateOf(pid)).toBe('T'), { timeout: 10_000, interval: 1 })
      end()
      await vi.waitFor(() => expect(stateOf(pid)).toBe('R'), { timeout: 10_000, interval: 1 })
    } finally {
      child.kill('SIGKILL')
    }
  },
)
