import { type Loaded, unknownLink } from '../../kernel/hosted-pages.ts'
import { toWire } from '../../kernel/moment.ts'
import { storefrontView } from '../../modules/brand/brand-view.ts'
import type { WithdrawalPage } from '../../modules/orders/page.ts'
import { paidAtOf } from '../../modules/orders/rules/order.ts'
import { chosenLines, isPossible, lastWithdrawalDay, type NamedLine } from '../../modules/orders/rules/withdrawal.ts'
import { sellerView } from '../../modules/orders/seller-view.ts'
import { paidOrdersOf } from '../../modules/orders/store.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { portalSignInPath } from '../../modules/portal/link.ts'
import { maskedEmail } from '../../modules/portal/rules/masked-email.ts'
import { subscriptionsOfLines } from '../../modules/subscriptions/store.ts'
import { db } from '../../platform/db/db.ts'
import { formStateOf } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { acknowledgedTo, contractNumber, isPaidWith, statementOf } from './declare.ts'
import { count, type FoundWithdrawal, findWithdrawal } from './find-withdrawal.ts'
import { type ChosenLine, itemOf, linesOf } from './withdrawable.ts'

/** The receipt email has the link, so the page needs no session. */
export async function withdrawalPage(
  token: string,
  form: string | null,
  visitor: Visitor,
): Promise<WithdrawalPage | null> {
  const found = await findWithdrawal(token)
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

async function isPaid({ order, withdrawable }: FoundWithdrawal): Promise<boolean> {
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

/**
 * Whether the withdrawal ends a subscription. A subscription ends if the buyer withdraws from all units that are left,
 * or from at least as many units as its quantity.
 */
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

/** Parses lines in the format `position:quantity:left`. */
const keptLines = (text: string): NamedLine[] =>
  text.split(' ').flatMap((line) => {
    const [position, quantity = '', left = ''] = line.split(':')
    return position ? [{ position: Number(position), quantity: count(quantity), left: count(left) }] : []
  })

const openStates: readonly WithdrawalPage['state'][] = ['open', 'review', 'declared']

/** The HTTP status is 410 after the right of withdrawal has ended. */
export async function loadWithdrawal(
  token: string,
  visitor: Visitor,
  query: URLSearchParams,
): Promise<Loaded<WithdrawalPage>> {
  const view = await withdrawalPage(token, query.get('form'), visitor)
  return view ? { status: openStates.includes(view.state) ? 200 : 410, view } : unknownLink
}
