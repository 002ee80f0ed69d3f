import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Work } from './work.tsx'

it.each([
  [999, '>999<'],
  [1_000, '>1000<'],
  [1_001, '>1,000 or more<'],
])('a backlog of %i items is shown as %s', (waiting, shown) => {
  const row = { storefront: 'Shop', mode: 'live', url: '/deliveries', waiting, oldestAt: null, failed: 0 } as const
  const page = {
    queues: [],
    services: [],
    failing: [],
    deliveries: [row],
    emails: [],
    check: null,
    reconciliations: [],
  }
  expect(renderToStaticMarkup(<Work page={{ ...page, mostCounted: 1_000 }} />)).toContain(shown)
})
