import { monthsFrom } from '../../kernel/calendar-period.ts'
import { currencies, isCurrency } from '../../kernel/currencies.ts'
import { toWire } from '../../kernel/moment.ts'
import { amount } from '../../kernel/money.ts'
import { invalid } from '../../kernel/refusal.ts'
import type { BalancePage, LedgerRow } from '../../modules/ledger/page.ts'
import { balancesOf, firstPostingAt, type LedgerEntry, pageOfEntries } from '../../modules/ledger/store.ts'
import { confirmsCode } from '../../modules/operators/hosted.ts'
import { checkPayout, createPayout } from '../../modules/payouts/operations.ts'
import { heldOf } from '../../modules/payouts/release.ts'
import { now as timeOf } from '../../platform/clock/clock.ts'
import { config } from '../../platform/config.ts'
import { db } from '../../platform/db/db.ts'
import { accessTo, type Place } from './access.ts'
import { newFormKey, once, refused, wrongCode } from './act.ts'
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
  ...{ id, subjectId, orderId, cause, account, amount: amount(moved, currency), createdAt: toWire(createdAt) },
})

/** Older statements are had from the command line. */
const mostMonths = 24

/** What a storefront and mode is owed, the sums of its accounts, and the entries that make them, newest first. */
export async function balancePage(
  place: Place,
  parameters: ListParameters,
  cookies: string | null,
): Promise<BalancePage | null> {
  const access = await accessTo(place, 'balance.read', cookies)
  if (!access) return null
  const { tenant, path } = access
  const sums = await balancesOf(db(), tenant)
  const owed = sums.filter(({ account }) => account === 'merchant_balance')
  const now = await timeOf(db(), tenant)
  const held = []
  for (const { currency } of owed) held.push(amount(await heldOf(db(), tenant, currency, now), currency))
  const first = await firstPostingAt(db(), tenant)
  const { typed, problems } = formState(access, parameters.form ?? null, cookies)
  const payout = { amount: typed.amount ?? '', reference: typed.reference ?? '', problems, formKey: newFormKey() }
  return {
    // A credit of the account is what we owe the merchant.
    owed: owed.map((each) => amount(-each.amount, each.currency)),
    held: held.filter(({ value }) => value !== '0.00'),
    holdDays: config().payoutHoldDays,
    months: first ? monthsFrom(first, now, mostMonths) : [],
    accounts: sums.map((each) => ({ account: each.account, amount: amount(each.amount, each.currency) })),
    entries: {
      ...(await adminList(`${path}/balance`, parameters, (query) => pageOfEntries(db(), tenant, query), ledgerRow)),
      ...exportOf(access, 'balance'),
    },
    payout: access.may('payouts.create') && owed.length > 0 ? payout : null,
  }
}

/**
 * Books a payout that was made, at most what the merchant is owed. For the service's own staff, who give a code of their
 * second factor with it.
 */
export async function submitPayout(
  place: Place,
  values: URLSearchParams,
  cookies: string | null,
): Promise<Next | null> {
  const access = await accessTo(place, 'payouts.create', cookies)
  if (!access) return null
  const page = `${access.path}/balance`
  const typed = (name: string) => (values.get(name) ?? '').trim().slice(0, 100)
  const currency = typed('currency')
  if (!isCurrency(currency)) return refused(access, { page, values }, invalid('currency', unknownCurrency))
  const [value, reference] = [typed('amount').replace(',', '.'), typed('reference')]
  if (reference !== '' && !/^[\w.:/ -]+$/.test(reference))
    return refused(access, { page, values }, invalid('reference', invalidReference))
  const payout = { amount: value, currency, reference: reference || undefined } as const
  type Payout = Awaited<ReturnType<typeof createPayout>>
  const refusal = await once<Payout>(
    access,
    values.get('key'),
    {
      ...{ action: 'payout.create', subject: access.storefront.id, path: page, content: payout },
      after: ({ payoutId, amount, currency, balance }) => ({ payoutId, amount, currency, balance }),
    },
    async (call) => {
      // A code works once: it is not spent on an amount that is refused.
      await checkPayout(access.tenant, payout)
      if (!(await confirmsCode(typed('code'), cookies))) throw invalid('code', wrongCode)
      return createPayout(call, payout)
    },
  )
  return refusal ? refused(access, { page, values }, refusal) : { redirectTo: `${page}?done=paidOut` }
}

const unknownCurrency = `Must be one of ${currencies.join(', ')}.`
const invalidReference = 'Must have at most 100 letters, digits, blanks, and . : / _ -'
