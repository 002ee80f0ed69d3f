import { expect, it } from 'vitest'
import type { Step } from './next-step.ts'
import { verdictOf } from './verdict.ts'

const all = (...steps: Step[]) => verdictOf(steps.map((step) => ({ step })))

it('the summary of unknown payments counts the payments that an operator must refund', () => {
  expect(all()).toBe('The database has every live payment that was made since the time of the backup.')
  expect(all('use', 'nothing', 'wait')).toBe(
    'Payments that the database lacks: 3. No payment needs a refund. List them again with `restore list`.',
  )
  expect(all('refund', 'refund', 'refund', 'used')).toBe(
    'Payments that the database lacks: 4. To refund at the provider, before the service starts: 3.',
  )
})

it('the summary of unknown payments counts the payments to check later, because the amounts of their charges are not known yet', () => {
  expect(all('depends', 'use')).toBe(
    'Payments that the database lacks: 2. To check after the charge is due: 1. List them again with `restore list`.',
  )
  expect(all('depends', 'refund')).toBe(
    'Payments that the database lacks: 2. To refund at the provider, before the service starts: 1. To check after the charge is due: 1.',
  )
})
