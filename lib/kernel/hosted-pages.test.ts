import { expect, it } from 'vitest'
import { type HostedPage, hostedLink, hostedPages, hostedPath, hostedSections, leavesSite } from './hosted-pages.ts'

it.each(Object.keys(hostedPages) as HostedPage[])('finds %s again in the path of its links', (page) => {
  expect(hostedLink(hostedPath(page, 'secret'))).toEqual({ page, token: 'secret', rest: [] })
  expect(hostedLink(`${hostedPath(page, 'secret')}/submit`)).toEqual({ page, token: 'secret', rest: ['submit'] })
  expect(hostedLink(`/${page}`)).toEqual({ page, token: '', rest: [] })
})

it.each(['/', '/portal', '/portal/invoices', '/checkouts/secret', '/admin/checkout/secret', '/constructor/secret'])(
  'finds none in %s',
  (path) => {
    expect(hostedLink(path)).toBeNull()
  },
)

it('keeps a token from another path', () => {
  expect(hostedPath('checkout', '../admin?a')).toBe('/checkout/..%2Fadmin%3Fa')
})

it('names each section once', () => {
  expect(hostedSections.filter((section) => section === 'portal')).toEqual(['portal'])
})

it('lets only the pages of a payment lead to other sites', () => {
  const others = ['admin', 'portal', 'portal/sign-out', 'constructor', '']
  expect([...Object.keys(hostedPages), ...others].filter(leavesSite)).toEqual(['checkout', 'pay', 'billing-update'])
})
