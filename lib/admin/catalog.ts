import type { z } from 'zod'
import type { AdminList } from '../kernel/list.ts'
import { decimalOf } from '../kernel/typed-amount.ts'
import * as contract from '../modules/catalog/contract.ts'
import * as catalog from '../modules/catalog/operations.ts'
import {
  type CatalogForm,
  type CatalogItem,
  type CatalogPage,
  type CatalogValues,
  catalogFields,
} from '../modules/catalog/page.ts'
import { productResource } from '../modules/catalog/resource.ts'
import type { Product, ProductKind } from '../modules/catalog/rules/index.ts'
import { findProduct, pageOfProducts } from '../modules/catalog/store.ts'
import { termsVersion } from '../modules/catalog/terms-version.ts'
import { db, type Sql } from '../platform/db/db.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { PageQuery } from '../platform/http/paging.ts'
import type { RequestContext } from '../platform/jobs/transact.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { actByForm, newFormKey } from './act.ts'
import { exportOf } from './export.ts'
import { type FormState, formState, type Next } from './form-state.ts'
import { adminList, type ListParameters } from './list.ts'

const kindOf = (value: string | null | undefined): ProductKind =>
  value === 'one_off_product' ? 'one_off_product' : 'subscription_plan'

const kindOfId = (id: string): ProductKind => kindOf(id.slice(0, id.lastIndexOf('_')))

const itemOf = (product: Product) => productResource(product) as CatalogItem

/** One page of plans, or of one-off products if `kind` is `one_off_product`, newest first. Includes archived items. */
export async function catalogPage(
  place: StorefrontPath,
  { kind: asked, ...parameters }: ListParameters,
  cookies: string | null,
): Promise<{ list: AdminList<CatalogItem>; kind: ProductKind; mayCreate: boolean } | null> {
  const access = await accessTo(place, 'catalog', cookies)
  if (!access) return null
  const kind = kindOf(asked)
  const read = (query: PageQuery, sql: Sql) => pageOfProducts(sql, access.tenant, kind, query, true)
  const list = await adminList(`${access.path}/catalog`, { ...parameters, kind }, read, itemOf)
  return {
    list: { ...list, ...exportOf(access, 'catalog', { kind }) },
    kind,
    mayCreate: access.mayDo('catalog.create'),
  }
}

export async function catalogItemPage(
  place: StorefrontPath,
  id: string,
  form: string | null,
  cookies: string | null,
): Promise<CatalogPage | null> {
  const access = await accessTo(place, 'catalog/[id]', cookies)
  const found = access && (await findProduct(db(), access.tenant, kindOfId(id), id))
  if (!access || !found) return null
  const left = formState(access, form, cookies)
  return {
    item: itemOf(found),
    rejectionReason: found.rejectionReason,
    form: access.mayDo('catalog.update') ? formOf(access, found.kind, found, left) : null,
  }
}

export async function newCatalogItemPage(
  place: StorefrontPath,
  kind: string | null,
  form: string | null,
  cookies: string | null,
): Promise<CatalogForm | null> {
  const access = await accessTo(place, 'catalog/new', cookies)
  return access && formOf(access, kindOf(kind), null, formState(access, form, cookies))
}

function formOf(
  { tenant }: Access,
  kind: ProductKind,
  product: Product | null,
  { typed: left, problems }: FormState,
): CatalogForm {
  // If another person has changed the values, the page drops the entered values, because the next click would undo the
  // other person's change.
  const typed = problems.terms ? {} : left
  const item = product && itemOf(product)
  const pending = item?.pendingUpdates
  // The form edits a pending update instead of replacing it, so its fields start with the pending values.
  const now = item && { ...item, ...pending }
  const plan = now && 'interval' in now ? now : null
  const values: CatalogValues = {
    name: now?.name ?? '',
    description: now?.description ?? '',
    'basePrice.value': now?.basePrice?.value ?? '',
    productType: now?.productType ?? 'saas',
    interval: plan?.interval ?? 'month',
    intervalCount: String(plan?.intervalCount ?? 1),
  }
  const taxBehavior = item?.taxBehavior ?? typed.taxBehavior ?? 'exclusive'
  const { testmode } = tenant
  const terms = product ? typed.terms || termsVersion(product) : ''
  return { kind, testmode, values: { ...values, ...typed, taxBehavior }, terms, problems, formKey: newFormKey() }
}

function bodyOf(kind: ProductKind, values: URLSearchParams): Record<string, unknown> {
  const typed = Object.fromEntries(catalogFields.map((field) => [field, (values.get(field) ?? '').trim()]))
  const { name, description = '', productType, interval, intervalCount = '', 'basePrice.value': price = '' } = typed
  const billingInterval = {
    interval,
    intervalCount: /^\d{1,9}$/.test(intervalCount) ? Number(intervalCount) : intervalCount,
  }
  return {
    name,
    description: description.replaceAll('\r\n', '\n'),
    productType,
    basePrice: { value: decimalOf(price, 'EUR'), currency: 'EUR' },
    ...(kind === 'subscription_plan' && billingInterval),
  }
}

const operationsOf = {
  subscription_plan: {
    create: contract.createPlan,
    update: contract.updatePlan,
    archive: contract.archivePlan,
    unarchive: contract.unarchivePlan,
  },
  one_off_product: {
    create: contract.createProduct,
    update: contract.updateProduct,
    archive: contract.archiveProduct,
    unarchive: contract.unarchiveProduct,
  },
} as const satisfies Record<ProductKind, unknown>

type Creation = Parameters<typeof catalog.create>[2]
type Changes = Parameters<typeof catalog.submitUpdate>[3]

const said = ({ id, name, basePrice, pendingUpdates }: CatalogResult) => ({ id, name, basePrice, pendingUpdates })
type CatalogResult = Awaited<ReturnType<typeof catalog.create>>

export async function submitNewCatalogItem(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'catalog', null, cookies)
  if (!access) return null
  const kind = kindOf(values.get('kind'))
  const body = { ...bodyOf(kind, values), taxBehavior: values.get('taxBehavior') }
  const endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType<Creation>> = operationsOf[kind].create
  return actByForm(
    access,
    { page: `${access.path}/catalog/new?kind=${kind}`, values },
    { endpoint, params: {}, body, action: 'catalog.create', subject: access.storefront.id, after: said },
    ({ context, body }) => catalog.create(context, kind, body),
    () => `${access.path}/catalog?kind=${kind}&done=created`,
  )
}

export async function submitCatalogItem(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'catalog/[id]', values.get('intent'), cookies)
  const kind = kindOfId(id)
  if (!access || !(await findProduct(db(), access.tenant, kind, id))) return null
  const page = `${access.path}/catalog/${id}`
  const form = { page, values }
  const operations = operationsOf[kind]
  const of = { params: { id }, subject: id }
  switch (values.get('intent')) {
    case 'update': {
      const endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType<Changes>> = operations.update
      const asked = { ...of, endpoint, body: bodyOf(kind, values), action: 'catalog.update' as const, after: said }
      const update = ({ context, body }: { context: RequestContext; body: Changes }) =>
        catalog.submitUpdate(context, kind, id, body, values.get('terms') ?? '')
      return actByForm(access, form, asked, update, () => `${page}?done=updated`)
    }
    case 'archive': {
      const asked = { ...of, endpoint: operations.archive as Endpoint, action: 'catalog.archive' as const }
      return actByForm(
        ...([access, form, asked] as const),
        ({ context }) => catalog.archive(context, kind, id),
        () => `${page}?done=archived`,
      )
    }
    case 'unarchive': {
      const asked = { ...of, endpoint: operations.unarchive as Endpoint, action: 'catalog.unarchive' as const }
      return actByForm(
        ...([access, form, asked] as const),
        ({ context }) => catalog.unarchive(context, kind, id),
        () => `${page}?done=unarchived`,
      )
    }
    default:
      return { redirectTo: page }
  }
}
