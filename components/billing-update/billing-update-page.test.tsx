import { NextIntlClientProvider } from 'next-intl'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { billingPages } from '@/e2e/fixtures/hosted-pages.ts'
import messages from '@/messages/en.json' with { type: 'json' }
import { BillingUpdate } from './billing-update-page.tsx'

function shown(of: string): string {
  const page = billingPages[of]?.('en', 'token')
  if (!page) throw new Error(`No fixture ${of}`)
  return renderToStaticMarkup(
    <NextIntlClientProvider locale="en" messages={messages} timeZone="UTC">
      <BillingUpdate page={page} />
    </NextIntlClientProvider>,
  )
    .replaceAll('\u00a0', ' ')
    .replace(/<[^>]+>/g, '')
}

it('the billing-update page states the charges that follow an open payment, and the total to pay', () => {
  const page = shown('declined')
  expect(page).toContain('Still to pay€36.30')
  expect(page).toContain('The payment of €12.10 was declined')
  expect(page).toContain('Your subscription: Weekly team plan')
  expect(page).toContain('Next regular charge: €12.10 on 27 November 2026.')
  expect(page).toContain('2 further periods are charged at once as well: €24.20 in all.')
  expect(shown('charged')).toContain('a further period is charged at once as well: €12.10.')
})

it('the button of the billing-update page states the total, unless the payment method may be kept', () => {
  expect(shown('lost')).toContain('Save and pay €12.10')
  expect(shown('declined')).toContain('Save and continue')
  expect(shown('open')).toContain('Save changes')
})
