import { canonicalEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import { isStorableText } from '../kernel/text.ts'
import { storefrontNames } from '../modules/accounts/store.ts'
import { writeAudit } from '../modules/audit/write.ts'
import { customersWithEmail, findCustomer, tenantOfCustomer } from '../modules/customers/store.ts'
import type { PersonalDataPage } from '../modules/personal-data/page.ts'
import { obstaclesIn } from '../modules/personal-data/rules/erasure.ts'
import { dealingsOf } from '../modules/personal-data/store.ts'
import type { Tenant } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { exportCustomer } from '../workflows/erasure/export.ts'
import { erase } from '../workflows/erasure/operations.ts'
import { staffOn } from './access.ts'
import { newFormKey } from './act.ts'
import { formState, leave, type Next } from './form-state.ts'
import type { ListParameters } from './list.ts'
import { staffAct, toConfirmFile } from './staff-act.ts'

const path = '/admin/personal-data'
const mostFound = 50
const mostObstacles = 20

const pageOf = (customerId: string) => `${path}?${new URLSearchParams({ customer: customerId })}`
const modeOf = ({ testmode }: Tenant) => (testmode ? 'test' : 'live')

/** The customers of all storefronts with this email address or id, and what prevents the erasure of the selected customer. Null for everyone except staff. */
export async function personalDataPage(
  { customer: id = null, form = null }: ListParameters,
  cookies: string | null,
): Promise<PersonalDataPage | null> {
  const staff = await staffOn('personal-data', cookies)
  if (!staff) return null
  const { typed, problems } = formState(staff, form, cookies)
  const asked = typed.q?.trim() ?? ''
  return {
    q: asked,
    found: asked === '' ? null : await found(asked),
    customer: id === null ? null : await shown(id),
    problems,
    formKey: newFormKey(),
  }
}

async function found(asked: string): Promise<NonNullable<PersonalDataPage['found']>> {
  const tenant = await tenantOfCustomer(db(), asked)
  const byId = tenant && (await findCustomer(db(), tenant, asked))
  const email = canonicalEmail(asked)
  const rows = byId
    ? [{ id: byId.id, name: byId.name, email: byId.email, tenant: tenant as Tenant }]
    : email === null
      ? []
      : await customersWithEmail(db(), email, null, mostFound)
  const names = await storefrontNames(
    db(),
    rows.map((row) => row.tenant.storefrontId),
  )
  return rows.map(({ id, name, email: address, tenant: of }) => ({
    id,
    name,
    email: address,
    storefront: names.get(of.storefrontId) ?? '',
    mode: modeOf(of),
    url: pageOf(id),
  }))
}

async function shown(id: string): Promise<PersonalDataPage['customer']> {
  const tenant = await tenantOfCustomer(db(), id)
  const customer = tenant && (await findCustomer(db(), tenant, id))
  if (!tenant || !customer) return null
  const names = await storefrontNames(db(), [tenant.storefrontId])
  const mode = modeOf(tenant)
  return {
    id,
    name: customer.name,
    email: customer.email,
    storefront: names.get(tenant.storefrontId) ?? '',
    mode,
    erasedAt: customer.erasedAt?.toISOString() ?? null,
    // Leaves out queued emails, because the erasure itself finds them and is refused while an email is queued.
    obstacles: obstaclesIn({ ...(await dealingsOf(db(), id)), emails: [] }).slice(0, mostObstacles),
    url: `/admin/${mode}/${tenant.storefrontId}/customers/${id}`,
    exportUrl: `/admin/export/customers/${id}`,
  }
}

/** Searches for a customer, or erases a customer's personal data. Null for everyone except staff. */
export async function submitPersonalData(values: URLSearchParams, cookies: string | null): Promise<Next | null> {
  const staff = await staffOn('personal-data', cookies)
  if (!staff) return null
  // Browsers and logs record URLs, so the entered email address goes into the encrypted form cookie.
  if (values.get('intent') === 'find') {
    const q = (values.get('q') ?? '').slice(0, 254)
    return isStorableText(q) ? leave(staff, path, { typed: { q }, problems: {} }) : { redirectTo: path }
  }
  const id = (values.get('customer') ?? '').slice(0, 100)
  const page = pageOf(id)
  if (values.get('intent') !== 'erase') return { redirectTo: page }
  const check = () => {
    if (values.get('confirmed') !== 'yes') throw invalid('confirmed', ruleProblem('erasure_confirmed'))
  }
  return staffAct(staff, { page, values, cookies }, { action: 'customer.erase', check }, async () => {
    await erase(id, staff.actor)
    return `${page}&done=erased`
  })
}

/**
 * All stored data about a customer as JSON, or a redirect to the page that asks for a second-factor code. The export is recorded in the audit log. Null for
 * everyone except staff, and for an unknown customer.
 */
export async function exportCustomerData(
  id: string,
  cookies: string | null,
): Promise<{ fileName: string; parts: AsyncGenerator<string> } | { redirectTo: string } | null> {
  const staff = await staffOn('export/customers/[id]', cookies)
  if (!staff || !isStorableText(id) || !(await tenantOfCustomer(db(), id))) return null
  const confirm = await toConfirmFile(staff, 'customer.export', { page: pageOf(id), cookies })
  if (confirm) return confirm
  const data = await exportCustomer(id)
  await db().$transaction((sql) =>
    writeAudit(sql, staff.actor, { action: 'customer.export', subject: id, before: null, after: null }),
  )
  return { fileName: `${id}.json`, parts: only(`${JSON.stringify(data, null, 2)}\n`) }
}

async function* only(text: string): AsyncGenerator<string> {
  yield text
}
