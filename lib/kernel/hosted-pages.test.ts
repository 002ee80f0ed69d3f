import { expect, it } from 'vitest'
import { type HostedPage, hostedLink, hostedPages, hostedPath, hostedSections, leavesSite } from './hosted-pages.ts'

it.each(Object.keys(hostedPages) as HostedPage[])('recognizes a link to the hosted page %s by its path', (page) => {
  expect(hostedLink(hostedPath(page, 'secret'))).toEqual({ page, token: 'secret', rest: [] })
  expect(hostedLink(`${hostedPath(page, 'secret')}/submit`)).toEqual({ page, token: 'secret', rest: ['submit'] })
  expect(hostedLink(`/${page}`)).toEqual({ page, token: '', rest: [] })
})

it.each(['/', '/portal', '/portal/invoices', '/checkouts/secret', '/admin/checkout/secret', '/constructor/secret'])(
  'does not recognize %s as a link to a hosted page',
  (path) => {
    expect(hostedLink(path)).toBeNull()
  },
)

it('encodes a token so that the token cannot lead to another path', () => {
  expect(hostedPath('checkout', '../admin?a')).toBe('/checkout/..%2Fadmin%3Fa')
})

it('lists each section of the hosted pages once', () => {
  expect(hostedSections.filter((section) => section === 'portal')).toEqual(['portal'])
})

it('only the pages that take payments may lead to other sites', () => {
  const others = ['admin', 'portal', 'portal/sign-out', 'constructor', '']
  expect([...Object.keys(hostedPages), ...others].filter(leavesSite)).toEqual([
    'checkout',
    'buy',
    'pay',
    'billing-update',
  ])
})
