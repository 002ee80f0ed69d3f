import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Seen, Setting } from '@/docs/clients/seen.ts'
import type { Listener } from '@/lib/server/listen.ts'
import { listening } from '@/lib/testing/listening.ts'
import { type Scenario, subscriptionScenario } from '@/lib/testing/subscription-scenario.ts'

const root = path.resolve(import.meta.dirname, '../..')
const generators = path.join(root, 'docs/clients/node_modules/.bin')
const document = path.join(root, 'docs/openapi.json')
const work = path.join(root, `docs/clients/node_modules/.cache/billhook-${process.pid}`)

let listener: Listener
let scenario: Scenario
beforeAll(async () => {
  listener = await listening()
})
afterAll(async () => {
  await listener.close(0)
  rmSync(work, { recursive: true, force: true })
})

const done = (program: string, args: string[], cwd = root) => {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, CI: '1' },
  })
  expect({ status, said: status === 0 ? '' : `${stdout}${stderr}` }).toEqual({ status: 0, said: '' })
}

it.each([
  [
    'openapi-fetch',
    (into: string) => done(`${generators}/openapi-typescript`, [document, '-o', `${into}/generated.d.ts`]),
  ],
  [
    'hey-api',
    (into: string) =>
      done(`${generators}/openapi-ts`, ['-i', document, '-o', `${into}/generated`, '-c', '@hey-api/client-fetch']),
  ],
])('a program with the generated %s client compiles in strict mode and runs', async (name, generate) => {
  const folder = path.join(work, name)
  mkdirSync(folder, { recursive: true })
  for (const file of [`${name}.ts`, 'seen.ts', 'tsconfig.json'])
    cpSync(path.join(root, 'docs/clients', file), path.join(folder, file))
  generate(folder)
  done(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder])

  scenario = await subscriptionScenario()
  const outfile = path.join(folder, 'program.mjs')
  await build({
    entryPoints: [path.join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  const { run }: { run: (setting: Setting) => Promise<Seen> } = await import(pathToFileURL(outfile).href)
  const { key, planId, id: subscriptionId } = scenario
  const seen = await run({ baseUrl: `http://127.0.0.1:${listener.port}`, key, planId, subscriptionId })
  expect(seen).toEqual({
    customer: {
      createdAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      tier: 'gold',
      metadata: { tier: 'gold', seats: 3, vip: true },
    },
    checkout: { cart: 'c1' },
    archived: { active: [], all: [true] },
    canceled: [204, 'canceled'],
    wrong: ['validation_failed', ['email']],
    unknown: ['endpoint_not_found', 'http://billhook.test/v1/openapi.json'],
  })
})
