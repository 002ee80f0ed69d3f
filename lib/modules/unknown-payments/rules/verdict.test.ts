import { expect, it } from 'vitest'
import { nextStep } from './next-step.ts'
import { verdictOf } from './verdict.ts'

const open = { status: 'paid', usedBy: null, releasedAt: null, hasStorefront: true, isRefunded: false } as const
const next = (differs: Partial<Parameters<typeof nextStep>[0]>) => ({
  next: nextStep({ ...open, subscriptions: [], ...differs }),
})

it('the summary of unknown payments counts the payments that an operator must refund', () => {
  expect(verdictOf([])).toBe('The database lacks no live payment that was made since the time of the backup.')
  expect(verdictOf([next({ subscriptions: ['s1'] }), next({ isRefunded: true })])).toContain('None must be refunded')
  const toRefund = [next({}), next({ status: 'pending' }), next({ hasStorefront: false })]
  expect(verdictOf([...toRefund, next({ usedBy: 'p1' })])).toBe(
    'Payments that the database lacks: 4. To refund at the provider, before the service starts: 3.',
  )
})
