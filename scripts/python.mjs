// Finds a Python that is new enough for the SDK's tests and the Python shop.
import { spawnSync } from 'node:child_process'

const PROBE = 'import sys; sys.exit(sys.version_info < (3, 9))'

/** The command of a Python ≥ 3.9; undefined where there is none. */
export function findPython() {
  return [process.env.PYTHON, 'python3', 'python'].find(
    (command) => command && spawnSync(command, ['-c', PROBE]).status === 0,
  )
}
