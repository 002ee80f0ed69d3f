import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { build } from 'esbuild'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const work = mkdtempSync(path.join(os.tmpdir(), 'billhook-sdk-'))
/** The oldest supported TypeScript version, and the version of this repository. */
const compilers = ['../package.json', '../../../package.json'].map((from) =>
  path.join(
    path.dirname(createRequire(path.join(import.meta.dirname, from)).resolve('typescript/package.json')),
    'bin/tsc',
  ),
)
const project = path.join(work, 'project')
let tarball: string

const run = (program: string, args: string[], cwd: string) => {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...Object.fromEntries(environment), NODE_ENV: 'test' },
  })
  expect({ status, said: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, said: '' })
  return stdout
}

beforeAll(() => {
  // The tests use a copy of the package, because other test files may use the original folder at the same time.
  const copy = path.join(work, 'sdk')
  mkdirSync(copy)
  run(process.execPath, [path.join(root, 'scripts/build.mjs'), copy], root)
  for (const file of ['package.json', 'README.md'])
    writeFileSync(path.join(copy, file), readFileSync(path.join(root, file)))
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', work], copy)
  tarball = path.join(work, readdirSync(work).find((file) => file.endsWith('.tgz')) ?? '')
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], project)
})
afterAll(() => {
  rmSync(work, { recursive: true, force: true })
})

const sdk = path.join(project, 'node_modules/@billhook/sdk')
const entries = ['.', './web', './next', './hono', './express', './fastify', './testing']

it('publint finds no problem in the SDK package', async () => {
  const { messages } = await publint({ pkgDir: sdk, strict: true, pack: false })
  expect(messages).toEqual([])
})

it('Git ignores the package file that npm pack writes to the root of the repository', () => {
  const files = ['sdk', 'cli'].map((name) => `billhook-${name}-0.2.0.tgz`)
  expect(
    run('git', ['check-ignore', ...files], path.resolve(root, '../..'))
      .trim()
      .split('\n'),
  ).toEqual(files)
})

it('the types of the package resolve in ES modules, in CommonJS, and with a bundler', async () => {
  const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(readFileSync(tarball))))
  if (!checked.types) throw new Error('the package has no types')
  // The check ignores problems of TypeScript before 4.7 (`node10`), which does not read `exports` and therefore finds
  // only the main entry.
  expect(checked.problems.filter((each) => !('resolutionKind' in each && each.resolutionKind === 'node10'))).toEqual([])
  expect(Object.keys(checked.entrypoints)).toEqual(expect.arrayContaining(entries))
})

const program = `
import { BillhookError, createBillhook, webhooks, type Order, type WebhookEvent } from '@billhook/sdk'
import { receiveWebhooks as express } from '@billhook/sdk/express'
import { receiveWebhooks as fastify } from '@billhook/sdk/fastify'
import { receiveWebhooks as hono } from '@billhook/sdk/hono'
import { receiveWebhooks as next } from '@billhook/sdk/next'
import { createTestServer, exampleEvent, signedDelivery } from '@billhook/sdk/testing'
import { receiveWebhooks as web } from '@billhook/sdk/web'

async function main() {
  const server = createTestServer()
  const billhook = createBillhook({ baseUrl: server.url, apiKey: 'test_key', fetch: server.fetch })
  const orders: Order[] = []
  for await (const order of billhook.listOrders({ status: 'paid' })) orders.push(order)
  const total: string = orders[0]!.total.value
  const failed = await billhook.request('GET', '/v1/tomorrow').catch((error: unknown) => error)
  const secret = 'whsec_of_the_project'
  const names: string[] = []
  const onEvent = (event: WebhookEvent) => {
    if (event.eventName === 'order.paid') names.push(event.object.total.value)
  }
  const delivery = await signedDelivery('https://shop.example/', secret, exampleEvent('order.paid'))
  const received = await web({ secret, onEvent })(delivery)
  console.log(JSON.stringify([total, failed instanceof BillhookError, received.status, names.length,
    [express, fastify, hono, next].map((each) => typeof each), typeof webhooks.verify]))
}
void main()
`
const printed = ['72.59', true, 204, 1, ['function', 'function', 'function', 'function'], 'function']

describe.each([
  ['ES modules and CommonJS', ['mts', 'cts'], { module: 'NodeNext' }],
  ['a bundler', ['mts'], { module: 'ESNext', moduleResolution: 'bundler' }],
])('the package works in an empty project with %s', (name, extensions, settings) => {
  const folder = path.join(project, name.replaceAll(' ', '-'))

  it('a program that uses the package compiles in strict mode and runs', { timeout: 120_000 }, () => {
    mkdirSync(folder, { recursive: true })
    for (const extension of extensions) writeFileSync(path.join(folder, `program.${extension}`), program)
    const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, types: [] }
    const compilerOptions = { target: 'ES2022', lib: ['ES2022', 'DOM'], skipLibCheck: false, ...strict, ...settings }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
    for (const tsc of compilers) run(process.execPath, [tsc, '-p', folder], folder)
    for (const extension of extensions) {
      const output = run(process.execPath, [path.join(folder, `program.${extension.replace('ts', 'js')}`)], folder)
      expect(JSON.parse(output), extension).toEqual(printed)
    }
  })
})

describe('the size after minification and gzip', () => {
  const sizeOf = async (code: string) => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: project },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'neutral',
      external: ['node:http'],
      write: false,
    })
    const [file] = outputFiles
    return { bytes: gzipSync(file?.contents ?? '').length, text: file?.text ?? '' }
  }

  it('the bundled client is smaller than 12 kB', async () => {
    const { bytes } = await sizeOf("export * from '@billhook/sdk'")
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThan(12_000)
  })

  it('a bundle that only receives webhooks contains no client code', async () => {
    const { bytes, text } = await sizeOf("import { webhooks } from '@billhook/sdk'; console.log(webhooks.verify)")
    expect(text).toContain('HMAC')
    expect(text).not.toContain('/v1/')
    expect(bytes).toBeLessThan(1_500)
  })

  it('a bundle of each framework adapter is smaller than 2 kB, so it contains no framework', async () => {
    for (const name of ['web', 'next', 'hono', 'express', 'fastify'])
      expect((await sizeOf(`export * from '@billhook/sdk/${name}'`)).bytes).toBeLessThan(2_000)
  })
})
