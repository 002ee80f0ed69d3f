import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { generated } from '../scripts/generate.mjs'

const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8')

it('the generated files match docs/openapi.json (`npm run sdk:generate` writes them)', async () => {
  for (const [file, text] of Object.entries(await generated()))
    expect(read(`generated/${file}`) === text, file).toBe(true)
})

it('the version of the SDK equals the version of the service', () => {
  const { version } = JSON.parse(read('../../../package.json'))
  expect(JSON.parse(read('../package.json')).version).toBe(version)
})
