import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withStateTables } from './state-tables.ts'

const file = 'docs/start/concepts.md'

it('docs/start/concepts.md contains the states of the code (`npm run docs:states` writes them)', () => {
  const page = readFileSync(file, 'utf8')
  const current = withStateTables(page)
  if (process.env.UPDATE_STATES) writeFileSync(file, current)
  else expect(page).toBe(current)
})

it('a row of a state table lists the next states without the state itself', () => {
  const page = withStateTables(readFileSync(file, 'utf8'))
  expect(page).toContain('| `on_grace_period` | `active`, `trial`, `paused`, `canceled` |')
  expect(page).toContain('| `refunded` | none |')
})

it('each state in docs/start/concepts.md is the first of its table, is reachable, or is described as an initial state', () => {
  const page = withStateTables(readFileSync(file, 'utf8'))
  const unexplained = page.split(/^### /m).flatMap((section) => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, state = '', next = '']) => ({
      state,
      next,
    }))
    const isReached = (state: string) => rows.some(({ next }) => next.includes(`\`${state}\``))
    const isNamed = (state: string) => new RegExp(`begins? as \`${state}\``).test(section)
    return rows.slice(1).flatMap(({ state }) => (isReached(state) || isNamed(state) ? [] : state))
  })
  expect(unexplained).toEqual([])
  expect(page).toContain('the chargeback begins as `requires_amount_review`')
})
