import type { z } from 'zod'
import { type FieldErrors, invalid, Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { listEnvelope } from '../../platform/http/paging.ts'
import { parseWith, type WellFormed } from '../../platform/http/validate.ts'
import type { RequestContext } from '../../platform/jobs/transact.ts'
import { requireSelling } from '../accounts/require-selling.ts'
import { requireStorefront } from '../accounts/store.ts'
import { audited } from '../audit/audited.ts'
import { commandLine } from '../audit/command-line.ts'
import * as catalog from '../catalog/store.ts'
import { itemProblems } from '../checkouts/rules/index.ts'
import { transact } from '../events/transact.ts'
import {
  createPaymentLink as createContract,
  type listPaymentLinks,
  type PaymentLinkItemBody,
  type updatePaymentLink,
} from './contract.ts'
import { paymentLinkResource } from './resource.ts'
import type { PaymentLink, PaymentLinkItem } from './rules/payment-link.ts'
import * as store from './store.ts'

type Body = z.infer<typeof createContract.body & object>
type Changes = z.infer<typeof updatePaymentLink.body & object>

const rules = { field: 'items', of: 'a payment link', mayWait: true } as const

/** Creates a payment link. Throws `storefront_suspended`, or `validation_failed` with the problems of all items. */
export async function create(context: RequestContext, body: Body) {
  return transact(context, async ({ sql, now, newId, ...tenant }) => {
    const ids = body.items.map(({ id }) => id)
    const [products] = await Promise.all([catalog.findProducts(sql, tenant, ids), requireSelling(sql, tenant)])
    const errors = itemProblems(body.items, products, rules)
    if (Object.keys(errors).length > 0) throw new Refusal('validation_failed', errors)
    const link: PaymentLink = {
      id: newId('payment_link_'),
      testmode: tenant.testmode,
      name: body.name,
      active: true,
      redirectUrlSuccess: body.redirectUrlSuccess ?? null,
      locale: body.locale ?? null,
      metadata: body.metadata ?? null,
      createdAt: now,
      items: body.items.map(toItem),
    }
    await store.insertPaymentLink(sql, tenant, link)
    return paymentLinkResource(link)
  })
}

function toItem(item: z.infer<typeof PaymentLinkItemBody>): PaymentLinkItem {
  const { minQuantity: min, maxQuantity: max } = item
  const range = min != null && max != null ? { min, max } : null
  return {
    productId: item.id,
    quantity: item.quantity ?? range?.min ?? 1,
    range,
    price: item.price?.minor ?? null,
    trialDays: item.trialDays ?? null,
    metadata: item.metadata ?? null,
  }
}

export async function get(tenant: Tenant, id: string) {
  const link = await store.findPaymentLink(db(), tenant, id)
  if (!link) throw new Refusal('not_found')
  return paymentLinkResource(link)
}

export async function list(tenant: Tenant, query: z.infer<typeof listPaymentLinks.query & object>, url: URL) {
  return listEnvelope(await store.pageOfPaymentLinks(db(), tenant, query, query), query, url, paymentLinkResource)
}

export async function update(context: RequestContext, id: string, body: Changes) {
  return transact(context, async ({ sql, ...tenant }) => {
    const link = await store.lockPaymentLink(sql, tenant, id)
    if (!link) throw new Refusal('not_found')
    const { active = link.active, name = link.name } = body
    const { redirectUrlSuccess = link.redirectUrlSuccess, metadata = link.metadata } = body
    const next = { ...link, active, name, redirectUrlSuccess, metadata }
    await store.savePaymentLink(sql, next)
    return paymentLinkResource(next)
  })
}

/** Checks the products of each well-formed item, even if the schema refuses other fields of the request. */
export async function validateReferences(tenant: Tenant, body: WellFormed<Body>): Promise<FieldErrors> {
  const items = body.items ?? []
  const ids = items.flatMap(({ id }) => id ?? [])
  return itemProblems(items, await catalog.findProducts(db(), tenant, ids), rules)
}

/** The flags of the command line, as text. A flag that was not entered is absent. */
interface Typed {
  readonly name: string
  readonly product: string
  readonly quantity?: string | undefined
  readonly minQuantity?: string | undefined
  readonly maxQuantity?: string | undefined
  readonly price?: string | undefined
  readonly trialDays?: string | undefined
  readonly redirectUrlSuccess?: string | undefined
  readonly locale?: string | undefined
}

/**
 * Creates a payment link from flags of the command line. Throws `validation_failed` if a value is invalid or the
 * storefront is unknown. The errors name the flags.
 */
export async function createTyped(tenant: Tenant, typed: Typed) {
  await requireStorefront(db(), tenant.storefrontId)
  const { name, product, price, redirectUrlSuccess, locale, ...numbers } = typed
  const given = Object.entries(numbers).filter(([, value]) => value !== undefined)
  const item = {
    id: product,
    ...Object.fromEntries(given.map(([field, value]) => [field, numberIn(value)])),
    ...(price !== undefined && { price: { value: price, currency: 'EUR' } }),
  }
  const body = {
    name,
    items: [item],
    ...(redirectUrlSuccess !== undefined && { redirectUrlSuccess }),
    ...(locale !== undefined && { locale }),
  }
  return namedAsTyped(async () => {
    const parsed = parseWith(createContract, {}, new URLSearchParams(), body).body as Body
    const entry = { action: 'payment_link.create', subject: tenant.storefrontId, after: summary } as const
    return summary(await create(audited(tenant, commandLine(), entry), parsed))
  })
}

const numberIn = (value = '') => (/^\d{1,9}$/.test(value) ? Number(value) : value)

/** Names the command line flag in an error instead of the API field: `maxQuantity` for `items.0.maxQuantity`. */
async function namedAsTyped<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const on = Object.entries(error.on).map(([field, sentences]) => [flagOf(field), sentences])
    throw new Refusal(error.code, Object.fromEntries(on))
  }
}

const flagOf = (field: string): string => {
  const name = field.replace(/^items\.0\./, '').replace(/^price\..*$/, 'price')
  return name === 'id' ? 'product' : name
}

export async function listTyped(tenant: Tenant, limit = 50) {
  await requireStorefront(db(), tenant.storefrontId)
  const { rows } = await store.pageOfPaymentLinks(db(), tenant, { limit })
  return rows.map((row) => summary(paymentLinkResource(row)))
}

export async function setActiveTyped(id: string, active: boolean) {
  const found = await store.findPaymentLinkAnywhere(db(), id)
  if (!found) throw invalid('paymentLink', 'There is no payment link with this id.')
  const entry = { action: active ? 'payment_link.reopen' : 'payment_link.end', subject: id, after: summary } as const
  return summary(await update(audited(found.tenant, commandLine(), entry), id, { active }))
}

const summary = ({ id, testmode, name, active, url }: ReturnType<typeof paymentLinkResource>) => ({
  paymentLinkId: id,
  testmode,
  name,
  active,
  url,
})
