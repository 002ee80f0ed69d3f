import { toWire } from '../../kernel/moment.ts'
import { isBlank, plainLine } from '../../kernel/text.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import { transact } from '../../modules/events/transact.ts'
import type { WithdrawalPage } from '../../modules/orders/page.ts'
import { type Order, paidAtOf } from '../../modules/orders/rules/order.ts'
import {
  chosenLines,
  isPossible,
  lastWithdrawalDay,
  type NamedLine,
  type WithdrawalState,
  withdrawalState,
} from '../../modules/orders/rules/withdrawal.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { findOrderAnywhere, paidOrdersOf } from '../../modules/orders/store.ts'
import { openWithdrawalToken, withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { now as clockNow, type Tenant } from '../../platform/clock/clock.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf, leaveFor, type Next } from '../../platform/http/form-state.ts'
import type { Visitor } from '../sale/hosted.ts'
import { acknowledgedTo, contractNumber, declareWithdrawal, isPaidWith, statementOf } from './declare.ts'
import { type ChosenLine, itemOf, linesOf, progressOf, type Withdrawable, withdrawableOf } from './withdrawable.ts'

interface Found {
  readonly order: Order
  readonly tenant: Tenant
  readonly withdrawable: Withdrawable
  readonly state: WithdrawalState
}

/** Null for a link that is not ours, and for an order without the right. */
async function find(token: string): Promise<Found | null> {
  const id = openWithdrawalToken(token)
  const found = id === null ? null : await findOrderAnywhere(db(), id)
  const withdrawable = found && (await withdrawableOf(found.order, found.tenant))
  if (!found || !withdrawable) return null
  const now = await clockNow(db(), found.tenant)
  const state = withdrawalState(found.order, { ...progressOf(withdrawable), now })
  return state && { ...found, withdrawable, state }
}

/**
 * The page on which a consumer withdraws from a contract, from lines of it or from units of these: a form, the statement to confirm, and that
 * it was received. It needs no session: the link is in the receipt. Null if the link is unknown.
 */
export async function withdrawalPage(
  token: string,
  form: string | null,
  visitor: Visitor,
): Promise<WithdrawalPage | null> {
  const found = await find(token)
  if (!found) return null
  const { order, tenant, withdrawable, state } = found
  const path = withdrawalPath(order.id)
  const view = await storefrontView(db(), tenant.storefrontId)
  const { typed, problems } = formStateOf(order.id, form, visitor.header('cookie'))
  const isRefused = Object.keys(problems).length > 0
  const left = withdrawable.lines.filter((line) => line.left > 0)
  const named = typed.lines === undefined ? left.map(allOf) : keptLines(typed.lines)
  const chosen = chosenLines(withdrawable.lines, named)
  const isChecked = typed.name !== undefined && !isRefused && chosen.length > 0 && chosen.every(isPossible)
  const declared = withdrawable.declared.map((each) => ({
    at: toWire(each.declaredAt),
    maskedEmail: maskedEmail(each.email),
    statement: each.statement,
    items: linesOf(withdrawable, each).map(itemOf),
  }))
  return {
    ...view,
    locale: order.locale,
    testmode: tenant.testmode,
    seller: sellerView(order.seller),
    state: state !== 'open' ? state : isChecked ? 'review' : declared.length > 0 ? 'declared' : 'open',
    number: contractNumber(order),
    concludedAt: toWire(paidAtOf(order)),
    until: lastWithdrawalDay(order, withdrawable.timeZone) ?? '',
    timeZone: withdrawable.timeZone,
    lines:
      state === 'open'
        ? left.map((line) => {
            const meant = chosen.find(({ position }) => position === line.position)
            const count = meant?.chosen ?? line.left
            return {
              ...(isChecked && meant ? itemOf(meant) : { name: line.name, quantity: line.left, of: line.left }),
              position: line.position,
              left: line.left,
              isChosen: meant !== undefined,
              typed: Number.isNaN(count) ? '' : String(count),
              isWrong: isRefused && !!meant && !isPossible(meant),
            }
          })
        : [],
    begun: order.withdrawal?.beginsAtOnce ? order.withdrawal.kind : null,
    hasTrial: left.some(({ orderLineId }) => orderLineId === null),
    isPaid: await isPaid(found),
    name: typed.name ?? order.customerDetails.fullName ?? '',
    maskedEmail: (await acknowledgedTo(db(), tenant, order)).map(maskedEmail).join(', '),
    problems: {
      lines: 'lines' in problems,
      quantity: 'quantity' in problems,
      name: 'name' in problems,
    },
    statement: isChecked ? await statementOf(order, chosen, withdrawable, view.storefrontName) : null,
    endsSubscriptions: isChecked && (await endsSubscription(chosen)),
    declared,
    submitUrl: `${path}/submit`,
    formUrl: path,
    portalUrl: portalSignInPath(tenant),
  }
}

/** Whether anything was paid for what was declared last, with the order or later. */
async function isPaid({ order, withdrawable }: Found): Promise<boolean> {
  const last = withdrawable.declared.at(-1)
  const lines = last ? linesOf(withdrawable, last) : []
  if (lines.length === 0 || isPaidWith(order, lines)) return lines.length > 0
  const begun = await subscriptionsOfLines(
    db(),
    lines.map(({ checkoutLineId }) => checkoutLineId),
  )
  const ids = [...begun.values()].map(({ id }) => id)
  return (await paidOrdersOf(db(), ids)).length > 0
}

/** As the declaration will: units that a lower quantity has no more end it too. */
async function endsSubscription(chosen: readonly ChosenLine[]): Promise<boolean> {
  const ids = chosen.map(({ checkoutLineId }) => checkoutLineId)
  const begun = await subscriptionsOfLines(db(), ids)
  return chosen.some((line) => {
    const subscription = begun.get(line.checkoutLineId)
    if (!subscription || subscription.status === 'canceled') return false
    return line.chosen === line.left || subscription.quantity <= line.chosen
  })
}

const allOf = ({ position, left }: { position: number; left: number }): NamedLine => ({
  position,
  quantity: null,
  left,
})

const count = (text: string | null): number | null =>
  text === null ? null : /^\d{1,6}$/.test(text) ? Number(text) : NaN

/** The lines that a form names. A quantity that is no number is NaN. */
const linesIn = (form: URLSearchParams): NamedLine[] =>
  form
    .getAll('line')
    .filter((value) => /^\d{1,3}$/.test(value))
    .map((position) => ({
      position: Number(position),
      quantity: count(form.get(`quantity.${position}`)),
      left: count(form.get(`left.${position}`)),
    }))

/** What a form left for the page: the lines that it named, as `position:quantity:left`. */
const keptLines = (text: string): NamedLine[] =>
  text.split(' ').flatMap((line) => {
    const [position, quantity = '', left = ''] = line.split(':')
    return position ? [{ position: Number(position), quantity: count(quantity), left: count(left) }] : []
  })

/** The HTTP status of that page. */
export async function withdrawalStatus(token: string): Promise<200 | 404 | 410> {
  const found = await find(token)
  if (!found) return 404
  return found.state === 'open' || found.state === 'declared' ? 200 : 410
}

const longestName = 255

/**
 * Takes the form: first it leads to the statement, and with the intent `confirm` it withdraws from the lines that are
 * named. Returns where it leads; null if the link is unknown. Safe to repeat.
 */
export async function submitWithdrawal(token: string, form: URLSearchParams, visitor: Visitor): Promise<Next | null> {
  const found = await find(token)
  if (!found) return null
  const { order, tenant, withdrawable, state } = found
  const path = withdrawalPath(order.id)
  const named = linesIn(form)
  const chosen = chosenLines(withdrawable.lines, named)
  const isRepeated = withdrawable.lines.some((line) => named.some(({ position }) => position === line.position))
  if (state !== 'open' || (chosen.length === 0 && isRepeated)) return { redirectTo: path }
  const typed = {
    name: (form.get('name') ?? '').slice(0, 2 * longestName),
    lines: chosen.map((line) => `${line.position}:${line.chosen}:${line.left}`).join(' '),
  }
  const name = plainLine(typed.name)
  const problems = {
    ...(chosen.length === 0 && { lines: 'missing' }),
    ...(!chosen.every(isPossible) && { quantity: 'invalid' }),
    ...((isBlank(name) || [...name].length > longestName) && { name: 'invalid' }),
  }
  const isRefused = Object.keys(problems).length > 0
  if (isRefused || form.get('intent') !== 'confirm') {
    const next = leaveFor(order.id, path, { typed, problems })
    return isRefused ? { ...next, redirectTo: `${next.redirectTo}#problems` } : next
  }
  const open = await openSessionOf(visitor.header('cookie'))
  const source = open?.session.customerId === order.customerId ? 'portal' : 'link'
  await transact(tenant, (tx) => declareWithdrawal(tx, order.id, { name, source, named }))
  return { redirectTo: path }
}
