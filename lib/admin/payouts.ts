import { currencies, isCurrency } from '../kernel/currencies.ts'
import { toWire } from '../kernel/moment.ts'
import { type Amount, amount } from '../kernel/money.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import { ruleProblem } from '../kernel/rule-problem.ts'
import { decimalOf } from '../kernel/typed-amount.ts'
import { balancesOf, entriesOfSubject } from '../modules/ledger/store.ts'
import { payoutAccounts } from '../modules/payouts/accounts.ts'
import {
  checkPayout,
  createPayout,
  movePayout,
  refuseAllButEuros,
  refuseToMerchant,
  requestPayout,
} from '../modules/payouts/operations.ts'
import type { BalanceParts, PaidRow, PayoutPage, PayoutsPage } from '../modules/payouts/page.ts'
import { withheldFrom } from '../modules/payouts/release.ts'
import { releasedOf } from '../modules/payouts/rules/release.ts'
import { payoutMoves, payoutStates } from '../modules/payouts/rules/state.ts'
import { type ShownSchedule, setSchedule, typedSchedule } from '../modules/payouts/schedule.ts'
import { findSchedule } from '../modules/payouts/schedule-store.ts'
import { findPayout, maskedAccountOf, type Payout, pageOfPayouts } from '../modules/payouts/store.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, onceSaying, refused } from './act.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, type ListParameters } from './list.ts'

export async function payoutsPage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<PayoutsPage | null> {
  const access = await accessTo(place, 'payouts', cookies)
  if (!access) return null
  const { tenant, path } = access
  const now = await timeOf(db(), tenant)
  const parts = await partsAt(access, now)
  const schedule = await findSchedule(db(), tenant)
  const { typed, problems } = formState(access, parameters.form ?? null, cookies)
  const available = parts.find(({ currency }) => currency === 'EUR')?.available.value ?? ''
  const mayBook = access.mayDo('payout.create')
  return {
    parts,
    holdDays: tenant.testmode ? 0 : config().payoutHoldDays,
    reserveDays: tenant.testmode ? 0 : config().payoutReserve.days,
    next: schedule && { at: toWire(schedule.nextAt), estimate: await estimate(access, schedule.nextAt) },
    schedule: schedule && { every: schedule.every, day: schedule.day },
    account: await payoutAccounts(tenant),
    list: {
      ...(await adminList(
        `${path}/payouts`,
        parameters,
        (query, sql) => pageOfPayouts(sql, tenant, query),
        (row) => paidRow(access, row),
      )),
      ...exportOf(access, 'payouts'),
    },
    request:
      access.mayDo('payout.request') && parts.length > 0
        ? {
            mayBook,
            amount: typed.amount ?? available,
            reference: typed.reference ?? '',
            problems,
            formKey: newFormKey(),
          }
        : null,
    scheduleKey: access.mayDo('payout.schedule') && access.storefront.heldAt === null ? newFormKey() : null,
  }
}

/** The parts of each balance at the time `at`: available, on hold, in reserve, and disputed. */
async function partsAt({ tenant }: Pick<Access, 'tenant'>, at: Date): Promise<BalanceParts[]> {
  const owed = (await balancesOf(db(), tenant)).filter(({ account }) => account === 'merchant_balance')
  const parts: BalanceParts[] = []
  for (const { currency, amount: sum } of owed) {
    const withheld = await withheldFrom(db(), tenant, currency, at)
    const money = (minor: bigint) => amount(minor, currency)
    parts.push({
      currency,
      balance: money(-sum),
      available: money(releasedOf(-sum, withheld)),
      held: money(withheld.held),
      reserve: money(withheld.reserve),
      disputed: money(withheld.disputed),
    })
  }
  return parts
}

/** The euro amount that will be available at a later time if nothing is sold or refunded until then. */
async function estimate(access: Access, at: Date): Promise<Amount> {
  const euros = (await partsAt(access, at)).find(({ currency }) => currency === 'EUR')
  return euros?.available ?? amount(0n, 'EUR')
}

const paidRow = (
  access: Access,
  { id, status, amount: minor, currency, reference, byHand, createdAt }: Payout,
): PaidRow => ({
  id,
  status,
  amount: amount(minor, currency),
  reference,
  byHand,
  createdAt: toWire(createdAt),
  moves: payoutMoves.filter((move) => access.mayDo(`payout.${move}`) && payoutStates.can(status, move)),
  formKey: newFormKey(),
})

export async function payoutPage(
  place: StorefrontPath,
  id: string,
  cookies: string | null,
): Promise<PayoutPage | null> {
  const access = await accessTo(place, 'payouts/[id]', cookies)
  const payout = access && (await findPayout(db(), access.tenant, id))
  if (!access || !payout) return null
  const { tenant } = access
  return {
    payout: paidRow(access, payout),
    finishedAt: payout.finishedAt && toWire(payout.finishedAt),
    iban: await maskedAccountOf(db(), tenant, id),
    month: payout.createdAt.toISOString().slice(0, 7),
    entries: (await entriesOfSubject(db(), tenant, id)).map((entry) => ({
      id: entry.id,
      cause: entry.cause,
      account: entry.account,
      amount: amount(entry.amount, entry.currency),
      createdAt: toWire(entry.createdAt),
    })),
  }
}

export async function submitPayouts(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const intent = values.get('intent')
  const access = await accessToForm(place, 'payouts', intent, cookies)
  if (!access) return null
  const move = payoutMoves.find((each) => each === intent)
  if (move) return submitMove(access, values, move)
  switch (intent) {
    case 'schedule':
      return submitSchedule(access, values)
    case 'request':
    case 'book':
      return submitPayout(access, values, intent)
    default:
      return { redirectTo: `${access.path}/payouts` }
  }
}

async function submitPayout(access: Access, values: URLSearchParams, intent: 'request' | 'book'): Promise<Next> {
  const page = `${access.path}/payouts`
  const typed = (name: string) => (values.get(name) ?? '').trim().slice(0, 100)
  const currency = typed('currency') || 'EUR'
  if (!isCurrency(currency)) return refused(access, { page, values }, invalid('currency', unknownCurrency))
  const reference = typed('reference')
  if (reference !== '' && !/^[\w.:/ -]+$/.test(reference))
    return refused(access, { page, values }, invalid('reference', invalidReference))
  const payout = {
    amount: decimalOf(typed('amount'), currency),
    currency,
    reference: reference || undefined,
  } as const
  const isRequest = intent === 'request'
  const byMerchant = access.role !== null
  type Done = Awaited<ReturnType<typeof createPayout>>
  const done = await onceSaying<Done, string>(
    access,
    values,
    {
      action: isRequest ? 'payout.request' : 'payout.create',
      subject: access.storefront.id,
      path: page,
      content: { ...payout, isRequest },
      after: ({ payoutId, amount, currency, balance, isNew }) => ({ payoutId, amount, currency, balance, isNew }),
      word: ({ isNew }) => (!isNew ? 'bookedBefore' : isRequest ? 'requested' : 'paidOut'),
      check: async () => {
        if (isRequest) refuseAllButEuros(payout)
        if (byMerchant) await refuseToMerchant(db(), access.tenant)
        await checkPayout(access.tenant, payout, !isRequest)
      },
    },
    async (call) => (isRequest ? requestPayout(call, payout, { byMerchant }) : createPayout(call, payout)),
  )
  return done instanceof Refusal ? refused(access, { page, values }, done) : { redirectTo: `${page}?done=${done.word}` }
}

async function submitMove(access: Access, values: URLSearchParams, move: PaidRow['moves'][number]): Promise<Next> {
  const page = `${access.path}/payouts`
  const id = values.get('payout') ?? ''
  const entry = { action: `payout.${move}` as const, subject: id, path: `${page}/${move}`, content: id }
  const refusal = await once(access, values, entry, (call) => movePayout(call, id, move))
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${move}` }
}

async function submitSchedule(access: Access, values: URLSearchParams): Promise<Next> {
  const page = `${access.path}/payouts`
  const name = (values.get('schedule') ?? '').slice(0, 20)
  const check = async () => typedSchedule(name)
  const entry = {
    action: 'payout.schedule',
    subject: access.storefront.id,
    after: (set: ShownSchedule) => set,
    check,
  } as const
  const path = `${page}/schedule`
  const refusal = await once<ShownSchedule>(access, values, { ...entry, path, content: name }, (call) =>
    setSchedule(call, name),
  )
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=schedule` }
}

const unknownCurrency = ruleProblem('listed', { values: currencies.join(', ') })
const invalidReference = ruleProblem('reference_characters')
