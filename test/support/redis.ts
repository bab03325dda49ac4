import { execFileSync } from 'node:child_process'

/** Whether this machine has a redis-server to test with: apt-get install redis-server. */
export function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
