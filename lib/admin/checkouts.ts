import type { FilteredList } from '../kernel/list.ts'
import { amount } from '../kernel/money.ts'
import * as contract from '../modules/checkouts/contract.ts'
import * as checkouts from '../modules/checkouts/operations.ts'
import type { AdminCheckout, CheckoutLinkForm, AdminCheckoutPage as Page } from '../modules/checkouts/page.ts'
import { checkoutResource } from '../modules/checkouts/resource.ts'
import type { Checkout } from '../modules/checkouts/rules/index.ts'
import { checkoutStates } from '../modules/checkouts/rules/state.ts'
import { findCheckout, pageOfCheckouts, paidOrderIds } from '../modules/checkouts/store.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { actByForm, newFormKey } from './act.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { compacted, linesIn, productOptions } from './offer-lines.ts'

/** The checkouts of a storefront and mode, newest first; with `status`, those in that state. */
export async function checkoutsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<{ list: FilteredList<AdminCheckout>; mayCreate: boolean } | null> {
  const access = await accessTo(place, 'checkouts', cookies)
  if (!access) return null
  const filter = chosen(checkoutStates.states, parameters.status)
  const list = await adminList(
    `${access.path}/checkouts`,
    { ...parameters, status: filter.status },
    (query, sql) => pageOfCheckouts(sql, access.tenant, query, { status: filter.status ?? undefined }),
    (row) => checkoutResource(row, null),
  )
  const orders = await paidOrderIds(
    db(),
    list.rows.map(({ id }) => id),
  )
  const rows = list.rows.map((row) => ({ ...row, orderId: orders.get(row.id) ?? null }))
  const filtered = { ...list, rows, filter, ...exportOf(access, 'checkouts', { ...filter, ...list.dates }) }
  return { list: filtered, mayCreate: access.mayDo('checkout.create') }
}

/** One checkout, with its link for the buyer. */
export async function checkoutLinkPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<Page | null> {
  const access = await accessTo(place, 'checkouts/[id]', cookies)
  const found = access && (await findCheckout(db(), access.tenant, id))
  if (!access || !found) return null
  const orders = await paidOrderIds(db(), [id])
  return { checkout: checkoutResource(found, orders.get(id) ?? null), lines: found.lines.map(lineOf) }
}

const lineOf = ({ id, name, quantity, unitPrice, billingInterval, trialDays }: Checkout['lines'][number]) => ({
  id,
  name,
  quantity,
  unitPrice: amount(unitPrice, 'EUR'),
  trialDays,
  interval: billingInterval && { unit: billingInterval.interval, count: billingInterval.intervalCount },
})

/** The form for a checkout link, with the newest hundred plans and products on sale. */
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

/** The redirect URLs of the last checkout, proposed for the next one. The checkout of a payment link proposes nothing. */
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

/** Creates a checkout and redirects to its link. */
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
