import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { nothingAtStake } from '@/e2e/fixtures/admin-pages.ts'
import type { Stakes, SubscriptionAction } from '@/lib/modules/subscriptions/page.ts'
import { SubscriptionActions } from './subscription-actions.tsx'

const total = { value: '12.10', currency: 'EUR' } as const
const at = '2027-03-01T00:00:00Z'

const html = (action: SubscriptionAction, stakes: Partial<Stakes>) => {
  const offered = { action, stakes: { ...nothingAtStake, ...stakes }, terms: 'x', isOpen: false, formKey: 'y' }
  return renderToStaticMarkup(<SubscriptionActions renewalsWait={null} actions={[offered]} url="/submit" />)
}

test.each([
  ['the waived amount', 'cancel', { waived: total }, 'The amount of €12.10 that waits for the next renewal is waived.'],
  [
    'the billing periods that wait and are not charged',
    'pause',
    { stopsWaiting: { count: 2, total }, stops: { total, at } },
    '2 periods that are already due and wait for the outstanding payment are not charged: €12.10 in total. The charge of €12.10 at 1 Mar 2027, 00:00 UTC is not made.',
  ],
  ['the canceled change', 'cancel', { dropsChange: true }, 'The scheduled change is canceled.'],
  ['the immediate end', 'cancel', { endsNow: true }, 'The subscription ends immediately.'],
  ['the amount written off', 'cancelNow', { writtenOff: total }, 'The outstanding amount of €12.10 is written off.'],
  ['the amount already being charged', 'cancelNow', { onItsWay: total }, 'A charge of €12.10 is already in progress.'],
  [
    'the amount that is charged again',
    'pause',
    { collected: { total, retryAt: at, until: at } },
    'The outstanding amount of €12.10 is still charged again, next at 1 Mar 2027, 00:00 UTC.',
  ],
  [
    'the amount that is owed and not charged again',
    'pause',
    { collected: { total, retryAt: null, until: at } },
    'The outstanding amount of €12.10 is still owed. If it is not paid by 1 Mar 2027, 00:00 UTC, it is written off.',
  ],
  [
    'the amount that is collected without a known end',
    'cancel',
    { collected: { total, retryAt: null, until: null } },
    'The outstanding amount of €12.10 is still collected.',
  ],
] as const)('before an action on a subscription, the page states %s', (_, action, stakes, sentence) => {
  expect(html(action, stakes)).toContain(sentence)
})

test('the page of a subscription action says that nothing is charged later, unless a charge is in progress or an outstanding amount is still collected', () => {
  const sentence = 'Nothing is charged later.'
  expect(html('pause', {})).toContain(sentence)
  expect(html('pause', { collected: { total, retryAt: at, until: at } })).not.toContain(sentence)
  expect(html('cancelNow', { onItsWay: total })).not.toContain(sentence)
  expect(html('cancelNow', { writtenOff: total })).toContain(sentence)
})
