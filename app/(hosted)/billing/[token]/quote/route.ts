import { getTranslations } from 'next-intl/server'
import { billingText } from '@/components/billing/billing-text.ts'
import { billingQuote } from '@/lib/billing/hosted.ts'
import { locales } from '@/lib/kernel/locale.ts'
import type { TokenParams } from '../../../open.ts'

/** GET ?country&taxId&lang: what follows from these, in words (`BillingText`). */
export async function GET(request: Request, { params }: TokenParams): Promise<Response> {
  const query = new URL(request.url).searchParams
  const locale = locales.find((each) => each === query.get('lang')) ?? 'en'
  const found = await billingQuote((await params).token, query)
  const init = { status: found ? 200 : 404, headers: { 'cache-control': 'no-store' } }
  return Response.json(found && billingText(found, locale, await getTranslations({ locale })), init)
}
