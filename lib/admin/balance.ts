import { monthsFrom } from '../kernel/calendar-period.ts'
import { currencies, isCurrency } from '../kernel/currencies.ts'
import { toWire } from '../kernel/moment.ts'
import { amount } from '../kernel/money.ts'
import { invalid, Refusal } from '../kernel/refusal.ts'
import type { BalancePage, LedgerRow } from '../modules/ledger/page.ts'
import { balancesOf, firstPostingAt, type LedgerEntry, pageOfEntries } from '../modules/ledger/store.ts'
import {
  checkPayout,
  createPayout,
  movePayout,
  refuseAllButEuros,
  requestPayout,
} from '../modules/payouts/operations.ts'
import type { PaidRow } from '../modules/payouts/page.ts'
import { withheldFrom } from '../modules/payouts/release.ts'
import { releasedOf } from '../modules/payouts/rules/release.ts'
import { payoutMoves, payoutStates } from '../modules/payouts/rules/state.ts'
import { newestPayouts } from '../modules/payouts/store.ts'
import { now as timeOf } from '../platform/clock/clock.ts'
import { config } from '../platform/config.ts'
import { db } from '../platform/db/db.ts'
import { type Access, accessTo, accessToForm, type StorefrontPath } from './access.ts'
import { newFormKey, once, onceSaying, refused } from './act.ts'
import { exportOf } from './export.ts'
import { formState, type Next } from './form-state.ts'
import { adminList, type ListParameters } from './list.ts'

const ledgerRow = ({
  id,
  subjectId,
  orderId,
  cause,
  account,
  currency,
  amount: moved,
  createdAt,
}: LedgerEntry): LedgerRow => ({
  id,
  subjectId,
  orderId,
  cause,
  account,
  amount: amount(moved, currency),
  createdAt: toWire(createdAt),
})

/** The command line has older statements. */
const mostMonths = 24

/** The balance of a storefront and mode, the sums of its accounts, and their entries, newest first. */
export async function balancePage(
  place: StorefrontPath,
  parameters: ListParameters,
  cookies: string | null,
): Promise<BalancePage | null> {
  const access = await accessTo(place, 'balance', cookies)
  if (!access) return null
  const { tenant, path } = access
  const sums = await balancesOf(db(), tenant)
  const owed = sums.filter(({ account }) => account === 'merchant_balance')
  const now = await timeOf(db(), tenant)
  const first = await firstPostingAt(db(), tenant)
  const { typed, problems } = formState(access, parameters.form ?? null, cookies)
  const payout = { amount: typed.amount ?? '', reference: typed.reference ?? '', problems, formKey: newFormKey() }
  return {
    // A credit of the account is what we owe the merchant.
    owed: owed.map((each) => amount(-each.amount, each.currency)),
    withheld: await withheldOf(access, owed, now),
    holdDays: config().payoutHoldDays,
    reserveDays: config().payoutReserve.days,
    payouts: await paidRows(access),
    ...payoutsFile(access),
    months: first ? monthsFrom(first, now, mostMonths) : [],
    accounts: sums.map((each) => ({ account: each.account, amount: amount(each.amount, each.currency) })),
    entries: {
      ...(await adminList(`${path}/balance`, parameters, (query, sql) => pageOfEntries(sql, tenant, query), ledgerRow)),
      ...exportOf(access, 'balance'),
    },
    payout: access.mayDo('payout.create') && owed.length > 0 ? payout : null,
  }
}

const payoutsFile = (access: Access) => {
  const { exportUrl } = exportOf(access, 'payouts')
  return exportUrl ? { payoutsExportUrl: exportUrl } : {}
}

/** The withheld parts of each balance that has such parts. */
async function withheldOf({ tenant }: Access, owed: Awaited<ReturnType<typeof balancesOf>>, now: Date) {
  const rows: BalancePage['withheld'][number][] = []
  for (const { currency, amount: sum } of owed) {
    const withheld = await withheldFrom(db(), tenant, currency, now)
    const { held, reserve, disputed } = withheld
    if (held + reserve + disputed === 0n) continue
    const money = (minor: bigint) => amount(minor, currency)
    const released = money(releasedOf(-sum, withheld))
    rows.push({ currency, held: money(held), reserve: money(reserve), disputed: money(disputed), released })
  }
  return rows
}

/** The command line has older payouts. */
const mostPayouts = 20

async function paidRows(access: Access): Promise<PaidRow[]> {
  const mayMove = access.mayDo('payout.confirm')
  return (await newestPayouts(db(), access.tenant, mostPayouts)).map(
    ({ id, status, amount: minor, currency, reference, byHand, createdAt }) => ({
      id,
      status,
      amount: amount(minor, currency),
      reference,
      byHand,
      createdAt: toWire(createdAt),
      moves: mayMove ? payoutMoves.filter((move) => payoutStates.can(status, move)) : [],
      formKey: newFormKey(),
    }),
  )
}

/**
 * Books a completed payout, requests a payout for the next bank file (at most the released amount), or records the
 * outcome of a payout. For the service's own staff.
 */
export async function submitPayout(
  place: StorefrontPath,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessToForm(place, 'balance', values.get('intent'), cookies)
  if (!access) return null
  const move = payoutMoves.find((each) => each === values.get('intent'))
  if (move) return submitMove(access, values, move)
  const page = `${access.path}/balance`
  const typed = (name: string) => (values.get(name) ?? '').trim().slice(0, 100)
  const currency = typed('currency')
  if (!isCurrency(currency)) return refused(access, { page, values }, invalid('currency', unknownCurrency))
  const [value, reference] = [typed('amount').replace(',', '.'), typed('reference')]
  if (reference !== '' && !/^[\w.:/ -]+$/.test(reference))
    return refused(access, { page, values }, invalid('reference', invalidReference))
  const payout = { amount: value, currency, reference: reference || undefined } as const
  const isRequest = values.get('intent') === 'request'
  type Payout = Awaited<ReturnType<typeof createPayout>>
  const done = await onceSaying<Payout, string>(
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
        await checkPayout(access.tenant, payout, !isRequest)
      },
    },
    async (call) => (isRequest ? requestPayout(call, payout) : createPayout(call, payout)),
  )
  return done instanceof Refusal ? refused(access, { page, values }, done) : { redirectTo: `${page}?done=${done.word}` }
}

/** Records that the bank made or returned a payout, or that the payout is canceled. */
async function submitMove(access: Access, values: URLSearchParams, move: PaidRow['moves'][number]): Promise<Next> {
  const page = `${access.path}/balance`
  const id = values.get('payout') ?? ''
  const entry = { action: `payout.${move}` as const, subject: id, path: `${page}/${move}`, content: id }
  const refusal = await once(access, values, entry, (call) => movePayout(call, id, move))
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=${move}` }
}

const unknownCurrency = `Must be one of ${currencies.join(', ')}.`
const invalidReference = 'Must have at most 100 letters, digits, blanks, and . : / _ -'
