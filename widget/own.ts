/** Own properties only, and none of what is no object: what a page put into `Object.prototype` is no answer or option. */
export function ownOf<T extends object>(values: T): T {
  return { __proto__: null, ...values }
}
