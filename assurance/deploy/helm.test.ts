import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../server/kit/config/config.ts'
import { VERSION } from '../../server/kit/process/version.ts'
import { hasProgram } from './proxy.ts'

const CHART = 'deploy/helm/tollgate'
const GIVEN = {
  'image.repository': 'registry.example/tollgate',
  publicUrl: 'https://captcha.example',
  trustedProxies: '10.0.0.0/8',
  'secrets.node': 'tollgate-node',
  'secrets.owner': 'tollgate-owner',
}

const helm = (command: string[], values: Record<string, string> = {}) => {
  const set = Object.entries({ ...GIVEN, ...values }).flatMap(([name, value]) => ['--set', `${name}=${value}`])
  const { status, stdout, stderr } = spawnSync('helm', [...command, ...set], { encoding: 'utf8' })
  return { status, stdout, output: stdout + stderr }
}

type Manifest = { kind: string; metadata: { name: string }; spec: Record<string, never> }
const render = (values?: Record<string, string>) => {
  const { status, stdout, output } = helm(['template', 'shop', CHART], values)
  expect([status, output]).toEqual([0, expect.anything()])
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
}

const isInstalled = hasProgram('helm')
// said in the title, because a skipped test says nothing else
const title = isInstalled ? '' : ' (skipped: helm is not installed, see .ci/run)'

describe.runIf(isInstalled)(`the Helm chart${title}`, () => {
  const of = (kind: string, values?: Record<string, string>) => render(values).find((each) => each.kind === kind)?.spec

  test('helm lint finds nothing', () => {
    const { status, output } = helm(['lint', '--strict', CHART])
    expect([status, output]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
  })

  test.each([
    ['a pull without a version', { 'image.tag': 'latest' }],
    ['one node', { replicas: '1' }],
    ['an address without TLS', { publicUrl: 'http://captcha.example' }],
    ['a secret in the values', { 'settings.TOLLGATE_KEYS': 'k1' }],
    ['no secret', { 'secrets.node': '' }],
    ['no ingress, so that all visitors would be one', { trustedProxies: '' }],
    ['an unknown value', { replica: '3' }],
    ['an archive without a volume', { 'archive.days': '400' }],
    ['an archive of what may still be reported', { 'archive.days': '61', 'archive.claim': 'archive' }],
  ])('values.schema.json refuses %s', (_, values) => {
    const { status, output } = helm(['template', 'shop', CHART], values)
    expect([status, output]).toEqual([1, expect.stringContaining('values don')])
  })

  test('pods are ready, alive and ended as docs/proxies-and-restarts.md says', () => {
    expect(of('Deployment', { shutdownDelay: '20' })).toMatchObject({
      replicas: 3,
      strategy: { rollingUpdate: { maxUnavailable: 0 } },
      template: {
        spec: {
          terminationGracePeriodSeconds: 35,
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              image: `registry.example/tollgate:${VERSION}`,
              readinessProbe: { httpGet: { path: '/readyz', port: 'http' } },
              livenessProbe: { httpGet: { path: '/healthz', port: 'http' } },
              env: expect.arrayContaining([{ name: 'SHUTDOWN_DELAY', value: '20' }]),
              envFrom: [{ secretRef: { name: 'tollgate-node' } }],
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    })
    expect(of('PodDisruptionBudget')).toMatchObject({ maxUnavailable: 1 })
  })

  test('only the job that runs before the nodes has the owner of the tables', () => {
    const withOwner = render().filter((each) => JSON.stringify(each).includes('tollgate-owner'))
    expect(withOwner).toEqual([
      expect.objectContaining({
        kind: 'Job',
        metadata: expect.objectContaining({
          annotations: expect.objectContaining({ 'helm.sh/hook': 'pre-install,pre-upgrade' }),
        }),
      }),
    ])
  })

  test('its settings are those of the service', () => {
    const spec = of('Deployment') as unknown as {
      template: { spec: { containers: [{ env: { name: string; value: string }[] }] } }
    }
    const settings = Object.fromEntries(spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]))
    const secret = {
      DATABASE_URL: 'postgresql://tollgate_service:p@db/tollgate',
      TOLLGATE_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
      METRICS_TOKEN: 'q7Zr1uXo9TkLmE3v',
      SMTP_URL: 'smtp://mail.example:587',
    }
    expect(readConfig({ ...settings, ...secret })).toMatchObject({
      production: true,
      publicUrl: 'https://captcha.example',
      shutdownDelay: 10,
      workers: 2,
    })
  })

  test('the archive is off, and otherwise on a volume of its own that only the nodes have', () => {
    expect(JSON.stringify(render())).not.toMatch(/archive|ARCHIVE/)
    const values = { 'archive.days': '400', 'archive.claim': 'decisions' }
    expect(of('Deployment', values)).toMatchObject({
      template: {
        spec: {
          securityContext: { fsGroup: 1000 },
          volumes: [{ name: 'temporary' }, { name: 'archive', persistentVolumeClaim: { claimName: 'decisions' } }],
          containers: [
            {
              volumeMounts: [{ name: 'temporary' }, { name: 'archive', mountPath: '/archive' }],
              env: expect.arrayContaining([
                { name: 'KEEP_DECISIONS_DAYS', value: '400' },
                { name: 'ARCHIVE_DIR', value: '/archive' },
              ]),
            },
          ],
        },
      },
    })
    expect(JSON.stringify(of('Job', values))).not.toMatch(/archive|ARCHIVE/)
  })

  test('the number of nodes is left to the autoscaler if there is one', () => {
    const values = { 'autoscaling.enabled': 'true' }
    expect(of('Deployment', values)).not.toHaveProperty('replicas')
    expect(of('HorizontalPodAutoscaler', values)).toMatchObject({ minReplicas: 3, maxReplicas: 10 })
    expect(of('HorizontalPodAutoscaler')).toBeUndefined()
  })

  test('all pods talk to the database, Redis and mail only, and only the nodes can be connected to', () => {
    const all = render({ 'networkPolicy.from[0].podSelector.matchLabels.app': 'ingress' }) as unknown as {
      kind: string
      metadata: { annotations?: Record<string, string> }
      spec: Policy & { template?: { metadata: { labels: Record<string, string> } } }
    }[]
    type Policy = { podSelector: { matchLabels: object }; policyTypes: string[]; ingress?: object[]; egress: object[] }
    const policies = all.filter(({ kind }) => kind === 'NetworkPolicy')
    const open = all.flatMap(({ kind, spec }) => {
      if (!spec.template) return []
      const { labels } = spec.template.metadata
      const own = policies.filter((policy) =>
        Object.entries(policy.spec.podSelector.matchLabels).every(([name, value]) => labels[name] === value),
      )
      return [{ kind, own: own.map(({ spec }) => [spec.policyTypes, spec.ingress?.length ?? 0, spec.egress.length]) }]
    })
    const both = ['Ingress', 'Egress']
    expect(open.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'Deployment', own: [[both, 1, 2]] },
      { kind: 'Job', own: [[both, 0, 2]] },
    ])
    // it must exist before the first run of the job
    const ofJob = policies.find(({ spec }) => spec.ingress === undefined)
    expect(ofJob?.metadata.annotations).toMatchObject({
      'helm.sh/hook': 'pre-install,pre-upgrade',
      'helm.sh/hook-weight': '-1',
    })
    expect(of('NetworkPolicy', { 'networkPolicy.enabled': 'false' })).toBeUndefined()
  })
})
