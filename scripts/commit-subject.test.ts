import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { subjectOf, subjectProblem } from './commit-subject.mjs'

describe('the subject of a commit', () => {
  it.each([
    'Add a field to customers',
    'x'.repeat(72).replace('x', 'X'),
    'Überweise 10 € sofort',
    'Merge branch "main" into a branch with a very long name that nobody chose by hand, and more',
    'Revert "Add a field whose subject already has seventy-two characters, as is allowed"',
    'fixup! Add a field to customers',
  ])('the commit subject is accepted: %s', (subject) => {
    expect(subjectProblem(subject)).toBeNull()
  })

  it.each([
    ['', /needs a subject/],
    ['   ', /needs a subject/],
    [`X${'x'.repeat(72)}`, /has 73 characters\. At most 72/],
    ['Add a field.', /period/],
    ['Add a field…', /period/],
    ['add a field', /capital letter/],
  ])('the commit subject is refused: "%s"', (subject, problem) => {
    expect(subjectProblem(subject)).toMatch(problem)
  })

  it('the length of a commit subject is counted in characters, not in bytes', () => {
    expect(subjectProblem(`Ä${'ß'.repeat(71)}`)).toBeNull()
  })

  it('the subject is the first line of the message that is neither empty nor a comment', () => {
    expect(subjectOf('\n# a comment\nAdd a field\n\nWhy.\n')).toBe('Add a field')
    expect(subjectOf('# only comments\n')).toBe('')
  })
})

describe('the git hooks', () => {
  const template = mkdtempSync(path.join(tmpdir(), 'billhook-hook-template-'))
  let folder: string
  let clone: string
  /**
   * The environment variables of this process, without `CI` and without the variables that git sets for hooks. Git
   * ignores the settings of this machine.
   */
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:CI$|GIT_)/.test(name))),
    NODE_ENV: process.env.NODE_ENV,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    HOME: '/nonexistent',
  }
  const git = (cwd: string, ...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd, env, encoding: 'utf8' })
  const prepare = (cwd: string, differences: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['scripts/set-up-hooks.mjs'], {
      cwd,
      env: { ...env, ...differences },
      encoding: 'utf8',
    })
  const commit = (cwd: string, message: string) => git(cwd, 'commit', '--allow-empty', '--quiet', '-m', message)
  const hooksPath = (cwd: string) => git(cwd, 'config', '--get', 'core.hooksPath').stdout.trim()

  function put(into: string) {
    mkdirSync(path.join(into, 'scripts'), { recursive: true })
    cpSync('.githooks', path.join(into, '.githooks'), { recursive: true })
    for (const file of ['commit-subject.mjs', 'set-up-hooks.mjs'])
      cpSync(`scripts/${file}`, path.join(into, 'scripts', file))
  }

  beforeAll(() => {
    put(template)
    git(template, 'init', '--quiet')
    git(template, 'add', '.')
  })
  afterAll(() => rmSync(template, { recursive: true, force: true }))
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'billhook-hook-'))
    clone = path.join(folder, 'clone')
    cpSync(template, clone, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('after npm install, the commit-msg hook refuses a long subject and accepts a short subject', () => {
    expect(commit(clone, 'before the hook this subject is accepted.').status).toBe(0)
    expect(prepare(clone)).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(commit(clone, `Add ${'x'.repeat(72)}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('At most 72 are allowed'),
    })
    expect(commit(clone, 'Add a field').status).toBe(0)
  })

  it('the commit-msg hook also runs in a worktree of the clone', () => {
    prepare(clone)
    commit(clone, 'Add the hook')
    const worktree = path.join(folder, 'worktree')
    git(clone, 'worktree', 'add', '--quiet', worktree)
    expect(prepare(worktree).status).toBe(0)
    expect(commit(worktree, 'add a field').stderr).toContain('capital letter')
    expect(commit(worktree, 'Add a field').status).toBe(0)
  })

  it('the pre-commit hook refuses a staged file that is not formatted, and accepts the file after it is formatted', () => {
    prepare(clone)
    commit(clone, 'Add the hook')
    symlinkSync(path.resolve('node_modules'), path.join(clone, 'node_modules'))
    cpSync('biome.json', path.join(clone, 'biome.json'))
    const stage = (text: string) => {
      writeFileSync(path.join(clone, 'sum.ts'), text)
      git(clone, 'add', 'sum.ts')
    }
    stage('export const sum = (a: number,b: number) => a+b;\n')
    expect(commit(clone, 'Add a sum')).toMatchObject({ status: 1, stderr: expect.stringContaining('sum.ts format') })
    stage('export const sum = (a: number, b: number) => a + b\n')
    expect(commit(clone, 'Add a sum').status).toBe(0)
  })

  it('npm install keeps a hooks folder that the developer configured', () => {
    git(clone, 'config', 'core.hooksPath', 'my-hooks')
    expect(prepare(clone).status).toBe(0)
    expect(hooksPath(clone)).toBe('my-hooks')
  })

  it('npm install sets up no commit-msg hook in CI', () => {
    expect(prepare(clone, { CI: 'true' })).toMatchObject({ status: 0, stderr: '' })
    expect(hooksPath(clone)).toBe('')
  })

  it('npm install without git sets up no commit-msg hook and does not fail', () => {
    const programs = path.join(folder, 'programs')
    mkdirSync(programs)
    symlinkSync(process.execPath, path.join(programs, 'node'))
    expect(prepare(clone, { PATH: programs })).toMatchObject({ status: 0, stderr: '' })
    expect(hooksPath(clone)).toBe('')
  })

  it("npm install sets up no hook outside a repository or in another project's repository", () => {
    const copy = path.join(clone, 'vendor', 'billhook')
    put(copy)
    expect(existsSync(path.join(copy, '.git'))).toBe(false)
    expect(prepare(copy)).toMatchObject({ status: 0, stderr: '' })
    expect(hooksPath(clone)).toBe('')
    rmSync(path.join(clone, '.git'), { recursive: true })
    expect(prepare(clone)).toMatchObject({ status: 0, stderr: '' })
  })

  it('CI checks every commit subject in a range, except the subjects of commits by bots', () => {
    const check = (range: string) =>
      spawnSync(process.execPath, ['scripts/commit-subject.mjs', '--range', range], {
        cwd: clone,
        env,
        encoding: 'utf8',
      })
    commit(clone, 'Add a field')
    git(
      clone,
      'commit',
      '--allow-empty',
      '--quiet',
      '--author',
      'dependabot[bot] <bot@example.com>',
      '-m',
      'x'.repeat(99),
    )
    expect(check('HEAD')).toMatchObject({ status: 0, stderr: '' })
    commit(clone, 'remove a field.')
    expect(check('HEAD~1..HEAD')).toMatchObject({ status: 1, stderr: expect.stringContaining('remove a field.\n') })
    expect(check('HEAD~1').status).toBe(0)
  })
})
