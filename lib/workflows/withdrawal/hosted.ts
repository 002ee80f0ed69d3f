import { canonicalEmail } from '../../kernel/email.ts'
import { toWire } from '../../kernel/moment.ts'
import { isBlank, plainLine } from '../../kernel/text.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { transact } from '../../modules/events/transact.ts'
import type { WithdrawalPage } from '../../modules/orders/page.ts'
import type { Order } from '../../modules/orders/rules/order.ts'
import { type WithdrawalState, withdrawalState, withdrawalUntil } from '../../modules/orders/rules/withdrawal.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { findOrderAnywhere } from '../../modules/orders/store.ts'
import {
  type DeclaredWithdrawal,
  findWithdrawal,
  openWithdrawalToken,
  withdrawalPath,
} from '../../modules/orders/withdrawals.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf, leaveFor, type Next } from '../../platform/http/form-state.ts'
import type { Visitor } from '../sale/hosted.ts'
import { contractNumber, declareWithdrawal, statementOf } from './declare.ts'
import { withdrawnOf } from './withdrawn.ts'

interface Found {
  readonly order: Order
  readonly tenant: Tenant
  readonly state: WithdrawalState
  readonly declared: DeclaredWithdrawal | null
}

/** Null for a link that is not ours, and for an order without the right. */
async function find(token: string): Promise<Found | null> {
  const id = openWithdrawalToken(token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  if (!found) return null
  const declared = await findWithdrawal(db(), found.order.id)
  const now = await clockNow(db(), found.tenant)
  const state = withdrawalState(found.order, { declaredAt: declared?.declaredAt ?? null, now })
  return state && { ...found, state, declared }
}

/**
 * The page on which a consumer withdraws from a contract: a form, the statement to confirm, and that it was received. It
 * needs no session: the link is in the receipt. Null if the link is unknown.
 */
export async function withdrawalPage(
  token: string,
  form: string | null,
  visitor: Visitor,
): Promise<WithdrawalPage | null> {
  const found = await find(token)
  const withdrawn = found && (await withdrawnOf(found.order, found.tenant))
  if (!found || !withdrawn) return null
  const { order, tenant, state, declared } = found
  const path = withdrawalPath(order.id)
  const view = await storefrontView(db(), tenant.storefrontId)
  const { typed, problems } = formStateOf(order.id, form, visitor.header('cookie'))
  const isChecked = typed.name !== undefined && Object.keys(problems).length === 0
  return {
    ...view,
    ...{ locale: order.locale, testmode: tenant.testmode, seller: sellerView(order.seller) },
    state: state === 'open' && isChecked ? 'review' : state,
    number: contractNumber(order),
    concludedAt: toWire(order.paidAt ?? order.createdAt),
    until: toWire(withdrawalUntil(order) ?? order.createdAt),
    items: [...withdrawn.items],
    begun: order.withdrawal?.beginsAtOnce ? order.withdrawal.kind : null,
    name: typed.name ?? order.customerDetails.fullName ?? '',
    email: typed.email ?? order.customerDetails.email ?? '',
    problems: { name: 'name' in problems, email: 'email' in problems },
    statement: declared?.statement ?? (await statementOf(order, withdrawn, view.storefrontName)),
    declared: declared && { at: toWire(declared.declaredAt), maskedEmail: maskedEmail(declared.email) },
    submitUrl: `${path}/submit`,
    formUrl: path,
    portalUrl: portalSignInPath(tenant),
  }
}

/** The HTTP status of that page. */
export async function withdrawalStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  return found.state === 'open' || found.state === 'declared' ? 200 : 410
}

const longestName = 255

/**
 * Takes the form: first it leads to the statement, and with the intent `confirm` it withdraws. Returns where it leads;
 * null if the link is unknown. Safe to repeat.
 */
export async function submitWithdrawal(token: string, form: URLSearchParams, visitor: Visitor): Promise<Next | null> {
  const found = await find(token)
  if (!found) return null
  const { order, tenant, state } = found
  const path = withdrawalPath(order.id)
  if (state !== 'open') return { redirectTo: path }
  const typed = {
    name: (form.get('name') ?? '').slice(0, 2 * longestName),
    email: (form.get('email') ?? '').slice(0, 300),
  }
  const name = plainLine(typed.name)
  const email = canonicalEmail(typed.email)
  const problems = {
    ...((isBlank(name) || [...name].length > longestName) && { name: 'invalid' }),
    ...(email === null && { email: 'invalid' }),
  }
  const isRefused = email === null || Object.keys(problems).length > 0
  if (isRefused || form.get('intent') !== 'confirm') {
    const next = leaveFor(order.id, path, { typed, problems })
    return isRefused ? { ...next, redirectTo: `${next.redirectTo}#problems` } : next
  }
  const open = await openSessionOf(visitor.header('cookie'))
  const source = open?.session.customerId === order.customerId ? 'portal' : 'link'
  await transact(tenant, (tx) => declareWithdrawal(tx, order.id, { name, email, source }))
  return { redirectTo: path }
}
