import { isBlank, plainLine } from '../../kernel/text.ts'
import { transact } from '../../modules/events/transact.ts'
import { chosenLines, isPossible, type NamedLine } from '../../modules/orders/rules/withdrawal.ts'
import { withdrawalPath } from '../../modules/orders/withdrawals.ts'
import { openSessionOf } from '../../modules/portal/browser.ts'
import { byCustomer } from '../../platform/clock/clock.ts'
import { leaveFor, type Next } from '../../platform/http/form-state.ts'
import type { Visitor } from '../../platform/http/visitor.ts'
import { declareWithdrawal } from './declare.ts'
import { count, findWithdrawal } from './find-withdrawal.ts'

/** Reads the chosen lines from the form. An invalid quantity becomes NaN. */
const linesIn = (form: URLSearchParams): NamedLine[] =>
  form
    .getAll('line')
    .filter((value) => /^\d{1,3}$/.test(value))
    .map((position) => ({
      position: Number(position),
      quantity: count(form.get(`quantity.${position}`)),
      left: count(form.get(`left.${position}`)),
    }))

const longestName = 255

/**
 * With the intent `confirm`, the form declares the withdrawal. Without this intent, the form leads to a page that shows the statement for review. Returns null
 * if the link is unknown. The call is safe to repeat.
 */
export async function submitWithdrawal(token: string, form: URLSearchParams, visitor: Visitor): Promise<Next | null> {
  const found = await findWithdrawal(token)
  if (!found) return null
  const { order, withdrawable, state } = found
  const tenant = byCustomer(found.tenant)
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
