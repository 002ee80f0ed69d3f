import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const work = mkdtempSync(path.join(os.tmpdir(), 'billhook-cli-package-'))
const project = path.join(work, 'project')
const installed = path.join(project, 'node_modules/@billhook/cli')

const run = (program: string, args: string[], cwd: string) => {
  const environment = Object.entries(process.env).filter(([name]) => !/^npm_|^BILLHOOK_/.test(name))
  const env = { ...Object.fromEntries(environment), NODE_ENV: 'test' as const, HOME: work, XDG_CONFIG_HOME: '' }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env })
  return { status, stdout, stderr }
}

beforeAll(() => {
  const copy = path.join(work, 'cli')
  mkdirSync(path.join(copy, 'bin'), { recursive: true })
  expect(run(process.execPath, [path.join(root, 'scripts/build.mjs'), copy], root)).toMatchObject({
    status: 0,
    stderr: '',
  })
  for (const file of ['package.json', 'README.md', 'bin/billhook.js'])
    writeFileSync(path.join(copy, file), readFileSync(path.join(root, file)), { mode: 0o755 })
  expect(run('npm', ['pack', '--ignore-scripts', '--pack-destination', work], copy).status).toBe(0)
  const tarball = readdirSync(work).find((file) => file.endsWith('.tgz')) ?? ''
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }')
  const npm = run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(work, tarball)], project)
  expect(npm.status, npm.stderr).toBe(0)
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

it('publint finds no problem in the command line package', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false })
  expect(messages).toEqual([])
})

it('the command line package is one file without dependencies, smaller than 120 kB', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).sort()
  expect(files).toEqual(['README.md', 'bin', 'bin/billhook.js', 'dist', 'dist/billhook.js', 'package.json'])
  expect(readdirSync(path.join(project, 'node_modules/@billhook'))).toEqual(['cli'])
  expect(readFileSync(path.join(installed, 'dist/billhook.js')).length).toBeLessThan(120_000)
})

it('npx billhook runs and passes its exit code to the shell', () => {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  expect(run('npx', ['billhook', '--version'], project)).toMatchObject({ status: 0, stdout: `${version}\n` })
  expect(run('npx', ['billhook', 'frob'], project)).toMatchObject({ status: 2, stdout: '' })
  const billhook = path.join(project, 'node_modules/.bin/billhook')
  expect(run(billhook, ['help', 'listen'], project).stdout).toContain('--forward-to ADDRESS')
  expect(run(billhook, ['status'], project)).toMatchObject({ status: 3, stdout: '' })
})

it('bash completes commands and flags of billhook', () => {
  const script = `PATH="$PWD/node_modules/.bin:$PATH"
    eval "$(billhook completion bash)"
    complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _billhook; echo "\${COMPREPLY[@]}"; }
    complete_words billhook clock ''
    complete_words billhook listen --f`
  const completed = run('bash', ['-c', script], project)
  expect(completed).toMatchObject({ status: 0, stdout: 'advance show\n--forward-to\n' })
})

it('the version of the command line equals the version of the service', () => {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8')).version
  expect(read('package.json')).toBe(read('../../package.json'))
})
