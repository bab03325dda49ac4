// Finds a Python for the SDK's tests, the examples and the Python shop.
import { spawnSync } from 'node:child_process'

/** What the examples and the guide's code import; Debian has them as python3-flask, python3-django and python3-psycopg. */
const FRAMEWORKS = ['flask', 'django', 'psycopg']

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
