import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Breakable } from './breakable.tsx'

const shown = (text: string) => renderToStaticMarkup(<Breakable>{text}</Breakable>)

test.each([
  ['order.paid', 'order.paid'],
  ['subscription.update_scheduled', 'subscription.<wbr/>update_<wbr/>scheduled'],
  ['ada.lovelace@shop.example', 'ada.<wbr/>lovelace<wbr/>@shop.<wbr/>example'],
])('a line can break in the name %s only before an at sign, after a dot, or after an underscore', (text, html) => {
  expect(shown(text)).toBe(html)
  expect(shown(text).replaceAll('<wbr/>', '')).toBe(text)
})
