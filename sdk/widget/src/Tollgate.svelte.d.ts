import type { Component } from 'svelte'
import type { TollgateOptions } from './attach.js'

/** `bind:value` is the token. */
declare const Tollgate: Component<TollgateOptions & { value?: string; class?: string }, { reset: () => void }, 'value'>
export default Tollgate
