import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { PHASE_PRODUCTION_SERVER } from 'next/constants.js'
import { afterAll, describe, expect, it } from 'vitest'
import { variables } from '../lib/platform/config.ts'
import { requiredOfSeller } from '../lib/platform/config-seller.ts'
import nextConfig from '../next.config.ts'
import { codeBlocksOf } from './docs/code-blocks.ts'
import { readSecretFiles, secretVariables } from './environment.mjs'
import { parseYaml } from './yaml.ts'

/**
 * These tests only read the files for containers and Helm. CI runs the containers and Helm (.github/workflows/ci.yml).
 */

const read = (file: string) => readFileSync(file, 'utf8')
const dockerfile = read('Dockerfile')
const compose = read('compose.yaml')
const templates = readdirSync('charts/billhook/templates').map((name) => read(`charts/billhook/templates/${name}`))
const guide = read('docs/guides/containers.md')
const { version } = JSON.parse(read('package.json'))

describe('the container files', () => {
  it('every image is pinned to a version of three numbers (two for Debian and PostgreSQL)', () => {
    const images = [...`${dockerfile}\n${compose}`.matchAll(/^(?:FROM| {4}image:) (\S+)/gm)].map(([, image]) => image)
    expect(images.length).toBeGreaterThan(5)
    const isPinned = (image = '') =>
      /^(?:scratch$|\$\{BILLHOOK_IMAGE:-)/.test(image) ||
      (/\/(?:debian|postgres):/.test(image) ? /:\d+\.\d+(?:-[a-z-]+)?$/ : /:v?\d+\.\d+\.\d+(?:-[a-z-]+)?$/).test(image)
    expect(images.filter((image) => !isPinned(image))).toEqual([])
  })

  it('every program that a container starts is copied into the image', () => {
    const started = /const started = \[([\s\S]*?)\]/.exec(read('scripts/production-files.ts'))?.[1] ?? ''
    const programs = [...[dockerfile, compose, ...templates, guide].join('\n').matchAll(/scripts\/[\w-]+\.mjs/g)]
      .map(([file]) => file)
      .filter((file) => file !== 'scripts/container-trial.mjs')
    expect(new Set(programs).size).toBe(4)
    expect(programs.filter((file) => !started.includes(`'${file}'`) || !existsSync(file))).toEqual([])
  })

  it('CI runs the image, and the run fails if the image has 350 MB or more', () => {
    expect(read('.github/workflows/ci.yml')).toContain('run: node scripts/container-trial.mjs docker billhook:ci')
    expect(read('scripts/container-trial.mjs')).toContain('check(bytes < 350e6,')
    expect(guide).toContain('350 MB or more')
  })

  it('the image has no shell, so each command is a list of words', () => {
    expect(dockerfile).toMatch(/^FROM scratch$/m)
    const [, last = ''] = dockerfile.split(/^FROM scratch$/m)
    expect(last).not.toMatch(/^RUN /m)
    for (const [, command] of last.matchAll(/\b(?:CMD|ENTRYPOINT) (.*)$/gm)) expect(command).toMatch(/^\["node", /)
    expect(compose).not.toMatch(/CMD-SHELL|\["?(?:ba)?sh\b/)
  })

  it('no container of the image runs as root, with privileges, or with a writable root file system', () => {
    expect(dockerfile.split('FROM scratch')[1]?.match(/^USER .*$/gm)).toEqual(['USER 10001:10001'])
    const services = Object.entries<Record<string, unknown>>(parseYaml(compose)[0].services)
    const ours = services.filter(([, { image }]) => String(image).startsWith('${BILLHOOK_IMAGE'))
    expect(ours.map(([name]) => name)).toEqual(['migrate', 'web', 'worker'])
    for (const [name, service] of ours) {
      const limits = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }
      expect(service, name).toMatchObject(limits)
      for (const key of ['user', 'privileged', 'cap_add']) expect(service, name).not.toHaveProperty(key)
    }
    const helpers = read('charts/billhook/templates/_helpers.tpl')
    const helper = (name: string) =>
      helpers.split(`define "billhook.${name}" -}}`)[1]?.split('{{- end -}}\n\n')[0] ?? ''
    expect(helper('pod')).toMatch(/^securityContext:\n {2}runAsNonRoot: true\n {2}runAsUser: 10001$/m)
    expect(helper('container')).toMatch(
      /^securityContext:\n {2}allowPrivilegeEscalation: false\n {2}readOnlyRootFilesystem: true\n {2}capabilities:\n {4}drop: \["ALL"\]$/m,
    )
    const pods = templates.join('\n').split(/^ *containers:$/m)
    expect(pods).toHaveLength(4)
    for (const pod of pods.slice(0, -1)) expect(pod.match(/include "billhook\.pod"/g)).toHaveLength(1)
    for (const containers of pods.slice(1))
      expect(containers).toMatch(/^\n +- name: [^\n]+\n +\{\{- include "billhook\.container" \. \| nindent \d+ \}\}\n/)
    expect(templates.join('\n').match(/securityContext|privileged/g)).toHaveLength(2)
  })

  it('the image gives its user a name, because Docker and containerd add no name', () => {
    const [, user] = /^USER (\S+)$/m.exec(dockerfile) ?? []
    expect(dockerfile).toContain(`echo "billhook:x:${user}::/nonexistent:/usr/sbin/nologin" > /system/etc/passwd`)
  })

  it('an upgrade with Compose recreates the proxy, because Compose does not notice a change of the inline settings', () => {
    expect(parseYaml(compose)[0].configs.caddyfile.content).toBeDefined()
    expect(guide.split('\n## Upgrade\n')[1]).toContain('docker compose up --detach --force-recreate --no-deps proxy')
  })

  it('in the Kubernetes guide to restore a backup, "restore compare" runs in the pod of the chart before the worker starts', () => {
    const [, restore = ''] = guide.split('\n### On Kubernetes\n')
    const pod = read('charts/billhook/templates/command-line.yaml')
    const [shown] = /templates\/[\w-]+\.yaml/.exec(restore) ?? []
    expect(shown && existsSync(`charts/billhook/${shown}`)).toBe(true)
    expect(pod).toMatch(/^\{\{- if \.Values\.commandLine \}\}$/m)
    expect(pod).toContain('component: command-line')
    expect(restore.indexOf('restore compare')).toBeGreaterThan(restore.indexOf('--replicas=0'))
    expect(restore.indexOf('shop-billhook-worker --replicas=1')).toBeGreaterThan(restore.indexOf('restore compare'))
  })

  it('the build context contains no secrets and no git history', () => {
    const ignored = read('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.data', 'secrets', '**/node_modules']))
    expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', 'secrets/']))
  })

  it('the chart, Compose, and the guides name the version of package.json', () => {
    const chart = read('charts/billhook/Chart.yaml')
    expect(chart).toContain(`\nversion: ${version}\n`)
    expect(chart).toContain(`\nappVersion: "${version}"\n`)
    expect(compose).toContain(`\${BILLHOOK_IMAGE:-billhook:${version}}`)
    expect(guide).toContain(`--tag billhook:${version} `)
    const guides = [guide, read('docs/guides/upgrade.md'), read('docs/production.md')]
    const cloned = guides.flatMap((each) => each.match(/(?:git clone --branch|git checkout) v[\d.]+\d/g) ?? [])
    expect(cloned.length).toBeGreaterThan(3)
    expect(cloned.filter((command) => !command.endsWith(` v${version}`))).toEqual([])
  })

  it('the minimal examples for Helm and Compose contain all variables that production requires', () => {
    const required = ['PUBLIC_BASE_URL', ...requiredOfSeller]
    const values = read('charts/billhook/ci/required-values.yaml')
    expect(required.filter((name) => !values.includes(`  ${name}: `))).toEqual([])
    expect(requiredOfSeller.filter((name) => !guide.includes(`\n   ${name}=`))).toEqual([])
    expect(required.filter((name) => !templates.join('').includes(`"${name}"`))).toEqual([])
  })
})

const values = (file: string) => parseYaml(read(`charts/billhook/${file}`))[0]
const guideYaml = codeBlocksOf(guide).filter(({ language }) => language === 'yaml')
const guideValues = guideYaml.filter(({ text }) => text.includes('existingSecret:'))
const guideOverrides = guideYaml.filter(({ text }) => text.startsWith('services:'))

/** Returns the paths of the keys in `given` that the chart's values do not have. Ignores the contents of lists and of maps with free keys. */
function unknownKeys(given: object, known: Record<string, unknown>, parent = ''): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const at = `${parent}${key}`
    if (!(key in known)) return [at]
    const below = known[key]
    const isFree = !below || typeof below !== 'object' || Array.isArray(below) || Object.keys(below).length === 0
    return isFree || at === 'config' ? [] : unknownKeys(value, below as Record<string, unknown>, `${at}.`)
  })
}

/** The first segments of all paths of the service, except the paths that only operators need. */
async function publicSegments(): Promise<Set<string>> {
  const inApp = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?:^|\/)(?:page\.tsx|route\.ts)$/.test(file))
    .map((file) => file.split('/').find((part) => !part.startsWith('(')) ?? '')
  const rewritten = (await (await nextConfig(PHASE_PRODUCTION_SERVER)).rewrites?.()) ?? []
  const sources = Array.isArray(rewritten) ? rewritten.map(({ source }) => source.split('/')[1] ?? '') : []
  const segments = new Set(['_next', ...inApp, ...sources, ...readdirSync('public')])
  for (const name of ['metrics', 'readyz']) segments.delete(name)
  return new Set([...segments].map((name) => (name === 'page.tsx' ? '' : name)))
}

describe('the paths /metrics and /readyz, which only operators need', () => {
  it('the Ingress of the chart passes all paths of the service except /metrics and /readyz', async () => {
    const [, list = ''] = /\$public := list ([^}]*)\}\}/.exec(read('charts/billhook/templates/web.yaml')) ?? []
    const passed = [...list.matchAll(/"\/([^"/]*)"/g)].map(([, segment]) => segment)
    expect(new Set(passed)).toEqual(await publicSegments())
    expect(passed.length).toBeGreaterThan(15)
    expect(templates.join('')).toContain('{{ eq $path "/" | ternary "Exact" "Prefix" }}')
  })

  it('the proxy of Compose and both example proxies of the guide respond to /metrics and /readyz with 404', () => {
    const examples = codeBlocksOf(read('docs/production.md'))
    const caddy = examples.filter(({ language }) => language === 'caddyfile').map(({ text }) => text)
    const nginx = examples.filter(({ language }) => language === 'nginx').map(({ text }) => text)
    expect([caddy.length, nginx.length]).toEqual([1, 1])
    for (const text of [parseYaml(compose)[0].configs.caddyfile.content, ...caddy])
      expect(text).toMatch(/^ *@internal path \/metrics \/readyz\n *respond @internal 404$/m)
    for (const name of ['metrics', 'readyz']) expect(nginx[0]).toContain(`  location = /${name} { return 404; }\n`)
  })
})

describe('the Helm chart', () => {
  const helpers = read('charts/billhook/templates/_helpers.tpl')

  it('the Helm chart refuses an image name without a registry, because no image is published', () => {
    expect(values('values.yaml').image.repository).toBe('')
    expect(helpers).toContain('required "image.repository must name the image in your registry')
    expect(helpers.match(/\.Values\.image\.repository/g)).toHaveLength(1)
    for (const file of ['ci/required-values.yaml', 'ci/all-values.yaml'])
      expect(values(file).image.repository, file).toMatch(/^registry\.example\.com\//)
    for (const { text } of guideValues) expect(parseYaml(text)[0].image.repository).toMatch(/^registry\.example\.com\//)
  })

  it('only web pods wait before they stop, and the wait uses `node`, because the image has no shell', () => {
    const [, before = '', waits = ''] =
      /(\{\{-[^\n]*\}\}\n(?: *#[^\n]*\n)*) *lifecycle:\n([\s\S]*?)\{\{- end \}\}/.exec(helpers) ?? []
    expect(before).toMatch(/^\{\{- if eq \$role "web" \}\}\n/)
    expect(waits).toMatch(
      /^ *preStop:\n *exec:\n *command: \["node", "--eval", "setTimeout\(\(\) => \{\}, 5_000\)"\]\n *$/,
    )
    expect(templates.join('').match(/preStop:/g)).toHaveLength(1)
    expect(read('charts/billhook/templates/web.yaml')).toMatch(
      /selector:\n[^\n]*\n *app\.kubernetes\.io\/component: web\n/,
    )
  })
})

describe('the YAML files', () => {
  const tracked = execFileSync('git', ['ls-files', '*.yaml', '*.yml'], { encoding: 'utf8' }).trim().split('\n')
  const files = tracked.filter((file) => !file.startsWith('charts/billhook/templates/'))

  it.each(files)('the YAML file %s can be parsed', (file) => {
    expect(parseYaml(read(file)).length).toBeGreaterThan(0)
  })

  it('Compose has an image for each service, and each dependency, secret, and volume is declared', () => {
    const [{ services, secrets, volumes, configs }] = parseYaml(compose)
    for (const [name, service] of Object.entries<Record<string, never>>(services)) {
      expect(service.image, name).toMatch(/^(?:docker\.io\/|\$\{BILLHOOK_IMAGE)/)
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(service.depends_on ?? {})))
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining(service.secrets ?? []))
      const mounted = Array.from<string>(service.volumes ?? []).map((each) => each.split(':')[0])
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(mounted))
      const used = Array.from<{ source: string }>(service.configs ?? []).map(({ source }) => source)
      expect(Object.keys(configs)).toEqual(expect.arrayContaining(used))
    }
  })

  it('the Compose examples of the guide change only services of compose.yaml', () => {
    expect(guideValues.length + guideOverrides.length).toBe(guideYaml.length)
    const [{ services }] = parseYaml(compose)
    const changed = guideOverrides.flatMap(({ text }) => Object.keys(parseYaml(text)[0].services))
    expect(changed.length).toBeGreaterThan(0)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(changed))
  })

  it('only the service that builds the image of Billhook may ask a registry for this image', () => {
    const [{ services }] = parseYaml(compose)
    const own = Object.values<Record<string, unknown>>(services).filter(({ image }) => `${image}`.includes('billhook:'))
    expect(own.length).toBe(3)
    expect(own.filter((service) => !service.build && service.pull_policy !== 'never')).toEqual([])
    expect(own.filter((service) => service.build).length).toBe(1)
  })

  it('the health check of the database uses TCP, which PostgreSQL opens only after the image has created the database', () => {
    expect(parseYaml(compose)[0].services.database.healthcheck.test).toContain('--host=127.0.0.1')
  })

  it('the size of the logs of each service is limited', () => {
    for (const [name, service] of Object.entries<Record<string, never>>(parseYaml(compose)[0].services))
      expect(service.logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } })
  })

  it('Compose and the chart set only variables of the configuration', () => {
    const [{ services }] = parseYaml(compose)
    const known = (name: string) => name.replace(/_FILE$/, '') in variables.shape
    expect(Object.keys(services.web.environment).filter((name) => !known(name))).toEqual([])
    for (const config of [
      values('values.yaml').config,
      values('ci/all-values.yaml').config,
      values('ci/required-values.yaml').config,
      ...guideValues.map(({ text }) => parseYaml(text)[0].config),
    ])
      expect(Object.keys(config).filter((name) => !known(name))).toEqual([])
  })

  it('the example values of the Helm chart contain only keys that values.yaml defines', () => {
    const known = values('values.yaml')
    expect(guideValues.length).toBeGreaterThan(0)
    for (const given of [
      values('ci/all-values.yaml'),
      values('ci/required-values.yaml'),
      ...guideValues.map(({ text }) => parseYaml(text)[0]),
    ])
      expect(unknownKeys(given, known)).toEqual([])
  })
})

describe('secrets from files', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-secrets-'))
  const file = path.join(folder, 'key')
  writeFileSync(file, 'a secret of a file\n')
  afterAll(() => rmSync(folder, { recursive: true }))

  it('every variable that can be read from a file exists in the configuration and in the guide', () => {
    expect(secretVariables.filter((name) => !(name in variables.shape))).toEqual([])
    expect(secretVariables.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
  })

  it('a variable gets the text of its secret file, without the final line break', () => {
    const environment: NodeJS.ProcessEnv = { NODE_ENV: 'test', SECRET_KEY_FILE: file }
    readSecretFiles(environment)
    readSecretFiles(environment)
    expect(environment.SECRET_KEY).toBe('a secret of a file')
  })

  it('a secret is refused, and never shown, if its file is unreadable or its variable is also set', () => {
    const both = { NODE_ENV: 'test' as const, SECRET_KEY: 'another', SECRET_KEY_FILE: file }
    expect(() => readSecretFiles(both)).toThrow('Set SECRET_KEY or SECRET_KEY_FILE, not both.')
    const missing = { NODE_ENV: 'test' as const, SMTP_URL_FILE: path.join(folder, 'none') }
    expect(() => readSecretFiles(missing)).toThrow('SMTP_URL_FILE names a file that cannot be read (ENOENT).')
  })

  it('SELLER_NAME_FILE is ignored, because SELLER_NAME is no secret', () => {
    const environment: NodeJS.ProcessEnv = { NODE_ENV: 'test', SELLER_NAME_FILE: file }
    readSecretFiles(environment)
    expect(environment.SELLER_NAME).toBeUndefined()
  })
})
