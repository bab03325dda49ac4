import { afterEach, describe, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

describe('WebAssembly', () => {
  it.each([
    ['a browser that has it', WebAssembly, true],
    ['a browser without it', undefined, false],
    ['a policy that forbids it', { Module: forbid }, false],
    ['a policy that forbids it, in WebKit', { Module: WebAssembly.Module, Instance: forbid }, false],
  ])('%s', async (_, api, expected) => {
    vi.stubGlobal('WebAssembly', api)
    const { canCompile } = await import('./allowed.ts')
    expect(canCompile()).toBe(expected)
  })

  it('is tried once, because the browser reports each violation of a policy', async () => {
    const Module = vi.fn<() => never>(forbid)
    vi.stubGlobal('WebAssembly', { Module })
    const { canCompile } = await import('./allowed.ts')
    expect([canCompile(), canCompile()]).toEqual([false, false])
    expect(Module).toHaveBeenCalledTimes(1)
  })
})

function forbid(): never {
  throw new TypeError('forbidden by policy')
}
