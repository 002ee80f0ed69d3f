import { getTranslations } from 'next-intl/server'
import { quoteText } from '@/components/checkout/quote-text.ts'
import { quote } from '@/lib/checkouts/hosted.ts'
import { locales } from '@/lib/kernel/locale.ts'
import { currentBuyer, type TokenParams } from '../../../open.ts'

/** GET ?country&taxId&currency&lang: the order's figures for these, in words (`QuoteText`). */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const query = new URL(request.url).searchParams
  const locale = locales.find((each) => each === query.get('lang')) ?? 'en'
  const found = await quote((await params).token, query, await currentBuyer())
  const init = { status: found ? 200 : 404, headers: { 'cache-control': 'no-store' } }
  return Response.json(found && quoteText(found, locale, await getTranslations({ locale })), init)
}
