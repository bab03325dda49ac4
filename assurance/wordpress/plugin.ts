import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { BUILD } from '../../server/kit/process/build.ts'
import type { WordPress } from './server.ts'

/** The archive of the build, as a deployment serves it. */
export function pluginArchive(): { file: string; path: string } {
  const packages = JSON.parse(readFileSync(join(BUILD, 'sdk/sdks.json'), 'utf8')) as { name: string; file: string }[]
  const file = packages.find(({ name }) => name === 'tollgate-wordpress')?.file ?? ''
  return { file, path: join(BUILD, 'sdk', file) }
}

/** Unpacks the plugin and activates it. */
export async function installPlugin(wordpress: WordPress): Promise<void> {
  for (const [name, content] of Object.entries(unzipSync(readFileSync(pluginArchive().path)))) {
    const path = join(wordpress.folder, 'wp-content/plugins', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
  }
  await wordpress.php(
    `require_once ABSPATH . 'wp-admin/includes/plugin.php'; $result = activate_plugin( 'tollgate/tollgate.php' );
     if ( is_wp_error( $result ) ) { throw new Exception( $result->get_error_message() ); }`,
  )
}
