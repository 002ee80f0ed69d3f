import { toWire } from '../../kernel/moment.ts'
import { formatMoney } from '../../kernel/money.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { findOrderAnywhere } from '../../modules/orders/store.ts'
import { keptEvidence } from '../../modules/tax/kept-evidence.ts'
import { canonicalTaxId, isInEuVatArea, isInForce, type TaxDecision } from '../../modules/tax/rules/index.ts'
import { sourceOfRate } from '../../modules/tax/rules/rate-source.ts'
import { allRegistrations, decisiveChecks } from '../../modules/tax/store.ts'
import { db } from '../../platform/db/db.ts'
import { wireBillingAddress } from '../../platform/http/shapes.ts'

/** Refuses with `not_found` if the sale has no evidence. Sales in test mode have no evidence. */
export async function evidencePack(orderId: string) {
  const evidence = await keptEvidence(orderId)
  const found = await findOrderAnywhere(db(), orderId)
  if (!found) throw new Refusal('not_found')
  const { order, tenant } = found
  const on = order.paidAt ?? order.createdAt
  const day = on.toISOString().slice(0, 10)
  const registrations = (await allRegistrations(db())).filter((each) => isInForce(each, day))
  const { customerDetails: buyer, currency } = order
  const place = { country: evidence.declaredCountry, postalCode: evidence.postalCode, on }
  const onInvoice = buyer.taxId && canonicalTaxId(buyer.taxId)
  const isOther = evidence.taxReason === 'reverse_charge' && onInvoice !== evidence.taxId
  const [changed = null] = onInvoice && isOther ? await decisiveChecks(db(), tenant, [onInvoice]) : []
  return {
    ...evidence,
    /**
     * The check of the new tax ID, if the buyer later changed the tax ID on an invoice with a reverse charge. Otherwise
     * null.
     */
    changedTaxIdCheck: changed,
    sale: {
      invoiceNumber: order.invoice?.number ?? null,
      paidAt: order.paidAt && toWire(order.paidAt),
      currency,
      subtotal: formatMoney({ minor: order.subtotal, currency }),
      total: formatMoney({ minor: order.total, currency }),
    },
    declared: { ...wireBillingAddress(buyer), email: buyer.email },
    seller: { name: order.seller.name, country: order.seller.country, vatId: order.seller.vatId, registrations },
    rule: ruleOf(evidence.taxReason, order),
    rates: order.taxSummary.map(({ rate, amount }) => ({
      name: rate.name,
      percentage: rate.percentage,
      amount: formatMoney({ minor: amount, currency }),
      ...sourceOfRate(rate, place),
    })),
    exchange: order.exchangeRate,
  }
}

export type EvidencePack = Awaited<ReturnType<typeof evidencePack>>

function ruleOf(reason: TaxDecision['reason'], { seller, customerDetails: { country } }: Order) {
  const rules = {
    reverse_charge: isInEuVatArea(country)
      ? {
          decided:
            'A company in another member state with a confirmed VAT ID: the company accounts for the ' +
            'tax (reverse charge).',
          law: 'Directive 2006/112/EC, art. 44 and 196',
        }
      : {
          decided:
            'A company in the United Kingdom with a confirmed VAT number: the company accounts for the ' +
            'tax (reverse charge).',
          law: 'Value Added Tax Act 1994, s. 7A and 8; Directive 2006/112/EC, art. 44',
        },
    outside_scope: {
      decided: 'A supply outside the EU, to a country in which the seller is not registered: no tax is charged.',
      law: 'Directive 2006/112/EC, art. 44, 58 and 59',
    },
    standard: isInEuVatArea(country)
      ? {
          decided:
            country === seller.country
              ? 'A buyer in the country of the seller: the rate of this country on the day of the sale.'
              : "A consumer, or a buyer without a confirmed VAT ID: the rate of the buyer's country on " +
                'the day of the sale.',
          law: 'Directive 2006/112/EC, art. 45, 58 and 93; Implementing Regulation 282/2011, art. 24b and 24f',
        }
      : {
          decided:
            'A buyer in a country outside the EU where the seller is at home or registered: its rate of the day.',
          law: 'The law of that country; Directive 2006/112/EC, art. 44 and 58',
        },
  } as const
  return { reason, ...rules[reason] }
}
