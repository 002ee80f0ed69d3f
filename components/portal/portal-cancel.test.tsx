import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { portalHomePages } from '@/e2e/fixtures/portal-pages.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { PortalCancel } from './portal-cancel.tsx'

const collected = 'The payment of €12.10 that is open is not collected any more.'
const owed = 'The payment of €12.10 that is open is still due.'

it.each([
  ['at once', null, collected, owed],
  ['with its period', '2027-03-01T00:00:00Z', owed, collected],
])('the cancellation of a subscription %s says what becomes of an open payment', (_, endsAt, said, not) => {
  const home = portalHomePages.all?.('en')
  const [first] = home?.subscriptions ?? []
  if (!home || !first) throw new Error('No fixture all')
  const due = { total: { value: '12.10', currency: 'EUR' }, reason: 'insufficient_funds' } as const
  const page = { ...home, subscription: { ...first, due }, endsAt, submitUrl: '/submit' }
  const html = renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <PortalCancel page={page} />
    </NextIntlClientProvider>,
  )
  expect(html).toContain(said)
  expect(html).not.toContain(not)
})
