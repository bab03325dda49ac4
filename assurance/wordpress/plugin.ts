import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { BUILD } from '../../server/kit/process/build.ts'
import type { Sdks } from '../../server/sdk/build.ts'
import type { WordPress } from './server.ts'

/** The path of the archive of the build, as a deployment serves it. */
export function pluginArchive(): string {
  const { packages } = JSON.parse(readFileSync(join(BUILD, 'sdk/sdks.json'), 'utf8')) as Sdks
  const file = packages.find(({ name }) => name === 'tollgate-wordpress')?.file
  if (file === undefined) throw new Error('the build has no plugin for WordPress: npm run build')
  return join(BUILD, 'sdk', file)
}

/** Unpacks the plugin and activates it. */
export async function installPlugin(wordpress: WordPress): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(readFileSync(pluginArchive())))) {
    const path = join(wordpress.folder, 'wp-content/plugins', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  await wordpress.php(
    `require_once ABSPATH . 'wp-admin/includes/plugin.php'; $result = activate_plugin( 'tollgate/tollgate.php' );
     if ( is_wp_error( $result ) ) { throw new Exception( $result->get_error_message() ); }`,
  )
}
