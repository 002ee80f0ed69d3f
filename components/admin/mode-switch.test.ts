import { describe, expect, test } from 'vitest'
import { pathInMode } from './mode-switch.tsx'

const id = 'order_4vJ8mQ2xY6nB0cT5kL9sWd'
const storefront = '/admin/test/storefront_4vJ8mQ2xY6nB0cT5kL9sWd'
const place = { storefront, testOnly: ['clock'] }
const live = '/admin/live/storefront_4vJ8mQ2xY6nB0cT5kL9sWd'

describe('the switch between test and live mode', () => {
  test.each([
    ['the home page', '', ''],
    ['a list', '/orders', '/orders'],
    ['the list from the page of an object, whose id belongs to one mode', `/orders/${id}/refund`, '/orders'],
    ['a form', '/catalog/new', '/catalog/new'],
    ['the home page from the test clock, which live mode lacks', '/clock', ''],
  ])('the switch from test mode to live mode leads to %s', (_, path, expected) => {
    expect(pathInMode(`${storefront}${path}`, place, 'live')).toBe(`${live}${expected}`)
  })

  test('on a page without a storefront, the mode switch leads to the home page of the last storefront', () => {
    expect(pathInMode('/admin/sessions', place, 'live')).toBe(live)
  })
})
