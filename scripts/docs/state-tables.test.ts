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
