// Finds a Python for the SDK's tests and examples.
import { spawnSync } from 'node:child_process'

/** What the examples import; Debian has them as python3-flask and python3-django. */
const FRAMEWORKS = ['flask', 'django']

function find(packages) {
  const probe = `import ${['sys', ...packages].join(', ')}; sys.exit(sys.version_info < (3, 9))`
  return [process.env.PYTHON, 'python3', 'python', '/usr/bin/python3'].find(
    (command) => command && spawnSync(command, ['-c', probe]).status === 0,
  )
}

/** The command of a Python ≥ 3.9 that has the frameworks; undefined if there is none. */
export function findFrameworkPython() {
  return find(FRAMEWORKS)
}

/** The command of a Python ≥ 3.9, one that has the frameworks if there is one; undefined if there is none. */
export function findPython() {
  return findFrameworkPython() ?? find([])
}
