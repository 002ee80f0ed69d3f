import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { negotiateLocale } from '../../kernel/locale.ts'
import { timeZoneIn } from '../../kernel/time-zone.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { originsOf } from '../../modules/checkouts/form-origins.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import type { PaymentLinkPage, QuantityField } from '../../modules/payment-links/page.ts'
import { buyPath } from '../../modules/payment-links/resource.ts'
import { quantityField } from '../../modules/payment-links/rules/payment-link.ts'
import { sepaCreditorId } from '../../modules/subscriptions/direct-debit.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { newFormKey } from '../../platform/http/form-key.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { prefilled } from './find-checkout.ts'
import { choiceAtLink } from './load-link-quote.ts'
import { type FoundLink, findLinkOf, offered } from './payment-link.ts'
import { quoteFor } from './quote.ts'

/** Returns the status 410 and a page without a form while nobody can buy through the link. */
export async function loadPaymentLink(code: string, visitor: Visitor): Promise<Loaded<PaymentLinkPage>> {
  const found = await findLinkOf(code)
  if (!found) return unknownLink
  const { link, tenant, now, state } = found
  const common = {
    locale: link.locale ?? negotiateLocale(visitor.acceptLanguage),
    testmode: tenant.testmode,
    ...(await storefrontView(db(), tenant.storefrontId)),
    seller: sellerView(config().seller),
  }
  if (state !== 'open') return { status: 410, view: { ...common, state } }
  const first = link.items.map(({ quantity }) => quantity)
  const offer = offered(found, first)
  const form = await prefilled(offer, visitor)
  const path = buyPath(link.id)
  const view: PaymentLinkPage = {
    ...common,
    state,
    quote: await quoteFor(offer, await choiceAtLink(offer, form), {
      chosen: '',
      timeZone: timeZoneIn(form.country, now),
    }),
    form,
    beginsAtOnce: false,
    problems: {},
    notice: null,
    submitUrl: `${path}/submit`,
    sepaCreditorId: sepaCreditorId(tenant.testmode),
    quoteUrl: `${path}/quote`,
    quantities: quantityFields(found),
    formKey: newFormKey(),
  }
  return { status: 200, view, origins: originsOf({ ...link, redirectUrlCanceled: null }) }
}

const quantityFields = ({ link, products }: FoundLink): QuantityField[] =>
  link.items.flatMap(({ productId, quantity, range }, index) =>
    range
      ? [{ name: quantityField(index), product: products.get(productId)?.terms.name ?? '', quantity, ...range }]
      : [],
  )
