import type { FilteredList } from '../kernel/list.ts'
import { amount } from '../kernel/money.ts'
import * as contract from '../modules/checkouts/contract.ts'
import * as checkouts from '../modules/checkouts/operations.ts'
import type {
  AdminCheckout,
  AdminCheckoutRow,
  CheckoutLinkForm,
  AdminCheckoutPage as Page,
} from '../modules/checkouts/page.ts'
import { checkoutResource } from '../modules/checkouts/resource.ts'
import type { Checkout } from '../modules/checkouts/rules/index.ts'
import { checkoutStates } from '../modules/checkouts/rules/state.ts'
import { findCheckout, pageOfCheckouts, paidOrderIds } from '../modules/checkouts/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { actByForm, newFormKey } from './act.ts'
import { checkoutRows } from './checkout-rows.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { namedCustomer, namedOrder, namedPaymentLink } from './names.ts'
import { compacted, linesIn, productOptions } from './offer-lines.ts'

export async function checkoutsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<{ list: FilteredList<AdminCheckoutRow>; mayCreate: boolean } | null> {
  const access = await accessTo(place, 'checkouts', cookies)
  if (!access) return null
  const filter = chosen(checkoutStates.states, parameters.status)
  const list = await adminList(
    `${access.path}/checkouts`,
    { ...parameters, status: filter.status },
    async (query, sql) => {
      const page = await pageOfCheckouts(sql, access.tenant, query, { status: filter.status ?? undefined })
      return { ...page, rows: await checkoutRows(sql, access.tenant, page.rows) }
    },
    (row) => row,
  )
  const filtered = { ...list, filter, ...exportOf(access, 'checkouts', { ...filter, ...list.dates }) }
  return { list: filtered, mayCreate: access.mayDo('checkout.create') }
}

export async function checkoutLinkPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<Page | null> {
  const access = await accessTo(place, 'checkouts/[id]', cookies)
  const found = access && (await findCheckout(db(), access.tenant, id))
  if (!access || !found) return null
  const { tenant } = access
  const orderId = (await paidOrderIds(db(), [id])).get(id) ?? null
  return {
    checkout: checkoutResource(found, orderId),
    customer: await namedCustomer(tenant, found.customerId),
    order: await namedOrder(tenant, orderId),
    paymentLink: await namedPaymentLink(tenant, found.paymentLinkId),
    lines: found.lines.map(lineOf),
  }
}

const lineOf = ({
  id,
  productId,
  name,
  quantity,
  unitPrice,
  billingInterval,
  trialDays,
}: Checkout['lines'][number]) => ({
  id,
  productId,
  name,
  quantity,
  unitPrice: amount(unitPrice, 'EUR'),
  trialDays,
  interval: billingInterval && { unit: billingInterval.interval, count: billingInterval.intervalCount },
})

export async function newCheckoutPage(
  place: StorefrontPath,
  form: string | null,
  cookies: string | null,
): Promise<CheckoutLinkForm | null> {
  const access = await accessTo(place, 'checkouts/new', cookies)
  if (!access) return null
  const { typed, problems } = formState(access, form, cookies)
  const options = await productOptions(access)
  return { options, values: { ...(await lastUrls(access)), ...typed }, problems, formKey: newFormKey() }
}

/** The redirect URLs of the newest checkout, as defaults for the next checkout. Empty without a checkout, or if a payment link created the newest checkout. */
async function lastUrls({ tenant }: Access): Promise<Record<string, string>> {
  const [last] = (await pageOfCheckouts(db(), tenant, { limit: 1 })).rows
  if (!last || last.redirectUrlSuccess === null || last.paymentLinkId !== null) return {}
  const url = (value: string) => value.replaceAll(last.id, '{CHECKOUT_ID}')
  return { redirectUrlSuccess: url(last.redirectUrlSuccess), redirectUrlCanceled: url(last.redirectUrlCanceled) }
}

const lines = { list: 'products', fields: ['id', 'quantity', 'price.value', 'trialDays'] } as const

function bodyOf(values: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => (values.get(name) ?? '').trim()
  return {
    products: linesIn(values, lines),
    redirectUrlSuccess: text('redirectUrlSuccess'),
    redirectUrlCanceled: text('redirectUrlCanceled'),
    ...(text('customerId') !== '' && { customerId: text('customerId') }),
    ...(text('locale') !== '' && { locale: text('locale') }),
  }
}

export async function submitNewCheckout(
  place: StorefrontPath,
  sent: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'checkouts', null, cookies)
  if (!access) return null
  const values = compacted(sent, lines)
  let id: string | null = null
  return actByForm(
    access,
    { page: `${access.path}/checkouts/new`, values },
    {
      endpoint: contract.createCheckout,
      params: {},
      body: bodyOf(values),
      action: 'checkout.create',
      subject: access.storefront.id,
      after: (checkout: AdminCheckout) => ({ id: checkout.id }),
    },
    async ({ context, body }) => {
      const created = await checkouts.create(context, body)
      id = created.id
      return created
    },
    () => (id === null ? `${access.path}/checkouts` : `${access.path}/checkouts/${id}?done=created`),
  )
}
