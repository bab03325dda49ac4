import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { HASHES } from '../server/accounts/sessions/hashing.ts'
import { SETTINGS } from '../server/kit/config/environment.ts'
import { NODE_OPTIONS } from '../test/support/process.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

type Service = {
  image?: string
  build?: string
  ports?: string[]
  cap_add?: string[]
  environment: Record<string, string>
  env_file?: unknown
  command?: string[]
  volumes?: string[]
  cpus?: number
  mem_limit?: string
}

const compose = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>
  networks?: Record<string, { ipam: { config: { subnet: string; gateway: string }[] } }>
}
const { services } = compose

test.each(Object.entries(services))(
  'compose.yaml gives %s no more rights and resources than it needs',
  (_name, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      tmpfs: expect.arrayContaining([expect.stringMatching(/:size=/)]),
      mem_limit: expect.any(String),
      cpus: expect.any(Number),
      pids_limit: expect.any(Number),
    })
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  },
)

/** MiB, as docs/scale.md has them under "Sizing". */
const MEMORY = { primary: 200, process: 400, hash: 128 }

/** What a node with so many processes may take. */
const memoryOf = (workers: number) => MEMORY.primary + workers * MEMORY.process + HASHES.running * MEMORY.hash

const HA = 'deploy/ha/compose.yaml'
const ha = parse(readFileSync(join(root, HA), 'utf8'), { merge: true }) as {
  services: Record<string, Service & { network_mode?: string; networks?: Record<string, { ipv4_address?: string }> }>
}

test('the memory limits of both compose.yaml and of the chart have room for their processes and for all hashes at once', () => {
  const values = parse(readFileSync(join(root, 'deploy/helm/tollgate/values.yaml'), 'utf8')) as {
    workers: number
    resources: { limits: { memory: string } }
  }
  const docs = readFileSync(join(root, 'docs/scale.md'), 'utf8')
  expect(docs).toContain(
    `${MEMORY.primary} MiB for the primary process + ${MEMORY.process} MiB for each other process + ${HASHES.running} × ${MEMORY.hash} MiB`,
  )
  for (const node of [services, ha.services].flatMap(({ node1, node2 }) => [node1, node2])) {
    expect(Number(node?.environment['WORKERS'])).toBe(node?.cpus)
    expect(node?.mem_limit).toBe('1280m')
    expect(memoryOf(Number(node?.environment['WORKERS']))).toBeLessThanOrEqual(1280)
  }
  expect(values.resources.limits.memory).toBe('1280Mi')
  expect(memoryOf(values.workers)).toBeLessThanOrEqual(1280)
})

test.each(Object.entries(ha.services))(
  'deploy/ha/compose.yaml hardens %s and gives it an address',
  (_name, service) => {
    expect(service).toMatchObject({
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      read_only: true,
      mem_limit: expect.any(String),
      pids_limit: expect.any(Number),
    })
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    const [, host] = /^service:(.+)$/.exec(service.network_mode ?? '') ?? []
    expect(service.networks !== undefined || ha.services[host ?? '']?.networks !== undefined).toBe(true)
  },
)

test('deploy/ha/compose.yaml has the machines and the programs of the files beside it', () => {
  const start = readFileSync(join(root, 'deploy/ha/start.sh'), 'utf8')
  for (const [name, { command, environment, networks }] of Object.entries(ha.services)) {
    if (!/^db\d-/.test(name)) continue
    const [machine, program] = name.split('-')
    expect([command, environment['NAME']]).toEqual([[program], machine])
    expect(start).toMatch(new RegExp(`^ {2}${program}\\)`, 'm'))
    // the others of a machine share it
    expect([undefined, environment['ADDRESS']]).toContain(networks?.['machines']?.ipv4_address)
    for (const file of ['etcd', 'patroni.yml', 'haproxy.cfg'])
      expect(readFileSync(join(root, 'deploy/ha', file), 'utf8')).toContain(`${environment['ADDRESS']}:`)
  }
  expect(ha.services['haproxy']?.networks?.['machines']?.ipv4_address).toBe('10.0.0.11')
})

test('compose.yaml trusts the address of the network through which a proxy on this machine arrives', () => {
  const { gateway = '', subnet = '' } = compose.networks?.default?.ipam.config[0] ?? {}
  const [network = '', bits] = subnet.split('/')
  const within = new BlockList()
  within.addSubnet(network, Number(bits))
  expect(within.check(gateway)).toBe(true)
  for (const node of [services['node1'], services['node2']])
    expect(node?.environment['TRUSTED_PROXIES']).toBe(`\${TRUSTED_PROXIES:-${gateway}}`)
})

test.each([
  ['compose.yaml', ['node1', 'node2', 'migrate'].map((name) => services[name])],
  [HA, ['node1', 'node2', 'migrate'].map((name) => ha.services[name])],
])('%s gives the service settings that exist, and any others from tollgate.env', (_file, nodes) => {
  for (const node of nodes) {
    expect(Object.keys(node?.environment ?? {}).filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([])
    expect(node?.env_file).toEqual([{ path: 'tollgate.env', required: false }])
  }
})

test('compose.yaml names images by digest, or at least by minor version', () => {
  const images = Object.values(services).flatMap(({ image }) => image ?? [])
  expect(images).toHaveLength(2)
  for (const image of images) expect(image).toMatch(/@sha256:[0-9a-f]{64}$|:\d+\.\d+(\.\d+)*$/)
})

test('compose.yaml has no default for a secret, and a password for Valkey', () => {
  const { node1, valkey } = services
  for (const setting of ['DATABASE_URL', 'REDIS_URL', 'TOLLGATE_KEYS', 'METRICS_TOKEN'])
    expect(node1?.environment[setting]).toMatch(/\$\{[A-Z_]+:\?/)
  expect(node1?.environment['REDIS_URL']).toContain(':${VALKEY_PASSWORD:?')
  expect(valkey?.command?.join(' ')).toContain('--requirepass')
})

test('compose.yaml gives the nodes a database user of their own, and the owner of the tables to `migrate` only', () => {
  const roles = readFileSync(join(root, 'scripts/roles.sh'), 'utf8')
  const userOf = (url = '') => /^postgresql:\/\/([a-z_]+):/.exec(url)?.[1]
  const { node1, node2, migrate } = services
  for (const node of [node1, node2, migrate]) {
    expect(userOf(node?.environment['DATABASE_URL'])).toBe('tollgate_service')
    expect(userOf(node?.environment['OWNER_DATABASE_URL'])).toBe(node === migrate ? 'tollgate_owner' : undefined)
    expect(JSON.stringify(node).includes('OWNER_PASSWORD')).toBe(node === migrate)
  }
  for (const user of ['tollgate_service', 'tollgate_owner']) expect(roles).toContain(`create role ${user} login`)
})

test('compose.yaml archives decisions only if a number of days is set, to a volume that both nodes have', () => {
  const { node1, node2, migrate } = services
  for (const node of [node1, node2]) {
    expect(node?.environment).toMatchObject({
      KEEP_DECISIONS_DAYS: '${KEEP_DECISIONS_DAYS:-}',
      ARCHIVE_DIR: '${KEEP_DECISIONS_DAYS:+/archive}',
    })
    expect(node?.volumes).toEqual(['${ARCHIVE_VOLUME:-archive}:/archive'])
  }
  expect(migrate?.volumes).toEqual([])
  // a new volume gets the owner that the directory has in the image
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toMatch(
    /mkdir [^&]*\/archive && chown node:node [^&]*\/archive/,
  )
})

test('the health check of the image asks whether the process lives, so that an outage of the database ends no node', () => {
  const image = readFileSync(join(root, 'Dockerfile'), 'utf8')
  expect(/^HEALTHCHECK .*$/m.exec(image)?.[0]).toContain('/healthz')
})

test('npm start, the image and the systemd unit give Node.js the options with which the service is tested and measured', () => {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const options = NODE_OPTIONS.join(' ')
  expect(read('package.json')).toContain(`node ${options} scripts/start.mjs`)
  expect(/^CMD .*$/m.exec(read('Dockerfile'))?.[0]).toBe(
    `CMD ${JSON.stringify(['node', ...NODE_OPTIONS, 'dist/server/main.js']).replaceAll(',', ', ')}`,
  )
  expect(/^ExecStart=.*$/m.exec(read('deploy/systemd/tollgate.service'))?.[0]).toContain(
    `node ${options} dist/server/main.js`,
  )
})

test('an image build gets no settings, keys or backups, and every other file of the repository', () => {
  const lists = (folder: string, args: string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], { input, encoding: 'utf8' })
      .split('\n')
      .slice(0, -1)
  // Git's patterns mean the same to Docker, as far as they are used here
  const ignored = lists(root, ['ls-files', '--cached', '--ignored', `--exclude-from=${join(root, '.dockerignore')}`])
  expect(ignored).toEqual(['.env.example'])

  const names = [
    '.env',
    '.env.local',
    '.env.production',
    'tollgate.env',
    'deploy/ha/.env',
    'examples/shop/.env',
    '.env.example',
    '.data/keys.json',
    '.data-2/cluster/PG_VERSION',
    'keys.json',
    'tls.key',
    'tls.pem',
    'tollgate.dump',
    // what Git does not want to keep either
    ...readFileSync(join(root, '.gitignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('!'))
      .map((line) => line.replaceAll('*', 'x').replace(/\/$/, '/file')),
  ]
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-ignore-'))
  try {
    lists(folder, ['init', '--quiet'])
    const args = ['-c', `core.excludesFile=${join(root, '.dockerignore')}`, 'check-ignore', '--no-index', '--stdin']
    expect(lists(folder, args, names.join('\n'))).toEqual(names)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
