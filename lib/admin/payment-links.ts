import type { FilteredList } from '../kernel/list.ts'
import { amount } from '../kernel/money.ts'
import { findProducts } from '../modules/catalog/store.ts'
import * as contract from '../modules/payment-links/contract.ts'
import * as paymentLinks from '../modules/payment-links/operations.ts'
import {
  type AdminPaymentLink,
  type AdminPaymentLinkPage,
  type LinkSalesView,
  type PaymentLinkForm,
  type PaymentLinkRow,
  paymentLinkStatuses,
} from '../modules/payment-links/page.ts'
import { paymentLinkResource } from '../modules/payment-links/resource.ts'
import { findPaymentLink, pageOfPaymentLinks, salesOfLinks } from '../modules/payment-links/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { actByForm, newFormKey } from './act.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { compacted, linesIn, productOptions } from './offer-lines.ts'
import { qrCodeOf } from './qr-code.ts'

export async function paymentLinksPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<{ list: FilteredList<PaymentLinkRow>; mayCreate: boolean } | null> {
  const access = await accessTo(place, 'payment-links', cookies)
  if (!access) return null
  const filter = chosen(paymentLinkStatuses, parameters.status)
  const active = filter.status === null ? undefined : filter.status === 'active'
  const list = await adminList(
    `${access.path}/payment-links`,
    { ...parameters, status: filter.status },
    (query, sql) => pageOfPaymentLinks(sql, access.tenant, query, { active }),
    paymentLinkResource,
  )
  const sales = await salesOf(
    access.tenant,
    list.rows.map(({ id }) => id),
  )
  const rows = list.rows.map((link) => ({ link, sales: sales.get(link.id) ?? [] }))
  return { list: { ...list, rows, filter }, mayCreate: access.mayDo('payment_link.create') }
}

async function salesOf(tenant: Tenant, ids: readonly string[]): Promise<Map<string, LinkSalesView[]>> {
  const sales = new Map<string, LinkSalesView[]>()
  for (const { paymentLinkId, currency, orders, total } of await salesOfLinks(db(), tenant, ids)) {
    const view = { orders, total: amount(total, currency) }
    sales.set(paymentLinkId, [...(sales.get(paymentLinkId) ?? []), view])
  }
  return sales
}

export async function paymentLinkPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<AdminPaymentLinkPage | null> {
  const access = await accessTo(place, 'payment-links/[id]', cookies)
  const found = access && (await findPaymentLink(db(), access.tenant, id))
  if (!access || !found) return null
  const link = paymentLinkResource(found)
  const ids = link.items.map((item) => item.id)
  const products = await findProducts(db(), access.tenant, ids)
  return {
    link,
    sales: (await salesOf(access.tenant, [id])).get(id) ?? [],
    names: Object.fromEntries(ids.map((each) => [each, products.get(each)?.terms.name ?? each])),
    qrCode: await qrCodeOf(link.url),
    buttonHtml: buttonOf(link.url),
    formKey: access.mayDo('payment_link.end') ? newFormKey() : null,
  }
}

/** A link with inline styles. The URL contains no character that needs HTML escaping. */
const buttonOf = (url: string): string =>
  `<a href="${url}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#1f2937;color:#ffffff;font:600 16px/1.25 system-ui,sans-serif;text-decoration:none">Buy now</a>`

export async function newPaymentLinkPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<PaymentLinkForm | null> {
  const access = await accessTo(place, 'payment-links/new', cookies)
  if (!access) return null
  const { typed, problems } = formState(access, form, cookies)
  return { options: await productOptions(access), values: typed, problems, formKey: newFormKey() }
}

const lines = {
  list: 'items',
  fields: ['id', 'quantity', 'minQuantity', 'maxQuantity', 'price.value', 'trialDays'],
} as const

function bodyOf(values: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => (values.get(name) ?? '').trim()
  const optional = ['redirectUrlSuccess', 'locale'].filter((name) => text(name) !== '')
  return {
    name: text('name'),
    items: linesIn(values, lines),
    ...Object.fromEntries(optional.map((name) => [name, text(name)])),
  }
}

const said = ({ id, name, active }: AdminPaymentLink) => ({ id, name, active })

export async function submitNewPaymentLink(
  place: StorefrontPath,
  sent: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'payment-links', null, cookies)
  if (!access) return null
  const values = compacted(sent, lines)
  let id: string | null = null
  return actByForm(
    access,
    { page: `${access.path}/payment-links/new`, values },
    {
      endpoint: contract.createPaymentLink,
      params: {},
      body: bodyOf(values),
      action: 'payment_link.create',
      subject: access.storefront.id,
      after: said,
    },
    async ({ context, body }) => {
      const created = await paymentLinks.create(context, body)
      id = created.id
      return created
    },
    () => (id === null ? `${access.path}/payment-links` : `${access.path}/payment-links/${id}?done=created`),
  )
}

const changes = {
  end: { action: 'payment_link.end', active: false, done: 'ended' },
  reopen: { action: 'payment_link.reopen', active: true, done: 'reopened' },
} as const

export async function submitPaymentLink(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const intent = values.get('intent')
  const access = await accessToForm(place, 'payment-links/[id]', intent, cookies)
  if (!access || !(await findPaymentLink(db(), access.tenant, id))) return null
  const page = `${access.path}/payment-links/${id}`
  if (intent !== 'end' && intent !== 'reopen') return { redirectTo: page }
  const { action, active, done } = changes[intent]
  return actByForm(
    access,
    { page, values },
    { endpoint: contract.updatePaymentLink, params: { id }, body: { active }, action, subject: id, after: said },
    ({ context, body }) => paymentLinks.update(context, id, body),
    () => `${page}?done=${done}`,
  )
}
