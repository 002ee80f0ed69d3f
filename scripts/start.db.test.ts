import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from './embedded-postgres.mjs'

const data = mkdtempSync(path.join(os.tmpdir(), 'billhook-start-'))
afterAll(() => rmSync(data, { recursive: true }))

const SELLER = {
  SELLER_NAME: 'Real Seller B.V.',
  SELLER_STREET: 'Keizersgracht 1',
  SELLER_POSTAL_CODE: '1015 CN',
  SELLER_CITY: 'Amsterdam',
  SELLER_VAT_ID: 'NL000099998B57',
}

const start = (environment: Record<string, string>, ...roles: string[]) =>
  run(['scripts/start.mjs', ...roles], environment)

function run(
  program: string[],
  environment: Record<string, string>,
  begun: (child: ChildProcess) => void = () => undefined,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const quiet = { PATH: process.env.PATH ?? '', BILLHOOK_DATA: data, NODE_ENV: '' }
  const child = spawn(process.execPath, program, {
    env: { ...quiet, ...environment } as unknown as NodeJS.ProcessEnv,
  })
  begun(child)
  const written = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', (text) => {
      written[stream] += text
    })
  }
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...written })))
}

const oneSentence = (pattern: RegExp) => ({
  status: 1,
  stdout: '',
  stderr: expect.stringMatching(new RegExp(`^${pattern.source}\n$`)),
})

describe('refusals of npm start', () => {
  it('npm start refuses an unknown role and more than one role', async () => {
    const known = oneSentence(/`npm start` takes one word: all .*, web .*, or worker .*\./)
    expect(await start({}, 'pages')).toEqual(known)
    expect(await start({}, 'web', 'worker')).toEqual(known)
  })

  it.each(['web', 'worker'])('npm start refuses the role %s on the embedded database', async (role) => {
    const port = await freePort()
    expect(await start({ PORT: String(port) }, role)).toEqual(
      oneSentence(new RegExp(`\`npm start -- ${role}\` needs DATABASE_URL\\. .*`)),
    )
    expect(existsSync(path.join(data, 'postgres'))).toBe(false)
  })

  it('npm start refuses a port in use before it creates any file or installs anything', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, resolve))
    const { port } = other.address() as { port: number }
    // A clone without packages, whose installation would fail because npm is offline.
    const clone = path.join(data, 'clone')
    for (const name of ['scripts', 'package.json', 'package-lock.json'])
      cpSync(name, path.join(clone, name), { recursive: true })
    const refused = oneSentence(new RegExp(`Port ${port} is in use by another program\\. .*`))
    // Each program waits some seconds for the port, so both programs run at the same time.
    expect(
      await Promise.all([
        start({ PORT: String(port) }),
        run([path.join(clone, 'scripts/prepare.mjs'), '--port'], { PORT: String(port), npm_config_offline: 'true' }),
      ]),
    ).toEqual([refused, refused])
    expect(existsSync(path.join(data, 'postgres'))).toBe(false)
    expect(existsSync(path.join(clone, 'node_modules'))).toBe(false)
    await new Promise((resolve) => other.close(resolve))
  })

  it.each(['scripts/start.mjs', 'scripts/prepare.mjs --port'])(
    '%s refuses a LISTEN_ADDRESS of another machine',
    async (line) => {
      const set = { PORT: String(await freePort()), LISTEN_ADDRESS: '192.0.2.1' }
      const sentence = /This machine does not have the address 192\.0\.2\.1\. Set LISTEN_ADDRESS to .*\./
      expect(await run(line.split(' '), set)).toEqual(oneSentence(sentence))
    },
  )

  it.each([
    ['127.0.0.1:1', /The database sales at 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*/],
    ['%2Fno-folder:5432', /The database sales at \/no-folder:5432 cannot be reached: .*ENOENT.*/],
  ])('npm start reports an unreachable database at %s without showing its password', async (host, sentence) => {
    const DATABASE_URL = `postgresql://billhook:hunter2@${host}/sales`
    const refused = await start({ PORT: String(await freePort()), DATABASE_URL })
    expect(refused).toEqual(oneSentence(sentence))
    expect(refused.stderr).not.toContain('hunter2')
  })

  it('npm start reports an invalid variable', async () => {
    expect(await start({ PORT: 'three thousand' })).toEqual(oneSentence(/PORT must be a port number from 1 to 65535\./))
  })

  it.each([{ BILLHOOK_ENV: 'production' }, { NODE_ENV: 'production' }])(
    'npm start refuses production without a secret: %j',
    async (environment) => {
      const refused = await start({
        PORT: String(await freePort()),
        PUBLIC_BASE_URL: 'https://pay.example.com',
        ...SELLER,
        ...environment,
      })
      expect(refused).toEqual(oneSentence(/SECRET_KEY must be set in production .*/))
    },
  )

  it('npm start refuses an old version of Node.js', () => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' })`
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${older}`, 'scripts/prepare.mjs'],
      {
        encoding: 'utf8',
      },
    )
    expect({ status, stdout, stderr }).toEqual(
      oneSentence(/Billhook needs Node\.js 20\.19 or newer\. The version is 18\.20\.4\./),
    )
  })
})

it('SIGUSR2 (a profile request) does not end npm start before it is ready', async () => {
  const children: ChildProcess[] = []
  const database = createServer((socket) => {
    children[0]?.kill('SIGUSR2')
    socket.destroy()
  })
  await new Promise<void>((resolve) => database.listen(0, resolve))
  const { port } = database.address() as { port: number }
  const environment = { PORT: String(await freePort()), DATABASE_URL: `postgresql://billhook@127.0.0.1:${port}/sales` }
  const ended = await run(['scripts/start.mjs'], environment, (child) => children.push(child))
  expect(ended).toEqual(oneSentence(new RegExp(`The database sales at 127\\.0\\.0\\.1:${port} cannot be reached: .*`)))
  await new Promise((resolve) => database.close(resolve))
})

it('SIGUSR2 (a profile request) does not end a supervised process that is starting, serving, or draining', async () => {
  const askForProfile = `process.kill(process.pid, 'SIGUSR2'); await new Promise((resolve) => setImmediate(resolve))`
  writeFileSync(
    path.join(data, 'server.mjs'),
    `export async function start() {
      ${askForProfile}
      setImmediate(async () => {
        ${askForProfile}
        process.kill(process.pid, 'SIGTERM')
      })
      return { async stop() { ${askForProfile} } }
    }`,
  )
  expect(await run(['scripts/one-process.mjs', data], {})).toEqual({ status: 0, stdout: '', stderr: '' })
})
