import { z } from 'zod'

/** A list may contain payments of other systems, in currencies with any number of decimals. */
const amount = z.object({ currency: z.string(), value: z.string().regex(/^-?\d{1,12}(?:\.\d{1,4})?$/) })

/** A field of an unexpected type counts as absent, so that the rest of the response can be used. */
const text = z.string().nullish().catch(null)

const metadata = z.object({ payment: text, order: text, storefront: text, refund: text }).nullish().catch(null)

const link = z.object({ href: z.string() }).nullish().catch(null)

export const mollieCustomer = z.object({ id: z.string() })

const details = z
  .object({
    failureReason: text,
    bankReasonCode: text,
    cardCountryCode: text,
    consumerAccount: text,
    dueDate: text,
    bankName: text,
    bankAccount: text,
    bankBic: text,
    transferReference: text,
  })
  .nullish()
  .catch(null)

export const molliePayment = z.object({
  id: z.string(),
  /** Mollie may add a status. `answers.ts` handles unknown statuses. */
  status: z.string(),
  method: text,
  sequenceType: z.enum(['oneoff', 'first', 'recurring']).catch('oneoff'),
  amount,
  amountChargedBack: amount.nullish().catch(null),
  amountRefunded: amount.nullish().catch(null),
  isCancelable: z.boolean().nullish().catch(null),
  customerId: text,
  mandateId: text,
  countryCode: text,
  createdAt: z.coerce.date(),
  expiresAt: z.coerce.date().nullish().catch(null),
  metadata,
  details,
  _links: z.object({ checkout: link, chargebacks: link }).catch({}),
})
export type MolliePayment = z.output<typeof molliePayment>

export const mollieMandate = z.object({
  id: z.string(),
  status: z.string(),
  method: z.string(),
  mandateReference: text,
  details: z.object({ cardNumber: text, consumerAccount: text }).nullish().catch(null),
})
export type MollieMandate = z.output<typeof mollieMandate>

export const mollieRefund = z.object({
  id: z.string(),
  status: z.string(),
  metadata,
})
export const mollieListedRefund = mollieRefund.extend({ paymentId: z.string(), amount, createdAt: z.coerce.date() })
export type MollieRefund = z.output<typeof mollieRefund>

export const mollieChargeback = z.object({
  id: z.string(),
  paymentId: z.string(),
  amount,
  createdAt: z.coerce.date(),
  reversedAt: z.string().nullish(),
  reason: z.object({ code: text, description: text }).nullish().catch(null),
})
export type MollieChargeback = z.output<typeof mollieChargeback>

export const mollieMethod = z.object({
  id: z.string(),
  status: text,
  minimumAmount: amount.nullish().catch(null),
  maximumAmount: amount.nullish().catch(null),
})
export type MollieMethod = z.output<typeof mollieMethod>

export const molliePermission = z.object({ id: z.string(), granted: z.boolean() })

const exactAmount = z.object({ currency: z.string(), value: z.string().regex(/^-?\d{1,12}\.\d{2,4}$/) })
const subtotals = z.array(z.object({ amountGross: exactAmount })).catch([])

/** `periods` is a record by year and month, or an empty list. */
export const mollieSettlement = z.object({
  id: z.string().regex(/^[A-Za-z]{2,10}_[A-Za-z0-9]{1,60}$/), // used in a URL path
  reference: text,
  createdAt: z.coerce.date(),
  settledAt: z.coerce.date().nullish().catch(null),
  status: z.string(),
  amount: exactAmount,
  periods: z.record(z.string(), z.record(z.string(), z.object({ revenue: subtotals, costs: subtotals }))).catch({}),
})
export type MollieSettlement = z.output<typeof mollieSettlement>

export const pageOf = <Item>(name: string, item: z.ZodType<Item>): z.ZodType<{ items: Item[]; next: string | null }> =>
  z
    .object({
      _embedded: z.object({ [name]: z.array(item) }),
      _links: z.object({ next: link }).catch({}),
    })
    .transform(({ _embedded, _links }) => ({ items: _embedded[name] as Item[], next: _links.next?.href ?? null }))
