import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { failpoints } from './failpoints.ts'

it('the list of failpoints contains every failpoint of the service exactly once', () => {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  )
  const named = files.flatMap((file) =>
    [...readFileSync(path.join('lib', file), 'utf8').matchAll(/\bfailpoint\('([^']+)'\)/g)].map(([, name]) => name),
  )
  expect([...new Set(named)].sort()).toEqual([...failpoints].sort())
})
