import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The workflows of `.github`: their programs are pinned, and they have no more rights than they need. */

const folder = '.github/workflows'
const workflows = readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')] as const)
const pinned = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (.+)/g)].map(([, used = '']) => used))

it('every action is pinned to a commit, with its version in a comment', () => {
  expect(pinned.length).toBeGreaterThan(5)
  expect(pinned.filter((used) => !/^[\w-]+\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used))).toEqual([])
})

it('one version of an action is one commit, in all workflows', () => {
  const commits = new Map<string, Set<string>>()
  for (const used of new Set(pinned)) {
    const [, repository = ''] = /^([\w-]+\/[\w-]+)/.exec(used) ?? []
    commits.set(repository, (commits.get(repository) ?? new Set()).add(used.replace(/^.*@/, '')))
  }
  expect([...commits].filter(([, each]) => each.size > 1)).toEqual([])
})

describe.each(workflows)('%s', (_, text) => {
  it('the workflow may only read unless a job states more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m)
  })

  it('the workflow passes text of an event to programs only through variables', () => {
    const runs = [...text.matchAll(/run: (?:\|\n((?: {10}.*\n)+)|(.*))/g)].map(([, block, line]) => block ?? line ?? '')
    expect(runs.length).toBeGreaterThanOrEqual(text.includes('run:') ? 1 : 0)
    expect(runs.filter((run) => run.includes('${{'))).toEqual([])
  })

  it('the workflow ends each job after a time limit', () => {
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)?.length).toBe(text.match(/^ {4}runs-on: /gm)?.length)
  })
})
