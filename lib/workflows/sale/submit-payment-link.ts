import { sellingOf } from '../../modules/accounts/store.ts'
import * as catalog from '../../modules/catalog/store.ts'
import { addCheckout } from '../../modules/checkouts/add-checkout.ts'
import type { Checkout } from '../../modules/checkouts/rules/index.ts'
import { checkoutOfForm } from '../../modules/checkouts/store.ts'
import { transact } from '../../modules/events/transact.ts'
import { buyPath } from '../../modules/payment-links/resource.ts'
import { itemsOf } from '../../modules/payment-links/rules/offer.ts'
import { quantitiesIn, stateOf } from '../../modules/payment-links/rules/payment-link.ts'
import { sharePaymentLink } from '../../modules/payment-links/store.ts'
import { isFormKey } from '../../platform/http/form-key.ts'
import { pageUrl } from '../../platform/http/links.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { type FoundLink, findLinkOf } from './payment-link.ts'
import { submitTo } from './submit-checkout.ts'

/** Replaces `seenPrices` if the quantity was adjusted. The value matches no prices, so the checkout page asks the buyer to confirm the total. */
const unseen = 'another quantity'

/** A repeated form continues with its checkout, even if the link has ended. Returns null if the code is unknown. */
export async function submitPaymentLink(
  code: string,
  form: URLSearchParams,
  visitor: Visitor,
): Promise<{ redirectTo: string } | null> {
  const found = await findLinkOf(code)
  if (!found) return null
  const page = buyPath(found.link.id)
  const key = form.get('key')
  if (!isFormKey(key) || found.state === 'live_not_set_up') return { redirectTo: page }
  const { quantities, isExact } = quantitiesIn(found.link.items, form)
  const checkout = await checkoutFor(found, quantities, `${key} ${quantities.join(',')}`)
  if (!checkout) return { redirectTo: page }
  const sent = new URLSearchParams(form)
  sent.delete('intent')
  if (!isExact) sent.set('seenPrices', unseen)
  return submitTo({ ...found, checkout }, sent, visitor)
}

const checkoutFor = (
  { link: { id: paymentLinkId }, tenant }: FoundLink,
  quantities: readonly number[],
  formKey: string,
): Promise<Checkout | null> =>
  transact(tenant, async (tx) => {
    const { sql } = tx
    const made = await checkoutOfForm(sql, tenant, { paymentLinkId, formKey })
    if (made) return made
    const link = await sharePaymentLink(sql, tenant, paymentLinkId)
    if (!link) return null
    const ids = link.items.map(({ productId }) => productId)
    const products = await catalog.findProducts(sql, tenant, ids)
    if (stateOf(link, products, await sellingOf(sql, tenant)) !== 'open') return null
    return addCheckout(tx, {
      items: itemsOf(link, quantities),
      products,
      customerId: null,
      redirectUrlSuccess: link.redirectUrlSuccess,
      redirectUrlCanceled: pageUrl(buyPath(link.id)),
      metadata: link.metadata,
      locale: link.locale,
      billingAddress: {},
      paymentLinkId,
      formKey,
    })
  })
