import { expect, it } from 'vitest'
import { wantedPage, withWanted } from './wanted.ts'

it.each([
  '/admin/reviews',
  '/admin/live/storefront_0123/balance/account',
  '/admin/test/storefront_0123/orders?status=paid&startingAfter=order_1',
  '/admin/search?q=ada%40example.com',
  '/admin/audit?subject=operator_1&before=12',
  '/admin/storefronts?name=Lumen&endingBefore=storefront_1',
  '/admin/test/storefront_0123/customers?email=ada%40example.com',
  '/admin/test/storefront_0123/deliveries?endpoint=webhook_1&status=failed',
])('the log-in may redirect to the page %s', (page) => {
  expect(wantedPage(page)).toBe(page)
})

it.each([
  ...[
    '',
    '/',
    '/admin',
    '/admin/',
    '/checkout/x',
    'https://evil.example/admin/reviews',
    '//evil.example/admin/reviews',
  ],
  ...[
    '/admin//evil.example',
    '/admin/\\evil.example',
    '/admin/../checkout',
    '/admin/%2e%2e/x',
    '/administrator/x',
    '/admin@evil.example/x',
  ],
  ...[
    '/admin/reviews#x',
    '/admin/reviews?a?b',
    '/admin/reviews?a="><b>',
    '/admin/reviews?a;b',
    '/admin/a b',
    '/admin/reviews\nx',
  ],
  ...['/admin/sign-in', '/admin/second-factor', '/admin/sign-out', '/admin/invitation/x', '/admin/password/x'],
  `/admin/${'x'.repeat(1000)}`,
])('a log-in does not redirect to the address %j', (given) => {
  expect(wantedPage(given)).toBeNull()
})

it('the redirect after the log-in drops query parameters that report the result of an earlier form', () => {
  expect(wantedPage('/admin/storefronts?done=created&name=a&failed=not_found&form=x')).toBe('/admin/storefronts?name=a')
  expect(wantedPage('/admin/storefronts?done=created')).toBe('/admin/storefronts')
})

it.each([
  ['a changed subscription', '/subscriptions/subscription_1/change', 'quantity=1&price.value=0.01&terms=changed'],
  ['an action on a subscription', '/subscriptions/subscription_1', 'changed=cancelNow'],
  ['a brand', '/brand', 'name=Evil&email=a%40evil.example&q=a'],
  ['a refund', '/orders/order_1/refund', 'amount.order_line_1=1.00'],
])('the redirect after the log-in drops query parameters that would fill in the form for %s', (_, page, query) => {
  const path = `/admin/live/storefront_1${page}`
  expect(wantedPage(`${path}?${query}`)).toBe(path)
})

it('the redirect after the log-in encodes a quotation mark', () => {
  expect(wantedPage("/admin/search?q=O'Hara")).toBe('/admin/search?q=O%27Hara')
})

it('withWanted() adds the requested page as the query parameter `to` of the log-in URL', () => {
  expect(withWanted('/admin/sign-in', null)).toBe('/admin/sign-in')
  expect(withWanted('/admin/sign-in', '/admin/search?q=a')).toBe('/admin/sign-in?to=%2Fadmin%2Fsearch%3Fq%3Da')
  expect(withWanted('/admin/sign-in?refused#a', '/admin/work')).toBe('/admin/sign-in?refused&to=%2Fadmin%2Fwork#a')
})
