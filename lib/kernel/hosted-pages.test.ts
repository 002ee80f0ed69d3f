import { expect, it } from 'vitest'
import { type HostedPage, hostedLink, hostedPages, hostedPath, hostedSections, leavesSite } from './hosted-pages.ts'

it.each(Object.keys(hostedPages) as HostedPage[])('hostedLink() parses the path of the hosted page %s', (page) => {
  expect(hostedLink(hostedPath(page, 'secret'))).toEqual({ page, token: 'secret', rest: [] })
  expect(hostedLink(`${hostedPath(page, 'secret')}/submit`)).toEqual({ page, token: 'secret', rest: ['submit'] })
  expect(hostedLink(`/${page}`)).toEqual({ page, token: '', rest: [] })
})

it.each(['/', '/portal', '/portal/invoices', '/checkouts/secret', '/admin/checkout/secret', '/constructor/secret'])(
  '%s is not recognized as a link to a hosted page',
  (path) => {
    expect(hostedLink(path)).toBeNull()
  },
)

it('a token in the path of a hosted page is percent-encoded', () => {
  expect(hostedPath('checkout', '../admin?a')).toBe('/checkout/..%2Fadmin%3Fa')
})

it('the list of hosted sections has no duplicates', () => {
  expect(hostedSections.filter((section) => section === 'portal')).toEqual(['portal'])
})

it('forms of exactly four hosted pages may redirect to other websites', () => {
  const others = ['admin', 'portal', 'portal/sign-out', 'constructor', '']
  expect([...Object.keys(hostedPages), ...others].filter(leavesSite)).toEqual([
    'checkout',
    'buy',
    'pay',
    'billing-update',
  ])
})
