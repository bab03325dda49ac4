import { hydrate, mount, unmount } from 'svelte'
import Form from './Form.svelte'

export const app = Form

globalThis.mount = (target, site, hydrates) => {
  const mounted = (hydrates ? hydrate : mount)(Form, { target, props: { site } })
  return () => unmount(mounted)
}
