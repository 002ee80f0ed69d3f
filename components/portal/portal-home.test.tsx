import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { portalHomePages } from '@/e2e/fixtures/portal-pages.ts'
import type { PortalSubscription } from '@/lib/modules/portal/page.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { PortalHome } from './portal-home.tsx'

function home(subscription: Partial<PortalSubscription>): string {
  const page = portalHomePages.all?.('en')
  const [first] = page?.subscriptions ?? []
  if (!page || !first) throw new Error('No fixture all')
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <PortalHome notice={null} page={{ ...page, subscriptions: [{ ...first, ...subscription }] }} />
    </NextIntlClientProvider>,
  )
}

it('the portal formats a large quantity in the reader’s language', () => {
  expect(home({ quantity: 12_000 })).toContain('Quantity: 12,000')
})

it.each([
  ['on_grace_period', 'Nothing more will be charged.'],
  ['paused', 'Nothing is charged while it is paused.'],
  ['created', null],
  ['canceled', null],
] as const)('for a subscription in status %s without a next charge, the portal says: %s', (status, words) => {
  const [, card = ''] = /<li(.*?)<\/li>/s.exec(home({ status, nextCharge: null })) ?? []
  const said = ['Nothing more will be charged.', 'Nothing is charged while it is paused.'].filter((each) =>
    card.includes(each),
  )
  expect(said).toEqual(words ? [words] : [])
})

it('the portal shows the date of the next attempt of an overdue payment, and the date on which the subscription ends if it stays unpaid', () => {
  const total = { value: '12.10', currency: 'EUR' } as const
  const owed = { due: { total, reason: 'insufficient_funds', chargedAgainAt: '2026-11-25T09:30:00Z' } } as const
  const unpaid = { total, endsEarlier: { at: '2026-12-11T09:30:00Z' }, isOfChange: false }
  const page = home({ ...owed, unpaid })
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s/g, ' ')
  expect(page).toContain('We will try again on 25 November 2026.')
  expect(page).toContain('If it does not arrive, the subscription ends on 11 December 2026.')
  expect(page).toContain('Next regular charge: €35.70 on 20 December 2026')
  const [first = ''] = home({ due: { ...owed.due, chargedAgainAt: null } }).split('</li>')
  expect(first).not.toContain('We will try again')
})

it.each(['on_grace_period', 'paused'] as const)(
  'for a subscription in status %s with an open payment, the portal does not say that nothing is charged',
  (status) => {
    const total = { value: '12.10', currency: 'EUR' } as const
    const page = home({ status, nextCharge: null, unpaid: { total, endsEarlier: null, isOfChange: false } })
    expect(page).toContain('A payment of €12.10 is still open and remains due.')
    expect(page).not.toContain('Nothing more will be charged.')
    expect(page).not.toContain('Nothing is charged while it is paused.')
  },
)

it.each(['en', 'de'] as const)(
  'in the language %s, the title and the text about an open payment in the portal contain the same phrase',
  async (locale) => {
    const { default: words } = await import(`@/messages/${locale}.json`)
    const word = { en: 'is still open', de: 'ist noch offen' }[locale]
    for (const text of [words.portal.due.title, words.portal.unpaid.due]) expect(text).toContain(word)
  },
)
