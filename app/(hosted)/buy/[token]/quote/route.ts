import { getTranslations } from 'next-intl/server'
import { quoteRoute } from '@/app/form-routes.ts'
import { quoteText } from '@/components/checkout/quote-text.ts'
import { quoteLink } from '@/lib/workflows/sale/load-link-quote.ts'

/** GET ?quantity.0&country&taxId&currency&timeZone&lang returns the quote for these values as formatted texts (`QuoteText`). */
export const GET = quoteRoute('buy', async (code, query, locale, buyer) => {
  const found = await quoteLink(code, query, buyer)
  return found && quoteText(found, locale, await getTranslations({ locale }))
})
