import { getTranslations } from 'next-intl/server'
import { quoteRoute } from '@/app/form-routes.ts'
import { quoteText } from '@/components/checkout/quote-text.ts'
import { quote } from '@/lib/workflows/sale/load-quote.ts'

/** GET ?country&taxId&currency&timeZone&lang returns the quote for these values as formatted texts (`QuoteText`). */
export const GET = quoteRoute('checkout', async (token, query, locale, buyer) => {
  const found = await quote(token, query, buyer)
  return found && quoteText(found, locale, await getTranslations({ locale }))
})
