import type { Locale } from '../kernel/locale.ts'
import { toWire } from '../kernel/moment.ts'
import { type Amount, amount, sum } from '../kernel/money.ts'
import { invalid, type Refusal } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import { disputesEndSubscriptions } from '../modules/accounts/store.ts'
import { type Answer, evidenceOfChargeback, findAnswer, isAnswerable } from '../modules/chargebacks/evidence-store.ts'
import type { ChargebackPage, ChargebacksPage } from '../modules/chargebacks/page.ts'
import { chargebackResource } from '../modules/chargebacks/resource.ts'
import { evidenceTooLarge } from '../modules/chargebacks/rules/evidence.ts'
import type { Chargeback } from '../modules/chargebacks/rules/index.ts'
import { chargebackStates } from '../modules/chargebacks/rules/state.ts'
import { findChargeback } from '../modules/chargebacks/store.ts'
import { sendAnswer } from '../modules/chargebacks/tasks.ts'
import { pageOfChargebacksWithOrders } from '../modules/chargebacks/with-order.ts'
import type { Order } from '../modules/orders/rules/order.ts'
import { leftOf, reverseGross } from '../modules/orders/rules/reverse.ts'
import { findOrder, reversedOf } from '../modules/orders/store.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { db } from '../platform/db/db.ts'
import { isFailing } from '../platform/jobs/is-queued.ts'
import { answerDispute, checkedEvidence, requireAnswerable, takesAnswers } from '../workflows/chargeback/answer.ts'
import { move } from '../workflows/chargeback/operations.ts'
import { disputesSetting, setDisputesEndSubscriptions } from '../workflows/storefronts/operations.ts'
import { accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, refused, toConfirm } from './act.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, chosen, type ListParameters } from './list.ts'
import { namedOrder } from './names.ts'
import { problemText } from './problem-texts.ts'
import { disputeRow, nameOf } from './rows.ts'

export async function chargebacksPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<ChargebacksPage | null> {
  const access = await accessTo(place, 'chargebacks', cookies)
  if (!access) return null
  const filter = chosen(chargebackStates.states, parameters.status)
  const list = await adminList(
    `${access.path}/chargebacks`,
    { ...parameters, status: filter.status },
    (query, sql) => pageOfChargebacksWithOrders(sql, access.tenant, query, { status: filter.status ?? undefined }),
    disputeRow,
  )
  const endSubscriptions = {
    isOn: await disputesEndSubscriptions(db(), access.storefront.id),
    mayChange: access.mayDo('disputes.end_subscriptions') && access.storefront.heldAt === null,
    formKey: newFormKey(),
  }
  return { ...list, filter, ...exportOf(access, 'chargebacks', { ...filter, ...list.dates }), endSubscriptions }
}

export async function submitChargebacks(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'chargebacks', values.get('intent'), cookies)
  if (!access) return null
  const page = `${access.path}/chargebacks`
  const intent = values.get('intent')
  if (intent !== 'on' && intent !== 'off') return { redirectTo: page }
  const isOn = intent === 'on'
  const entry = { ...disputesSetting(access.storefront.id, isOn), path: `${page}/submit`, content: intent }
  const refusal = await once(access, values, entry, (call) => setDisputesEndSubscriptions(call, isOn))
  return { redirectTo: `${page}?${refusal ? `failed=${refusal.code}` : `done=${intent}`}` }
}

/** The page of one chargeback. Staff members decide a chargeback that exceeds the amount of the sale. */
export async function chargebackPage(
  place: StorefrontPath,
  id: string,
  parameters: ListParameters,
  cookies: string | null,
): Promise<ChargebackPage | null> {
  const access = await accessTo(place, 'chargebacks/[id]', cookies)
  const found = access && (await findChargeback(db(), access.tenant, id))
  if (!access || !found) return null
  const order = await findOrder(db(), access.tenant, found.orderId)
  const isWaiting = found.status === 'requires_amount_review'
  const answered = await findAnswer(db(), access.tenant, id)
  const canTake = await takesAnswers(found.orderId)
  const isOpen = found.status === 'pending' && isAnswerable(answered?.answer ?? null)
  const { typed, problems } = formState(access, parameters.form ?? null, cookies)
  const respondBy = answered?.respondBy ?? null
  return {
    taken: amount(isWaiting ? 0n : found.total, found.currency),
    fee: amount(isWaiting || found.status === 'rejected' ? 0n : found.providerFee, found.currency),
    respondBy: respondBy && toWire(respondBy),
    isOverdue: respondBy !== null && respondBy < (await timeOf(db(), access.tenant)),
    answer: answered?.answer ?? null,
    answeredAt: answered?.answeredAt && isSent(answered.answer) ? toWire(answered.answeredAt) : null,
    isTryingAgain: await isFailing(db(), sendAnswer.name, id),
    evidence: answered?.answer === 'unreadable' ? [] : await evidenceOfChargeback(db(), access.tenant, id),
    answering:
      isOpen && canTake && access.mayDo('chargeback.send_evidence')
        ? { statement: typed.statement ?? '', problems: { ...problems, ...tooLargeIn(parameters, access.language) } }
        : null,
    takesAnswers: canTake,
    chargeback: chargebackResource(found),
    invoiceNumber: order?.invoice?.number ?? null,
    creditNote: await namedOrder(access.tenant, found.creditNoteId),
    customer: order?.customerId ? { id: order.customerId, name: nameOf(order.customerDetails) } : null,
    isWaiting,
    mayDecide: isWaiting && access.mayDo('chargeback.accepted'),
    ifAccepted: order && isWaiting ? await deductedIfAccepted(order, found) : null,
    formKey: newFormKey(),
  }
}

const isSent = (answer: Answer | null) => answer === 'evidence' || answer === 'concede'

/** Returns a problem if the form was too large. The route did not read the fields of such a form, so there is no other problem. */
const tooLargeIn = ({ tooLarge }: ListParameters, locale: Locale): Readonly<Record<string, string>> =>
  tooLarge ? { other: problemText(evidenceTooLarge, locale) } : {}

export interface AnswerForm {
  readonly values: URLSearchParams
  readonly files: readonly { readonly kind: string; readonly bytes: Uint8Array }[]
}

/** Sends evidence against a dispute, or accepts the dispute. Accepting requires a checked box, because the buyer then keeps the money. */
export async function submitAnswer(
  place: StorefrontPath,
  id: string,
  { values, files }: AnswerForm,
  cookies: string | null,
): Promise<Next | null> {
  const intent = values.get('intent')
  const access = await accessToForm(place, 'chargebacks/[id]/answer', intent, cookies)
  if (!access || !(await findChargeback(db(), access.tenant, id))) return null
  const page = `${access.path}/chargebacks/${id}`
  if (intent !== 'evidence' && intent !== 'concede') return { redirectTo: page }
  const given = { statement: (values.get('statement') ?? '').replaceAll('\r\n', '\n'), files }
  const isEvidence = intent === 'evidence'
  const entry = {
    action: isEvidence ? ('chargeback.send_evidence' as const) : ('chargeback.concede' as const),
    subject: id,
    path: `${page}/answer`,
    content: [intent, given.statement, files.map(({ kind, bytes }) => [kind, bytes.length])],
    check: async () => {
      if (isEvidence) checkedEvidence(given)
      else if (values.get('confirmed') !== 'yes') throw invalid('confirmed', ruleProblem('dispute_confirmed'))
      await requireAnswerable(access.tenant, id)
    },
  }
  const refusal = await once(access, values, entry, (call) =>
    answerDispute(call, id, isEvidence ? checkedEvidence(given) : null),
  )
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${intent}` }
}

async function deductedIfAccepted(order: Order, { amount: disputed, providerFee }: Chargeback): Promise<Amount> {
  const parts = reverseGross(order, leftOf(order, await reversedOf(db(), order.id)), disputed)
  const grosses = parts.map(({ subtotal, taxes }) => subtotal + sum(taxes.map(({ amount }) => amount)))
  return amount(sum(grosses) + providerFee, order.currency)
}

/** Applies an operator's decision on a chargeback that exceeds the order: the merchant pays the order's remaining amount, or nothing. */
export async function submitChargeback(
  place: StorefrontPath,
  id: string,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'chargebacks/[id]', values.get('intent'), cookies)
  if (!access || !(await findChargeback(db(), access.tenant, id))) return null
  const page = `${access.path}/chargebacks/${id}`
  const intent = values.get('intent')
  if (intent !== 'accepted' && intent !== 'rejected') return { redirectTo: page }
  const entry = { action: `chargeback.${intent}` as const, subject: id, path: page, content: intent }
  const refusal = await once(access, values, entry, (call) => move(id, intent, call))
  const confirm = refusal && toConfirm(access, { page, values }, refusal)
  return confirm ?? { redirectTo: refusal ? `${page}?failed=${codeOf(refusal)}` : `${page}?done=${intent}` }
}

/** The code of a refusal. `validation_failed` means that another person has decided the chargeback, so it becomes `illegal_move`. */
const codeOf = ({ code }: Refusal) => (code === 'validation_failed' ? 'illegal_move' : code)
