/** The part of WebAssembly that the service uses: the types of Node.js 20 have none of it. */
declare namespace WebAssembly {
  type Module = object
  type Instance = { readonly exports: object }
  const Module: new (bytes: Uint8Array) => Module
  const Instance: new (module: Module) => Instance
}
