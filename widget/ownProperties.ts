/** A copy with own properties only and no prototype, so that properties a page added to `Object.prototype` are ignored. */
export function ownProperties<T extends object>(values: T): T {
  return { __proto__: null, ...values }
}
