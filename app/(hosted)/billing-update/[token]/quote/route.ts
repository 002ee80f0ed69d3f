import { getTranslations } from 'next-intl/server'
import { quoteRoute } from '@/app/form-routes.ts'
import { billingUpdateText } from '@/components/billing-update/billing-update-text.ts'
import { billingUpdateQuote } from '@/lib/workflows/billing-update/load-billing-update.ts'

/** GET ?country&taxId&timeZone&lang returns the quote for these values as formatted texts (`BillingUpdateText`). */
export const GET = quoteRoute('billing-update', async (token, query, locale) => {
  const found = await billingUpdateQuote(token, query)
  return found && billingUpdateText(found, locale, await getTranslations({ locale }))
})
