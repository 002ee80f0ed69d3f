import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { withdrawalPages } from '@/e2e/fixtures/withdrawal-pages.ts'
import type { WithdrawalPage } from '@/lib/modules/orders/page.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { Withdrawal } from './withdrawal.tsx'

const html = (page: WithdrawalPage) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <Withdrawal page={page} />
    </NextIntlClientProvider>,
  ).replaceAll('\u00a0', ' ')

describe('the time of a declaration of withdrawal', () => {
  const at = '2026-11-24T23:30:00Z'
  const declaredIn = (timeZone: string | null) => {
    const page = withdrawalPages.declared('en')
    return html({ ...page, timeZone, declared: page.declared.map((each) => ({ ...each, at })) })
  }

  it.each([
    ['Europe/Warsaw', '25 November 2026 at 00:30 CET'],
    [null, '24 November 2026 at 23:30 UTC'],
  ])(
    'a declaration of withdrawal shows its time in the time zone %s, or in UTC if the time zone is unknown',
    (timeZone, words) => {
      const shown = declaredIn(timeZone)
      expect(shown.match(/2[45] November 2026 at \d\d:\d\d \w+/g)).toEqual([words, words])
    },
  )
})

it('the withdrawal page mentions the end of subscriptions only if a subscription ends', () => {
  const words = 'Subscriptions that belong to it end at once.'
  expect(html(withdrawalPages.review('en'))).toContain(words)
  expect(html(withdrawalPages.reviewOfSeats('en'))).not.toContain(words)
})
