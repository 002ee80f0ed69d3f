import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { transformSync } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { navigation, pagesOf } from '../../components/docs/navigation.ts'
import { parseYaml } from '../yaml.ts'
import { type CodeBlock, codeBlocksOf, stepsOf } from './code-blocks.ts'
import { diagramSvg } from './diagram.ts'

const root = path.resolve(import.meta.dirname, '../..')
const work = mkdtempSync(path.join(os.tmpdir(), 'billhook-docs-'))
afterAll(() => rmSync(work, { recursive: true, force: true }))

const blocks = pagesOf(navigation).flatMap(({ file }) =>
  codeBlocksOf(readFileSync(path.join(root, file), 'utf8')).map((block) => ({ file, block })),
)
const isInstalled = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const has = {
  php: isInstalled('php', '--version'),
  python: isInstalled('python3', '--version'),
  ruby: isInstalled('ruby', '--version'),
  go: isInstalled('go', 'version'),
  caddy: isInstalled('caddy', 'version'),
  nginx: isInstalled('nginx', '-v') && isInstalled('openssl', 'version'),
}

const fed = (program: string, args: string[], input: string): string =>
  execFileSync(program, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })

const parsePython = 'import ast, sys; ast.parse(sys.stdin.read())'

function checkCaddy(text: string): void {
  const file = path.join(work, 'Caddyfile')
  writeFileSync(file, text)
  execFileSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { stdio: 'pipe' })
}

/** Validates an nginx configuration with a new self-signed certificate, because the test machine does not have the named certificate. */
function checkNginx(text: string): void {
  const [certificate, key] = [path.join(work, 'nginx.pem'), path.join(work, 'nginx-key.pem')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-keyout', key, '-out', certificate]
  execFileSync('openssl', made, { stdio: 'pipe' })
  const site = text
    .replaceAll(/ssl_certificate \S+;/g, `ssl_certificate ${certificate};`)
    .replaceAll(/ssl_certificate_key \S+;/g, `ssl_certificate_key ${key};`)
  const file = path.join(work, 'nginx.conf')
  writeFileSync(file, `pid ${work}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${site}\n}\n`)
  execFileSync('nginx', ['-t', '-e', path.join(work, 'nginx.log'), '-c', file], { stdio: 'pipe' })
}

const checks: Readonly<Record<string, { isPossible: boolean; check: (text: string) => unknown }>> = {
  ts: { isPossible: true, check: (text) => transformSync(text, { loader: 'ts' }) },
  js: { isPossible: true, check: (text) => transformSync(text, { loader: 'js' }) },
  json: { isPossible: true, check: (text) => JSON.parse(text) },
  sh: { isPossible: isInstalled('bash', '--version'), check: (text) => fed('bash', ['-n'], text) },
  python: { isPossible: has.python, check: (text) => fed('python3', ['-c', parsePython], text) },
  php: { isPossible: has.php, check: (text) => fed('php', ['-l'], text) },
  ruby: { isPossible: has.ruby, check: (text) => fed('ruby', ['-c'], text) },
  go: { isPossible: has.go, check: (text) => fed('gofmt', ['-e'], text) },
  mermaid: { isPossible: true, check: diagramSvg },
  ini: { isPossible: false, check: () => undefined },
  yaml: { isPossible: true, check: parseYaml },
  caddyfile: { isPossible: has.caddy, check: checkCaddy },
  nginx: { isPossible: has.nginx, check: checkNginx },
}

describe('the code blocks of the documentation', () => {
  for (const [language, { isPossible, check }] of Object.entries(checks))
    it.skipIf(!isPossible)(`each ${language} block of the documentation can be parsed`, async () => {
      const wrong: string[] = []
      for (const { file, block } of blocks.filter((each) => each.block.language === language))
        try {
          await check(block.text)
        } catch (error) {
          wrong.push(`${file}: ${block.text.slice(0, 60)}: ${error}`)
        }
      expect(wrong).toEqual([])
    })

  it('each code block of the documentation names a known language', () => {
    const unknown = blocks.filter(({ block }) => !(block.language in checks) && block.language !== 'text')
    expect(unknown.map(({ file, block }) => `${file}: ${block.language} ${block.text.slice(0, 40)}`)).toEqual([])
  })

  it('the tests execute every documentation code block that has a `run` attribute', () => {
    const names = new Set(blocks.flatMap(({ block }) => block.run ?? []))
    // packages/sdk/src/manual.test.ts runs the blocks whose names begin with `sdk`.
    const own = [...names].filter((name) => !name.startsWith('sdk'))
    expect(own.sort()).toEqual(['access', 'receiver', 'retry', 'sync', 'verify', 'web', 'worker'])
  })
})

const block = (run: string, title: string): CodeBlock => {
  const found = blocks.find((each) => each.block.run === run && each.block.title === title)
  if (!found) throw new Error(`no block ${run} in ${title}`)
  return found.block
}

/** Imports the code `text` without its imports from other files. The code `definitions` defines the imported names. */
// biome-ignore lint/suspicious/noExplicitAny: the exports of a block are checked by their use
async function imported(name: string, text: string, definitions = ''): Promise<any> {
  const source = text.replaceAll(/^import .* from '\.\/.*'$/gm, '')
  const { code } = transformSync(`${definitions}\n${source}`, { loader: 'ts', format: 'esm' })
  const file = path.join(work, `${name}.mjs`)
  writeFileSync(file, code)
  return import(file)
}

const secret = 'whsec_test_fixture_secret'
const body = '{"id":"webhook_event_pin","eventName":"order.paid"}'
const v1 = 'c6f573e62fac6ebca1e3534ca8019c9c5fe090d638b3b40c23470d5b6f2598ea'
const other = 'a'.repeat(64)
const at = 1_700_000_000

const deliveries: readonly (readonly [what: string, header: string, body: string, now: number, isGenuine: boolean])[] =
  [
    ['a genuine delivery', `t=${at},v1=${v1}`, body, at, true],
    ['a second signature that matches', `t=${at},v1=${other},v1=${v1}`, body, at, true],
    ['a delivery 300 seconds later', `t=${at},v1=${v1}`, body, at + 300, true],
    ['a delivery 301 seconds later', `t=${at},v1=${v1}`, body, at + 301, false],
    ['a delivery from the future', `t=${at},v1=${v1}`, body, at - 301, false],
    ['another body', `t=${at},v1=${v1}`, `${body} `, at, false],
    ['another signature', `t=${at},v1=${other}`, body, at, false],
    ['a header with more text', `t=${at},v1=${v1},`, body, at, false],
    ['an empty header', '', body, at, false],
  ]
const quoted = (text: string) => `'${text}'`

describe('the functions that verify a webhook', () => {
  it.each(deliveries)(
    'the documented TypeScript function verifies a sample delivery correctly: %s',
    async (_, header, text, now, isGenuine) => {
      const { isGenuine: verify } = await imported('verify', block('verify', 'TypeScript').text)
      expect(verify(header, text, secret, now)).toBe(isGenuine)
      expect(verify(header, Buffer.from(text), secret, now)).toBe(isGenuine)
      expect(verify(header, text, 'another secret', now)).toBe(false)
    },
  )

  it.skipIf(!has.python)('the documented Python function verifies every sample delivery correctly', () => {
    const calls = deliveries.map(
      ([, header, text, now]) => `print(is_genuine(${quoted(header)}, b${quoted(text)}, ${quoted(secret)}, ${now}))`,
    )
    const printed = fed('python3', ['-'], [block('verify', 'Python').text, ...calls].join('\n'))
    expect(printed.trim().split('\n')).toEqual(deliveries.map((each) => (each[4] ? 'True' : 'False')))
  })

  it.skipIf(!has.php)('the documented PHP function verifies every sample delivery correctly', () => {
    const calls = deliveries.map(
      ([, header, text, now]) =>
        `echo is_genuine(${quoted(header)}, ${quoted(text)}, ${quoted(secret)}, ${now}) ? "true\\n" : "false\\n";`,
    )
    const printed = fed('php', [], [block('verify', 'PHP').text, ...calls].join('\n'))
    expect(printed.trim().split('\n')).toEqual(deliveries.map((each) => String(each[4])))
  })

  it.skipIf(!has.ruby)('the documented Ruby function verifies every sample delivery correctly', () => {
    const calls = deliveries.map(
      ([, header, text, now]) => `puts genuine?(${quoted(header)}, ${quoted(text)}, ${quoted(secret)}, ${now})`,
    )
    const printed = fed('ruby', ['-'], [block('verify', 'Ruby').text, ...calls].join('\n'))
    expect(printed.trim().split('\n')).toEqual(deliveries.map((each) => String(each[4])))
  })

  it.skipIf(!has.go)('the documented Go function verifies every sample delivery correctly', () => {
    const calls = deliveries.map(
      ([, header, text, now]) =>
        `println(IsGenuine(${JSON.stringify(header)}, []byte(${JSON.stringify(text)}), "${secret}", time.Unix(${now}, 0)))`,
    )
    const source = block('verify', 'Go').text.replace('package webhooks', 'package main')
    const file = path.join(work, 'verify.go')
    writeFileSync(file, `${source}\nfunc main() {\n${calls.join('\n')}\n}\n`)
    const { stderr } = spawnSync('go', ['run', file], { encoding: 'utf8' })
    expect(stderr.trim().split('\n')).toEqual(deliveries.map((each) => String(each[4])))
  })

  it('the documented Next.js route stores a genuine event and refuses a forged event', async () => {
    const verify = block('verify', 'TypeScript').text
    const { POST, stored } = await imported(
      'route',
      block('web', 'Next.js').text,
      `${verify}\nexport const stored: unknown[] = []\nconst store = async (event: unknown) => { stored.push(event) }`,
    )
    process.env.WEBHOOK_SECRET = secret
    const t = Math.floor(Date.now() / 1000)
    const sign = (key: string) => createHmac('sha256', key).update(`${t}.${body}`).digest('hex')
    const send = (key: string) =>
      POST(
        new Request('https://shop.example', {
          method: 'POST',
          body,
          headers: { 'service-signature': `t=${t},v1=${sign(key)}` },
        }),
      )
    expect((await send('another secret')).status).toBe(400)
    expect(stored).toEqual([])
    expect((await send(secret)).status).toBe(204)
    expect(stored).toEqual([JSON.parse(body)])
  })
})

const now = new Date('2026-06-10T00:00:00Z')
const recovery = { amountDue: { value: '36.30', currency: 'EUR' }, endsAt: null }
const situations = [
  ['trial', '2026-06-20T00:00:00Z', null, 'full'],
  ['active', '2026-07-01T00:00:00Z', null, 'full'],
  ['active', '2026-06-01T00:00:00Z', null, 'full'],
  ['active', '2026-06-01T00:00:00Z', recovery, 'pastDue'],
  ['active', '2026-07-01T00:00:00Z', recovery, 'full'],
  ['on_grace_period', '2026-07-01T00:00:00Z', null, 'full'],
  ['paused', '2026-07-01T00:00:00Z', null, 'none'],
  ['created', null, null, 'none'],
  ['on_grace_period', '2028-01-15T00:00:00Z', null, 'full'],
  ['canceled', '2026-07-01T00:00:00Z', null, 'none'],
] as const

describe('the rule of access', () => {
  const inputs = situations.map(([status, paidUntil, recovery]) => ({ status, paidUntil, recovery }))
  const decided = situations.map((each) => each[3])

  it('the documented TypeScript function grants access as the table states in every situation', async () => {
    const { accessOf } = await imported('access', block('access', 'TypeScript').text)
    expect(inputs.map((each) => accessOf(each, now))).toEqual(decided)
  })

  it.skipIf(!has.python)('the documented Python function grants access as the table states in every situation', () => {
    const calls = `import json\nfor each in json.loads('''${JSON.stringify(inputs)}'''):\n    print(access_of(each, datetime(2026, 6, 10, tzinfo=timezone.utc)))`
    expect(
      fed('python3', ['-'], `${block('access', 'Python').text}\n${calls}`)
        .trim()
        .split('\n'),
    ).toEqual(decided)
  })
})

/** Runs a Python program in another process, so that a server of this process can respond to it. Returns the output. */
function runPython(name: string, program: string): Promise<string> {
  const file = path.join(work, `${name}.py`)
  writeFileSync(file, program)
  return text(spawn('python3', [file], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout)
}

describe('the retry function', () => {
  /** Starts a server that responds with the given statuses in order. The last status repeats. */
  async function answering(statuses: readonly number[], retryAfter = '0') {
    const keys: unknown[] = []
    const server = createServer((request, response) => {
      keys.push(request.headers['idempotency-key'])
      const status = statuses[Math.min(keys.length, statuses.length) - 1] ?? 500
      response.writeHead(status, { 'retry-after': retryAfter }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys, close: () => server.close() }
  }

  const cases: readonly (readonly [statuses: number[], retryAfter: string, last: number, attempts: number])[] = [
    [[503, 429, 201], '0', 201, 3],
    [[422], '0', 422, 1],
    [[500], '0', 500, 4],
    [[409, 201], '0', 201, 2],
    [[503, 201], 'Wed, 21 Oct 2026 07:28:00 GMT', 201, 2],
    [[429], '31', 429, 1],
    [[503], '3596', 503, 1],
  ]

  it.each(cases)(
    'the documented TypeScript retry function handles the responses %j with Retry-After %s',
    async (statuses, retryAfter, last, attempts) => {
      const { call } = await imported('retry', block('retry', 'TypeScript').text)
      const server = await answering(statuses, retryAfter)
      expect((await call(server.url, { method: 'POST' }, 'cart-1')).status).toBe(last)
      expect(server.keys).toEqual(Array(attempts).fill('cart-1'))
      server.close()
    },
  )

  it.skipIf(!has.python).each(cases)(
    'the documented Python retry function handles the responses %j with Retry-After %s',
    async (statuses, retryAfter, last, attempts) => {
      const server = await answering(statuses, retryAfter)
      const request = `urllib.request.Request("${server.url}", method="POST")`
      const calls = `try:\n    print(call(${request}, "cart-1").status)\nexcept urllib.error.HTTPError as error:\n    print(error.code)`
      const printed = await runPython('retry', `${block('retry', 'Python').text}\n${calls}\n`)
      expect(printed.trim()).toBe(String(last))
      expect(server.keys).toEqual(Array(attempts).fill('cart-1'))
      server.close()
    },
  )
})

it.skipIf(!has.python)(
  'the documented Python sync corrects a missing copy, a different copy, and a copy whose subscription has ended',
  async () => {
    const program = `
def subscription(id, status, quantity=1):
    terms = {"paidUntil": None, "recovery": None, "subscriptionPlanId": "plan", "quantity": quantity}
    return {"id": id, "status": status, **terms}

current = [subscription(f"s{number}", "active") for number in range(5)]
current += [subscription("trial", "trial"), subscription("changed", "on_grace_period", 7), subscription("ended", "canceled")]
reads = []

def get(path):
    reads.append(path)
    if "?" not in path:
        return next(each for each in current if path.endswith("/" + each["id"]))
    query = dict(part.split("=") for part in path.split("?")[1].split("&"))
    listed = [each for each in current if each["status"] == query["status"]]
    ids = [each["id"] for each in listed]
    first = ids.index(query["startingAfter"]) + 1 if "startingAfter" in query else 0
    return {"data": listed[first : first + 2], "links": {"next": {"href": "x"} if len(listed) > first + 2 else None}}

same = subscription("s0", "active")
copies = {"s0": same, "changed": subscription("changed", "active"), "ended": subscription("ended", "active"), "old": subscription("old", "canceled")}
print(sorted(sync(copies, get)))
print(sorted((id, copy["status"], copy["quantity"]) for id, copy in copies.items() if id in ("changed", "ended", "old", "s4")))
print(sync(copies, get), copies["s0"] is same)
`
    const printed = await runPython('sync', `${block('sync', 'Python').text}\n${program}`)
    expect(printed.trim().split('\n')).toEqual([
      "['changed', 'ended', 's1', 's2', 's3', 's4', 'trial']",
      "[('changed', 'on_grace_period', 7), ('ended', 'canceled', 1), ('old', 'canceled', 1), ('s4', 'active', 1)]",
      '[] True',
    ])
  },
)

it('the steps of a guide are its code blocks and its test instructions', () => {
  const text =
    '# A\n\n1. Pay:\n\n   <!-- test: pay CHECKOUT -->\n   ```sh skip="slow"\n   echo\n   ```\n\n```ts title="Hono" run="x"\nlet a\n```\n'
  expect(stepsOf(text)).toEqual([
    { kind: 'test', action: 'pay', argument: 'CHECKOUT' },
    { kind: 'code', language: 'sh', title: null, isBackground: false, skip: 'slow', run: null, text: '   echo\n' },
    { kind: 'code', language: 'ts', title: 'Hono', isBackground: false, skip: null, run: 'x', text: 'let a\n' },
  ])
})
