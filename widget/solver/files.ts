/** Names of the files in the solver's folder, of which the build makes them. */
export const FILES = { simd: 'simd.wasm', scalar: 'scalar.wasm', script: 'script.js' } as const
