let allowed: boolean | undefined

/**
 * Whether the browser has WebAssembly and the page's content security policy allows it. Asked once, because the browser
 * reports each attempt to the owner of the policy.
 */
export function canCompile(): boolean {
  return (allowed ??= compiles())
}

function compiles(): boolean {
  try {
    // An empty module. WebKit compiles it under any policy, and refuses the instance.
    return !!new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)))
  } catch {
    return false
  }
}
