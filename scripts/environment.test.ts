import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const folder = mkdtempSync(path.join(os.tmpdir(), 'billhook-environment-'))
const file = path.join(folder, '.env')

beforeAll(() => {
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'scripts'))
  for (const name of ['environment', 'atomic-file', 'user-facing-error'])
    copyFileSync(`scripts/${name}.mjs`, path.join(folder, 'scripts', `${name}.mjs`))
  writeFileSync(file, 'SELLER_NAME=Lumen\nSELLER_CITY=Delft\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Reads `.env` in another process. Root can read each file, so root starts the process as another user. */
function load(environment: Record<string, string> = {}) {
  const program = `import { command } from './scripts/user-facing-error.mjs'
    import { loadDotenv } from './scripts/environment.mjs'
    command(async () => {
      loadDotenv()
      console.log(process.env.SELLER_NAME + ' in ' + process.env.SELLER_CITY)
    })`
  const args = ['--input-type=module', '--eval', program]
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const env = { PATH: process.env.PATH, NODE_ENV: 'test' as const, ...environment }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env, ...user })
  return { status, stdout, stderr }
}

it('variables of the environment take precedence over .env', () => {
  chmodSync(file, 0o644)
  expect(load({ SELLER_CITY: 'Breda' })).toEqual({ status: 0, stdout: 'Lumen in Breda\n', stderr: '' })
})

it('a .env file without read access is reported with its name and the user, and not as missing', () => {
  chmodSync(file, 0o000)
  expect(load()).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^The user \S+ has no access to \S+\/\.env \(EACCES\)\. Run this command as the user/,
    ),
  })
})
