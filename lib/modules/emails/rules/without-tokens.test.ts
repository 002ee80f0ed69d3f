import { expect, it } from 'vitest'
import { withoutTokens } from './without-tokens.ts'

const token = '0oTwdldVC9cpR6AFiwF2K2Rzj-ch9jKylQ_1o5na-Vn3'

it.each([
  [`Open\nhttps://pay.example/portal/link/${token}\nsoon`, 'Open\nhttps://pay.example/portal/link/…\nsoon'],
  [`http://localhost:3000/billing-update/${token}`, 'http://localhost:3000/billing-update/…'],
  [`https://pay.example/invoices/${token}/pdf`, 'https://pay.example/invoices/…/pdf'],
  [`https://a.example/x/${token} https://b.example/${token}`, 'https://a.example/x/… https://b.example/…'],
  [`https://pay.example/invoices/${token}/pdf?session=${token}`, 'https://pay.example/invoices/…/pdf?session=…'],
  ['https://shop.example/terms', 'https://shop.example/terms'],
  ['Invoice INV-2026-000042, no link', 'Invoice INV-2026-000042, no link'],
])('secret tokens in links are removed: %j becomes %j', (text, expected) => {
  expect(withoutTokens(text)).toBe(expected)
})
