import type { z } from 'zod'
import type { Locale } from '../kernel/locale.ts'
import type { Currency, Money } from '../kernel/money.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import { isStorableText } from '../kernel/text.ts'
import { decimalOf, parseTypedAmount, parseTypedShare } from '../kernel/typed-amount.ts'
import { needsCode, wrongCode } from '../modules/operators/step-up.ts'
import type { Order } from '../modules/orders/rules/order.ts'
import { findOrder } from '../modules/orders/store.ts'
import * as contract from '../modules/refunds/contract.ts'
import type { RefundForm, RefundPage } from '../modules/refunds/page.ts'
import { arrivalOf } from '../modules/refunds/rules/arrival.ts'
import type { RefundSum } from '../modules/refunds/rules/index.ts'
import { db } from '../platform/db/db.ts'
import { parseWith } from '../platform/http/validate.ts'
import * as refunds from '../workflows/refund/operations.ts'
import { recall } from '../workflows/refund/recall.ts'
import { type Access, accessTo, type StorefrontPath } from './access.ts'
import { act, newFormKey, once } from './act.ts'
import { problemText, problemTexts } from './problem-texts.ts'

type Refund = z.infer<typeof contract.RefundShape>
type Fields = Iterable<readonly [string, string]>

const amountField = /^amount\.(order_item_\w{22})$/

function typedIn(fields: Fields): RefundForm {
  const all = [...fields]
  const text = (name: string) => (all.find(([each]) => each === name)?.[1] ?? '').trim().slice(0, 200)
  const amounts = all.flatMap(([name, value]) => {
    const line = amountField.exec(name)?.[1]
    return line && value.trim() !== '' ? [[line, value.trim()] as const] : []
  })
  return {
    amounts: Object.fromEntries(amounts),
    sum: text('sum'),
    tax: text('tax') === 'excluded' ? 'excluded' : 'included',
    reason: text('reason'),
  }
}

const metadataOf = ({ reason }: RefundForm) => (reason === '' ? null : { reason })

const bodyOf = ({ amounts, ...typed }: RefundForm, currency: Currency) => ({
  items: Object.entries(amounts).map(([itemId, value]) => ({
    itemId,
    amount: { value: decimalOf(value, currency), currency },
  })),
  metadata: metadataOf({ amounts, ...typed }),
})

/**
 * Returns the entered amount or percentage of the whole order, or null if the field is empty. Throws
 * `validation_failed` if `sum` or `reason` is invalid.
 */
function sumOf({ sum, tax, amounts, reason }: RefundForm, currency: Currency): RefundSum | null {
  if (!isStorableText(reason)) throw invalid('reason', ruleProblem('no_control_characters'))
  if (sum === '') return null
  if (Object.keys(amounts).length > 0) throw invalid('sum', ruleProblem('amount_twice'))
  const includesTax = tax === 'included'
  const share = parseTypedShare(sum)
  if (share !== null) return { of: 'share', value: share, includesTax }
  const money: Money | null = parseTypedAmount(sum, currency)
  if (!money) throw invalid('sum', ruleProblem('amount_or_share'))
  return { of: 'amount', value: money.minor, includesTax }
}

/** Returns the entered amount or percentage of the whole order, or else the items by line. Throws the same refusal as the API if the items are invalid. */
function askedOf(order: Order, typed: RefundForm) {
  const sum = sumOf(typed, order.currency)
  if (sum) return sum
  const body = bodyOf(typed, order.currency)
  const parsed = parseWith(contract.createRefund, { id: order.id }, new URLSearchParams(), body)
  return (parsed.body as z.infer<NonNullable<typeof contract.createRefund.body>>).items
}

/** The preview of a refund: the returned amounts, or the problems. `full` previews a refund of the whole remaining amount. */
export async function refundPage(
  place: StorefrontPath,
  id: string,
  query: Fields,
  cookies: string | null,
): Promise<RefundPage | null> {
  const access = await accessTo(place, 'orders/[id]/refund', cookies)
  const order = access && (await findOrder(db(), access.tenant, id))
  if (!access || !order) return null
  const asked = [...query]
  const isWrong = asked.some(([name]) => name === 'code')
  const { lines, total } = await refunds.refundable(access.tenant, id)
  const isFull = asked.some(([name, value]) => name === 'full' && value !== '')
  const typed = typedIn(asked)
  const form: RefundForm = isFull ? { ...typed, amounts: {}, sum: total.value, tax: 'included' } : typed
  const page = {
    orderId: id,
    lines,
    left: total,
    form,
    arrival: arrivalOf(order.paymentMethod),
    needsCode: await needsCode('refund.create', access.tenant.testmode, cookies),
    formKey: newFormKey(),
  }
  try {
    const problems: Record<string, string> = isWrong ? { code: problemText(wrongCode, access.language) } : {}
    return { ...page, problems, preview: await refunds.preview(access.tenant, id, askedOf(order, form)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { ...page, problems: problemsOf(error, Object.keys(form.amounts), access.language), preview: null }
  }
}

/** Maps each problem to its field in the form. An API field such as `items.0.amount.value` maps to the line of the order. */
function problemsOf({ problems }: Refusal, lines: readonly string[], locale: Locale): Record<string, string> {
  const fields: Readonly<Record<string, string>> = { sum: 'sum', amount: 'sum', reason: 'reason' }
  const entries = Object.entries(problemTexts(problems, locale)).map(([field, sentence]) => {
    const index = /^items\.(\d+)/.exec(field)?.[1]
    return [(index && lines[Number(index)]) || fields[field] || 'order', sentence]
  })
  return Object.fromEntries(entries)
}

export async function createRefund(access: Access, page: string, order: Order, form: URLSearchParams) {
  const typed = typedIn(form)
  const fields = Object.entries({ sum: typed.sum, tax: typed.sum && typed.tax, reason: typed.reason }).filter(
    ([, value]) => value !== '',
  )
  const lines = Object.entries(typed.amounts).map(([line, value]) => [`amount.${line}`, value])
  const refusal = await (typed.sum === '' ? refundLines : refundSum)(access, order, form, typed)
  if (refusal === null) return { redirectTo: `${page}?done=refunded` }
  return { redirectTo: `${page}/refund?${new URLSearchParams([...fields, ...lines])}${whyIn(refusal)}` }
}

const after = ({ id, total }: Refund) => ({ refund: id, total })

const refundLines = (access: Access, order: Order, form: URLSearchParams, typed: RefundForm) =>
  act(
    access,
    form,
    {
      endpoint: contract.createRefund,
      params: { id: order.id },
      body: bodyOf(typed, order.currency),
      action: 'refund.create',
      subject: order.id,
      after,
      check: ({ body }) => refunds.preview(access.tenant, order.id, body.items),
    },
    ({ context, body }) => refunds.create(context, order.id, body),
  )

const refundSum = (access: Access, order: Order, form: URLSearchParams, typed: RefundForm) =>
  once(
    access,
    form,
    {
      path: '/admin/refunds/by-amount',
      content: [order.id, typed],
      action: 'refund.create',
      subject: order.id,
      after,
      check: () => refunds.preview(access.tenant, order.id, askedOf(order, typed)),
    },
    (context) => {
      const sum = sumOf(typed, order.currency)
      if (!sum) throw invalid('sum', ruleProblem('amount_or_share'))
      const metadata = metadataOf(typed)
      return refunds.createOfSum(context, order.id, { ...sum, metadata: metadata && JSON.stringify(metadata) })
    },
  )

/** Returns the URL query that reports a refusal. Omits problems of amounts, because the page validates the entered amounts again. */
function whyIn({ code, on }: Refusal): string {
  if (code !== 'validation_failed') return `&failed=${code}`
  return `${on.code ? '&code=wrong' : ''}#problems`
}

/**
 * `cancel-refund` cancels a refund that was not sent, in our database only. `recall-refund` cancels a sent refund at
 * the payment provider, if possible.
 */
const endings = {
  'cancel-refund': { action: 'refund.cancel', end: refunds.cancel, done: 'refundCanceled' },
  'recall-refund': { action: 'refund.recall', end: recall, done: 'refundRecalled' },
} as const

export async function endRefund(
  access: Access,
  page: string,
  orderId: string,
  form: URLSearchParams,
  intent: keyof typeof endings,
) {
  const { action, end, done } = endings[intent]
  const params = { id: orderId, refundId: form.get('refund') ?? '' }
  const refusal = await act(
    access,
    form,
    { endpoint: contract.cancelRefund, params, action, subject: params.refundId },
    ({ context, params }) => end(context, params.id, params.refundId),
  )
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : `done=${done}`}` }
}
