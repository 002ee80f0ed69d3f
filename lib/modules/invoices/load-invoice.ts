import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { openLinkToken } from '../../platform/crypto/sealed.ts'
import { db } from '../../platform/db/db.ts'
import { translator } from '../../platform/translate.ts'
import { Busy, WorkQueue } from '../../platform/work-queue.ts'
import { storefrontView } from '../brand/brand-view.ts'
import { logoFile } from '../brand/load-logo.ts'
import type { StorefrontView } from '../brand/page.ts'
import { invoicePath } from '../orders/resource.ts'
import { documentNumber } from '../orders/rules/order.ts'
import { findOrderAnywhere } from '../orders/store.ts'
import { correctionOf } from './correction.ts'
import type { Document } from './documents.ts'
import { documents } from './draw-documents.ts'
import { invoiceDocumentOf } from './invoice-document.ts'
import { invoicePage, type Paid, soldAt } from './invoice-page.ts'
import type { InvoiceDocument, InvoiceView } from './page.ts'
import { dateOfSupply } from './rules/date-of-supply.ts'
import { type EInvoice, eInvoiceOf } from './rules/e-invoice.ts'
import { ciiOf } from './xml/cii.ts'
import { ublOf } from './xml/ubl.ts'

export async function loadInvoice(token: string): Promise<Loaded<InvoiceView>> {
  const view = await invoiceView(token)
  return view ? { status: 200, view } : unknownLink
}

export async function invoiceView(token: string): Promise<InvoiceView | null> {
  const found = await orderOf(token)
  if (!found) return null
  const storefront = await storefrontView(db(), found.tenant.storefrontId)
  const { document } = await wordsOf(found, storefront)
  return { locale: document.locale, document, brand: storefront.brand, others: await othersOf(found) }
}

/** Returns null if the link is unknown. Throws `Busy` if too many requests wait. */
export async function invoicePdf(token: string): Promise<(Document & { name: string }) | null> {
  if (openLinkToken('invoice', 'order_', token) === null) return null
  const found = await lookUp(token)
  if (!found) return null
  const { document: invoice, storefrontId } = found
  return { ...(await documents.get(invoice, storefrontId, () => logoOf(invoice))), name: `${invoice.number}.pdf` }
}

/** Returns null if the link is unknown or EN 16931 cannot express the document. Throws `Busy` if too many requests wait. */
export async function invoiceUbl(token: string): Promise<{ xml: string; name: string } | null> {
  if (openLinkToken('invoice', 'order_', token) === null) return null
  const content = (await lookUp(token))?.content
  return content ? { xml: ublOf(content), name: `${content.number}.xml` } : null
}

/** Throws `Busy` if the logo was replaced after the document was read. A retry then reads the new logo. */
async function logoOf({ logo }: InvoiceDocument): Promise<Uint8Array | null> {
  const file = logo && (await logoFile(logo.url.slice(logo.url.lastIndexOf('/') + 1)))
  if (logo && !file) throw new Busy(1)
  return file?.bytes ?? null
}

type Found = ({ readonly storefrontId: string } & Worded) | null

/** The limit prevents many requests for files from taking all database connections. */
const lookUps = new WorkQueue({ atOnce: 3, most: 500, mostOfOne: 1, retryAfterSeconds: 5 })

/**
 * The queued look-ups by link. A later request for the same link shares the queued look-up. The result is up to date, because a look-up reads the database only
 * when it starts.
 */
const waiting = new Map<string, Promise<Found>>()

function lookUp(token: string): Promise<Found> {
  const shared = waiting.get(token)
  if (shared) return shared
  let hasBegun = false
  const found = lookUps.run(token, async () => {
    hasBegun = true
    waiting.delete(token)
    const paid = await orderOf(token)
    if (!paid) return null
    const { storefrontId } = paid.tenant
    return { storefrontId, ...(await wordsOf(paid, await storefrontView(db(), storefrontId))) }
  })
  if (hasBegun) return found
  waiting.set(token, found)
  return found.finally(() => waiting.get(token) === found && waiting.delete(token))
}

export { Busy } from '../../platform/work-queue.ts'

async function orderOf(token: string): Promise<Paid | null> {
  const id = openLinkToken('invoice', 'order_', token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  if (!found?.order.invoice || !found.order.paidAt) return null
  const { order, tenant } = found
  return { order, tenant, invoice: found.order.invoice, paidAt: found.order.paidAt }
}

interface Worded {
  readonly document: InvoiceDocument
  readonly content: EInvoice | null
}

async function wordsOf(paid: Paid, storefront: StorefrontView): Promise<Worded> {
  const { order, invoice, paidAt } = paid
  const supply = dateOfSupply(order.lines, await soldAt(paid))
  const page = await invoicePage(paid, supply, storefront)
  const document = invoiceDocumentOf(page, await translator(page.locale))
  const named = (other: { number: string; issuedAt: string } | null) =>
    other && { number: other.number, issuedAt: new Date(other.issuedAt) }
  const content = eInvoiceOf({
    order,
    number: invoice.number,
    issuedAt: paidAt,
    credits: named(page.credits),
    replaces: named(page.replaces),
    supply,
    note: document.test?.note ?? null,
  })
  return { document: { ...document, eInvoice: content && ciiOf(content) }, content }
}

/** The page links to the other documents of a correction. The PDF has no such links, because a correction must not change the bytes of the replaced PDF. */
async function othersOf({ order, tenant }: Paid): Promise<InvoiceView['others']> {
  const found = await correctionOf(db(), tenant, order)
  if (!found) return []
  const t = await translator(order.locale)
  return [found.paid, found.creditNote, found.replacement]
    .filter(({ id }) => id !== order.id)
    .map((other) => ({
      label: t(other.creditedOrderId === null ? 'invoice.title' : 'invoice.creditNote.title', {
        number: documentNumber(other),
      }),
      url: invoicePath(other.id),
    }))
}
