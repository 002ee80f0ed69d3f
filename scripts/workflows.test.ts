import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = '.github/workflows'
const workflows = readdirSync(folder).map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')] as const)
const pinned = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (.+)/g)].map(([, used = '']) => used))

it('every action is pinned to a commit, with its version in a comment', () => {
  expect(pinned.length).toBeGreaterThan(5)
  expect(pinned.filter((used) => !/^[\w-]+\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(used))).toEqual([])
})

it('all workflows pin each action to the same commit', () => {
  const commits = new Map<string, Set<string>>()
  for (const used of new Set(pinned)) {
    const [, repository = ''] = /^([\w-]+\/[\w-]+)/.exec(used) ?? []
    commits.set(repository, (commits.get(repository) ?? new Set()).add(used.replace(/^.*@/, '')))
  }
  expect([...commits].filter(([, each]) => each.size > 1)).toEqual([])
})

describe.each(workflows)('the GitHub workflow %s', (_, text) => {
  it('each GitHub workflow has only read access unless a job requires more', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n$/m)
  })

  it('each GitHub workflow passes event text to programs only through variables', () => {
    const runs = [...text.matchAll(/run: (?:\|\n((?: {10}.*\n)+)|(.*))/g)].map(([, block, line]) => block ?? line ?? '')
    expect(runs.length).toBeGreaterThanOrEqual(text.includes('run:') ? 1 : 0)
    expect(runs.filter((run) => run.includes('${{'))).toEqual([])
  })

  it('each GitHub workflow limits the duration of each job', () => {
    expect(text.match(/^ {4}timeout-minutes: \d+$/gm)?.length).toBe(text.match(/^ {4}runs-on: /gm)?.length)
  })
})
