import { getTranslations } from 'next-intl/server'
import { quoteText } from '@/components/checkout/quote-text.ts'
import { quote } from '@/lib/workflows/sale/load-quote.ts'
import { quoteRoute } from '../../../form.ts'

/** GET ?country&taxId&currency&timeZone&lang returns the quote for these values as formatted texts (`QuoteText`). */
export const GET = quoteRoute('checkout', async (token, query, locale, buyer) => {
  const found = await quote(token, query, buyer)
  return found && quoteText(found, locale, await getTranslations({ locale }))
})
