// Finds a PHP for the SDK's tests and examples.
import { spawnSync } from 'node:child_process'

/**
 * The command of a PHP ≥ 8.1 with these extensions; undefined if there is none.
 * @param {string[]} [extensions]
 */
export function findPhp(extensions = []) {
  const loaded = extensions.map((name) => ` || !extension_loaded('${name}')`).join('')
  const probe = `exit(PHP_VERSION_ID < 80100${loaded} ? 1 : 0);`
  return [process.env.PHP, 'php', '/usr/bin/php'].find(
    (command) => command && spawnSync(command, ['-r', probe]).status === 0,
  )
}
