type Lockfile = { packages: Record<string, { integrity?: string; resolved?: string; link?: boolean } & object> }
type Component = { 'bom-ref': string; name: string; purl?: string; hashes?: object[]; licenses?: object[] }

export function readLockfile(folder: string): Lockfile
export function runtimePackages(lockfile: Lockfile): Map<string, string[]>
export function sbomOf(lockfile: Lockfile): {
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
export function prune(folder: string): void
