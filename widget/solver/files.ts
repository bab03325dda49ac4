/** Names of the files in the solver's folder, which the build emits. */
export const FILES = { simd: 'simd.wasm', scalar: 'scalar.wasm', script: 'script.js', hashwx: 'hashwx.wasm' } as const
