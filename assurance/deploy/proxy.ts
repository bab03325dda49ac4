import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../server/kit/process/freePort.ts'

/** Debian installs servers where only root's PATH looks. */
const PATH = `${process.env['PATH']}:/usr/sbin:/sbin`

/** Whether this machine has the program: apt-get install NAME. */
export function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH } }).status === 0
}

/** A file below deploy/ with the values of a test. Throws if it does not contain one of them. */
export function adapt(file: string, values: Record<string, string>): string {
  let text = readFileSync(join('deploy', file), 'utf8')
  for (const [value, replacement] of Object.entries(values)) {
    if (!text.includes(value)) throw new Error(`${file} does not contain ${value}`)
    text = text.replaceAll(value, replacement)
  }
  return text
}

/** A directory of its own for a program, which any account can read. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'))
  chmodSync(folder, 0o755)
  return folder
}

export type Running = { port: number; output(): string; close(): Promise<void> }

/** Starts a program, as the account, and waits until it listens on the port. `folder` is removed with it. */
export async function startProgram(
  name: string,
  args: string[],
  port: number,
  folder: string,
  account?: { uid: number; gid: number },
): Promise<Running> {
  const child: ChildProcess = spawn(name, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH }, ...account })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  for (let attempt = 0; !(await accepts(port)); attempt++) {
    if (child.exitCode !== null || attempt > 200) throw new Error(`${name} did not start:\n${output}`)
    await sleep(50)
  }
  return {
    port,
    output: () => output,
    async close() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(socket.destroy() !== undefined))
    socket.once('error', () => resolve(false))
  })
}

function makeCertificate(folder: string): { crt: string; key: string } {
  const [crt, key] = [join(folder, 'tollgate.crt'), join(folder, 'tollgate.key')]
  const subject = ['-subj', '/CN=tollgate.example', '-days', '2']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', crt, ...subject], {
    stdio: 'ignore',
  })
  return { crt, key }
}

/** The addresses in both configurations, and those of the test. */
const addresses = (ports: readonly number[]) =>
  Object.fromEntries(ports.map((port, i) => [`10.0.0.1${i + 1}:3000`, `127.0.0.1:${port}`]))

/** HAProxy with deploy/haproxy/haproxy.cfg before two nodes on loopback. */
export async function startHaproxy(nodes: readonly number[]): Promise<Running> {
  const [folder, port] = [makeFolder(), await freePort()]
  const { crt, key } = makeCertificate(folder)
  const pem = join(folder, 'tollgate.pem')
  writeFileSync(pem, readFileSync(crt, 'utf8') + readFileSync(key, 'utf8'))
  const config = join(folder, 'haproxy.cfg')
  const values = { ...addresses(nodes), '/etc/haproxy/tollgate.pem': pem, 'bind :443': `bind 127.0.0.1:${port}` }
  writeFileSync(config, adapt('haproxy/haproxy.cfg', values))
  return startProgram('haproxy', ['-db', '-f', config], port, folder)
}

/** nginx with deploy/nginx/tollgate.conf before two nodes on loopback. */
export async function startNginx(nodes: readonly number[]): Promise<Running> {
  const [folder, port] = [makeFolder(), await freePort()]
  const { crt, key } = makeCertificate(folder)
  const config = join(folder, 'nginx.conf')
  const values = {
    ...addresses(nodes),
    '/etc/nginx/tollgate.crt': crt,
    '/etc/nginx/tollgate.key': key,
    'listen 443': `listen 127.0.0.1:${port}`,
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(folder, kind))
    return `${kind}_temp_path ${join(folder, kind)};`
  })
  writeFileSync(
    config,
    `daemon off; worker_processes 2; pid ${join(folder, 'nginx.pid')}; error_log stderr;
    events { worker_connections 512; }
    http { access_log off; ${temporary.join(' ')}\n${adapt('nginx/tollgate.conf', values)} }`,
  )
  return startProgram('nginx', ['-c', config, '-p', folder, '-e', 'stderr'], port, folder)
}
