import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Work } from './work.tsx'

const page = {
  queues: [],
  services: [],
  failing: [],
  deliveries: [],
  emails: [],
  check: null,
  reconciliations: [],
  mostCounted: 1_000,
}

it.each([
  [null, 'Responds'],
  [{ problem: 'answers 503', account: null }, 'answers 503, since 29 Nov 2026, 10:00 UTC'],
  [{ problem: 'answers 503', account: 'provider_account_1' }, 'answers 503 (provider_account_1), since 29 Nov 2026'],
])('the service trouble %j is shown as: %s', (found, shown) => {
  const trouble = found && { ...found, since: '2026-11-29T10:00:00.000Z' }
  const html = renderToStaticMarkup(<Work page={{ ...page, services: [{ name: 'payments', trouble }] }} />)
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(shown)
})

it.each([
  [999, '>999<'],
  [1_000, '>1000<'],
  [1_001, '>1,000 or more<'],
])('a backlog of %i items is shown as %s', (waiting, shown) => {
  const row = {
    storefront: 'Shop',
    mode: 'live',
    url: '/deliveries',
    waiting,
    oldestAt: null,
    failed: 0,
    unreadable: 0,
  } as const
  expect(renderToStaticMarkup(<Work page={{ ...page, deliveries: [row] }} />)).toContain(shown)
})

it('the page Jobs counts unreadable emails in their own column, with a link to these emails', () => {
  const row = { storefront: 'Shop', mode: 'live', url: '/emails', waiting: 0, oldestAt: null, failed: 2 } as const
  const shown = (unreadable: number) =>
    renderToStaticMarkup(<Work page={{ ...page, emails: [{ ...row, unreadable }] }} />)
  expect(shown(3)).toContain('<a aria-label="3 Unreadable, Shop" href="/emails?status=unreadable">3</a>')
  expect(shown(0)).not.toContain('Unreadable')
})
