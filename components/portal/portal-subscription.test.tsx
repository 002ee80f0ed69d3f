import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { portalCancelPages, portalSubscriptionPages } from '@/e2e/fixtures/portal-pages.ts'
import type { PortalCancelPage, PortalSubscription } from '@/lib/modules/portal/page.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { PortalCancel } from './portal-cancel.tsx'
import { PortalSubscription as SubscriptionPage } from './portal-subscription.tsx'

const html = (page: React.ReactNode) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      {page}
    </NextIntlClientProvider>,
  )
    .replaceAll('\u00a0', ' ')
    .replace(/<[^>]+>/g, '')

const cancel = (of: keyof typeof portalCancelPages, more: Partial<PortalSubscription> = {}) => {
  const page = portalCancelPages[of]?.('en')
  if (!page) throw new Error(`No fixture ${of}`)
  const changed: PortalCancelPage = { ...page, subscription: { ...page.subscription, ...more } }
  return html(<PortalCancel page={changed} />)
}

const open = 'A payment of €35.70 is still open and remains due.'

it('the page for a cancellation at the end of the period says that no further period is charged, and states an unpaid amount', () => {
  expect(cancel('atEnd')).toContain('It then ends, and no further period is charged.')
  expect(cancel('atEnd')).not.toContain('outstanding')
  expect(cancel('atEndUnpaid')).toContain(`${open} If it does not arrive, the subscription ends on 11 December 2026.`)
})

it('the page for an immediate cancellation says whether the open payment is dropped or may still arrive', () => {
  expect(cancel('atOnce')).toContain('The payment of €35.70 that is open is not collected any more.')
  expect(cancel('atOnce', { due: null })).toContain('A payment of €35.70 was already on its way')
})

it('the page of a subscription with a scheduled change shows the terms that apply from the next renewal', () => {
  const shown = (of: string) => {
    const found = portalSubscriptionPages[of]?.('en')
    if (!found) throw new Error(`No fixture ${of}`)
    return html(<SubscriptionPage notice={null} page={found} />)
  }
  expect(shown('changing')).toContain('From 20 December 2026: 5 × Business plan')
  expect(shown('active')).not.toContain('From')
})

it('the portal shows the days of a subscription in the customer’s time zone', () => {
  const page = portalSubscriptionPages.active?.('en')
  if (!page) throw new Error('No fixture active')
  const subscription = { ...page.subscription, nextCharge: { ...page.subscription.price, at: '2026-12-20T12:30:00Z' } }
  const shown = (timeZone: string | null) =>
    html(<SubscriptionPage notice={null} page={{ ...page, subscription, timeZone }} />)
  expect(shown(null)).toContain('20 December 2026')
  expect(shown('Pacific/Auckland')).toContain('21 December 2026')
})

it('the portal asks for one payment of the declined amount plus the amounts of the later periods that are due', () => {
  const found = portalSubscriptionPages.declined?.('en')
  if (!found) throw new Error('No fixture declined')
  const shown = html(<SubscriptionPage notice={null} page={found} />)
  expect(shown).toContain('A payment of €35.70 is still open')
  expect(shown).toContain('2 further periods are charged at once as well: €71.40 in all.')
  expect(shown).toContain('Pay €107.10 now')
})

it('the fixture of a declined subscription has dates that fit the length of a recovery, and amounts that add up', () => {
  const { every, nextCharge, waiting, due, toPay, unpaid } = portalSubscriptionPages.declined?.('en').subscription ?? {}
  if (!every || !nextCharge || !waiting || !unpaid?.endsEarlier?.at) throw new Error('No fixture declined')
  const days = { day: 1, week: 7, month: 28, year: 365 }[every.interval] * every.intervalCount
  const day = (at: string) => Date.parse(at) / 86_400_000
  // The charge of one period was declined, which began the recovery. The next `waiting.count` periods are due, but are
  // charged only after the declined period is paid.
  const declined = day(nextCharge.at) - days * (waiting.count + 1)
  // A recovery lasts 21 days, plus up to 14 days until two direct debits are returned.
  expect(day(unpaid.endsEarlier.at) - declined).toBeLessThanOrEqual(21 + 14)
  expect(day(due?.chargedAgainAt ?? '')).toBeGreaterThan(declined)
  const cents = (amount?: { value: string } | null) => Math.round(Number(amount?.value) * 100)
  expect(cents(waiting.total)).toBe(waiting.count * cents(nextCharge.total))
  expect(cents(toPay)).toBe(cents(due?.total) + cents(waiting.total))
})

it('in the portal, the page of a subscription does not mention payment methods until the first payment has arrived', () => {
  const found = portalSubscriptionPages.waiting?.('en')
  if (!found) throw new Error('No fixture waiting')
  const shown = html(<SubscriptionPage notice={null} page={found} />)
  expect(shown).toContain('Waiting for the first payment')
  expect(shown).not.toContain('No payment method')
  const active = { ...found, subscription: { ...found.subscription, status: 'active' as const } }
  expect(html(<SubscriptionPage notice={null} page={active} />)).toContain('No payment method is stored.')
})

it('the portal does not say that nothing more is charged if a canceled subscription has an unpaid amount', () => {
  const page = (of: string) => {
    const found = portalSubscriptionPages[of]?.('en')
    if (!found) throw new Error(`No fixture ${of}`)
    return html(<SubscriptionPage notice={null} page={found} />)
  }
  expect(page('canceled')).toContain('Nothing more will be charged.')
  expect(page('canceledUnpaid')).toContain(`No further period will be charged.${open}`)
  expect(page('canceledUnpaid')).toContain('the subscription may end earlier')
  expect(page('canceledUnpaid')).not.toContain('Nothing more')
})
