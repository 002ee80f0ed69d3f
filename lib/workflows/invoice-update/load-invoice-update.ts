import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import { type Amount, amount } from '../../kernel/money.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { draftVersion, isUsable } from '../../modules/form-links/rules/form-link.ts'
import { invoiceUpdatePath } from '../../modules/invoice-updates/link.ts'
import type { InvoiceUpdatePage, TaxCorrectionView } from '../../modules/invoice-updates/page.ts'
import { companyDetailsOn, formOf, invoiceUpdateOf, needsTaxId } from '../../modules/invoice-updates/rules/form.ts'
import { correctionOf } from '../../modules/invoices/correction.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { documentNumber, type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import { leftOf } from '../../modules/orders/rules/reverse.ts'
import { taxLeft } from '../../modules/orders/rules/tax-correction.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { reversedOf } from '../../modules/orders/store.ts'
import { taxFor } from '../../modules/tax/rules/tax-for.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db, type Sql } from '../../platform/db/db.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { mayCorrectTax } from './correct-tax.ts'
import { findUpdate } from './find-update.ts'

export type InvoiceUpdateView = 'form' | 'saved'

export async function loadInvoiceUpdate(
  token: string,
  _visitor: Visitor,
  query: URLSearchParams,
): Promise<Loaded<InvoiceUpdatePage>> {
  const view = await invoiceUpdatePage(token, query.has('saved') ? 'saved' : 'form')
  return view ? { status: view.state === 'expired' ? 410 : 200, view } : unknownLink
}

export async function invoiceUpdatePage(token: string, view: InvoiceUpdateView): Promise<InvoiceUpdatePage | null> {
  const found = await findUpdate(token)
  if (!found) return null
  const { link, tenant, order, number, now } = found
  const common = {
    locale: order.locale,
    testmode: tenant.testmode,
    ...(await storefrontView(db(), tenant.storefrontId)),
    seller: sellerView(order.seller),
    document: order.creditedOrderId === null ? ('invoice' as const) : ('creditNote' as const),
    number,
  }
  if (!isUsable(link, now)) return { ...common, state: 'expired' }
  const { draft } = link
  const [invoiceUrl, formUrl] = [invoicePath(order.id), invoiceUpdatePath(link.id)]
  if (view === 'saved' && draft?.saved) {
    const { saved } = draft
    return {
      ...common,
      state: 'done',
      invoiceUrl,
      formUrl,
      alsoLater: invoiceUpdateOf(draft.form).useForLaterOrders,
      correction: saved === 'corrected' ? await correctionView(db(), tenant, order) : null,
      notCorrected: saved === 'unconfirmed' || saved === 'open_money' ? saved : null,
    }
  }
  const refused = draft?.saved === null ? draft : null
  const stored = formOf(order)
  return {
    ...common,
    state: 'open',
    issuedAt: toWire(paidAtOf(order)),
    total: amount(order.total, order.currency),
    invoiceUrl,
    form: { ...(refused?.form ?? stored), country: stored.country },
    problems: refused?.problems ?? {},
    taxIdPrefix: taxFor(tenant).taxIdPrefix(stored.country),
    needsTaxId: needsTaxId(order),
    correctableTax: mayCorrectTax(order, now) ? await taxToReturn(db(), order) : null,
    companyDetails: companyDetailsOn(order),
    submitUrl: `${formUrl}/submit`,
    version: draftVersion(draft),
  }
}

async function taxToReturn(sql: Sql, order: Order): Promise<Amount | null> {
  const tax = taxLeft(leftOf(order, await reversedOf(sql, order.id)))
  return tax > 0n ? amount(tax, order.currency) : null
}

async function correctionView(sql: Sql, tenant: Tenant, order: Order): Promise<TaxCorrectionView | null> {
  const found = await correctionOf(sql, tenant, order)
  if (!found) return null
  const { paid, creditNote } = found
  const document = (order: Order) => ({ number: documentNumber(order), url: invoicePath(order.id) })
  const tax = amount(creditNote.total - creditNote.subtotal, creditNote.currency)
  return { tax, replacedInvoice: document(paid), creditNote: document(creditNote) }
}
