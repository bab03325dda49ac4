/** The part of WebAssembly that the service uses: the types of Node.js 20 have none of it. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module)
    readonly exports: object
  }
}
