import { type Currency, currencies } from '../../kernel/currencies.ts'
import { invalid } from '../../kernel/refusal.ts'
import { type Command, command } from '../command.ts'
import {
  eitherMode,
  filterOf,
  inMode,
  limit,
  mode,
  month,
  requiredMode,
  scopeOf,
  storefront,
  taxReturnFlags,
} from '../flags.ts'

const payoutFlags = {
  storefront,
  amount: { value: 'AMOUNT', help: 'such as 50.00', required: true },
  currency: { value: 'CURRENCY', help: `one of ${currencies.join(', ')} (EUR)`, oneOf: currencies },
  reference: {
    value: 'REF',
    help: 'such as that of the transfer; with it a payout is made once, unless it was canceled or came back',
  },
  mode: requiredMode,
} as const

const payoutMove = { paid: 'confirm', returned: 'return', canceled: 'cancel' } as const
const ledger = () => import('../../modules/ledger/operations.ts')
const payouts = () => import('../../modules/payouts/operations.ts')
const payoutExports = () => import('../../modules/payouts/export.ts')
const payoutAccounts = () => import('../../modules/payouts/accounts.ts')
const payoutSchedules = () => import('../../modules/payouts/schedule.ts')
const statements = () => import('../../modules/ledger/statement.ts')
const balances = () => import('../../workflows/reconciliation/reconcile.ts')
const figures = () => import('../../modules/figures/operations.ts')
const reconciliation = () => import('../../workflows/reconciliation/daily.ts')

/** The books, their comparison with the providers' books, and payouts. */
export const booksCommands: readonly Command[] = [
  command({
    noun: 'ledger',
    verb: 'balance',
    summary: "Show the balances of a storefront's accounts (debit positive)",
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await ledger()).balance(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'ledger',
    verb: 'entries',
    summary: "List the entries of a storefront's books, newest first",
    flags: { storefront, mode, limit: { value: 'N', help: 'only so many (all)' } },
    run: async ({ storefront, mode, ...filter }) =>
      (await ledger()).listEntries(scopeOf(storefront, mode), filterOf({ mode: undefined, ...filter })),
  }),
  command({
    noun: 'ledger',
    verb: 'reconcile',
    summary: "Compare what a storefront's books say that the payment provider holds with the provider's own",
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await balances()).reconcile(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'ledger',
    verb: 'statement',
    summary: 'Show what a storefront sold, got back, paid and was paid in a month or quarter',
    flags: { storefront, period: month, mode, format: taxReturnFlags.format },
    run: async ({ storefront, period, mode, format }) =>
      format === 'csv'
        ? (await statements()).statementCsv(scopeOf(storefront, mode), period)
        : (await statements()).statementRows(scopeOf(storefront, mode), period),
  }),
  command({
    noun: 'figures',
    verb: 'rebuild',
    summary: 'Derive the daily figures again from events and ledger, and show the figures that differed',
    flags: {
      storefront: { value: 'ID', help: 'one storefront (all)' },
      mode: eitherMode,
    },
    run: async ({ storefront, mode }) => (await figures()).rebuild(storefront, mode),
    lastWord: async (answer) =>
      (await import('../../modules/figures/rules/differences.ts')).verdictOf(answer as object[]),
  }),
  command({
    noun: 'reconciliation',
    verb: 'show',
    summary: 'Show what differs between the books of the providers of live payments and ours, as last compared',
    flags: {},
    run: async () => (await reconciliation()).lastDifferences(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'run',
    summary: 'Compare the last ten days of live payments and the settlements with the books of the providers now',
    flags: {},
    run: async () => (await reconciliation()).reconcileNow(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'settlements',
    summary: 'Show what the providers of live payments paid us in the last weeks: revenue, costs, amount',
    flags: {},
    run: async () => (await reconciliation()).lastSettlements(),
  }),
  command({
    noun: 'payout',
    verb: 'create',
    summary: 'Book money that was transferred to the merchant by hand',
    flags: payoutFlags,
    run: async ({ storefront, amount, currency, reference, mode }) =>
      inMode(mode, async () =>
        (await payouts()).createPayout(scopeOf(storefront, mode), {
          amount,
          currency: currency as Currency | undefined,
          reference,
        }),
      ),
  }),
  command({
    noun: 'payout',
    verb: 'request',
    summary: 'Take money from the balance for the next bank file',
    flags: payoutFlags,
    run: async ({ storefront, amount, currency, reference, mode }) =>
      inMode(mode, async () =>
        (await payouts()).requestPayout(scopeOf(storefront, mode), {
          amount,
          currency: currency as Currency | undefined,
          reference,
        }),
      ),
  }),
  command({
    noun: 'payout',
    verb: 'export',
    summary: 'Write the payouts that were requested into a bank file (SEPA, pain.001), each into one',
    flags: {
      out: { value: 'FILE', help: 'where to write it', required: true },
      batch: { value: 'ID', help: 'a file that was made before' },
      mode: requiredMode,
      storefront: { value: 'ID', help: "in test mode the storefront's id" },
    },
    async run({ out, batch, mode, storefront }) {
      const { exportedBefore, exportPayouts, writeExport } = await payoutExports()
      const scope = { testmode: mode === 'test', storefrontId: storefront ?? null }
      return writeExport(batch === undefined ? await exportPayouts(scope) : await exportedBefore(batch), out)
    },
    lastWord: async (answer) =>
      (answer as { isNew: boolean }).isNew
        ? 'Give it to the bank. `payout mark --batch ID --as paid` says that it was made; until then this file is written again.'
        : 'This file was made before. `payout mark --batch ID --as paid` lets the next one be made.',
  }),
  command({
    noun: 'payout',
    verb: 'list',
    summary: "List a storefront's payouts, newest first",
    flags: { storefront, mode, limit },
    run: async ({ storefront, mode, ...filter }) =>
      (await payouts()).listPayouts(scopeOf(storefront, mode), filterOf({ mode: undefined, ...filter })),
  }),
  command({
    noun: 'payout',
    verb: 'mark',
    summary: 'Say that the bank made a payout or all of a file, or sent one back, or that one is not to be made',
    flags: {
      payout: { value: 'ID', help: "the payout's id" },
      batch: { value: 'ID', help: "or the file's id, for all payouts in it that are not marked yet" },
      as: { value: 'STATUS', help: 'the outcome', required: true, oneOf: ['paid', 'returned', 'canceled'] },
    },
    async run({ payout, batch, as }) {
      if ((payout === undefined) === (batch === undefined)) throw invalid('payout', 'Name a payout or a file.')
      const of = payout === undefined ? { batchId: batch ?? '' } : { payoutId: payout }
      return (await payouts()).movePayoutsTyped(of, payoutMove[as as keyof typeof payoutMove])
    },
  }),
  command({
    noun: 'payout',
    verb: 'schedule',
    summary: 'Show or set the schedule of automatic payouts',
    flags: {
      storefront,
      set: { value: 'SCHEDULE', help: 'manual; week-1 (Monday) to week-7; month-1 to month-28' },
      mode: requiredMode,
    },
    run: async ({ storefront, mode, set }) =>
      inMode(mode, async () =>
        set === undefined
          ? (await payoutSchedules()).payoutSchedule(scopeOf(storefront, mode))
          : (await payoutSchedules()).setScheduleTyped(scopeOf(storefront, mode), set),
      ),
  }),
  command({
    noun: 'payout',
    verb: 'account',
    summary: 'Show where a storefront is paid, and a change of that which is on its way',
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await payoutAccounts()).payoutAccounts(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'payout',
    verb: 'set-account',
    summary: 'Change where a storefront is paid, after the cooling time; the owners are emailed',
    flags: {
      storefront,
      holder: {
        value: 'NAME',
        help: "the account holder, as the bank has it: Latin letters, digits, spaces and / - ? : ( ) . , ' +",
        required: true,
      },
      iban: { value: 'IBAN', help: 'of a SEPA country', required: true },
      bic: { value: 'BIC', help: 'where the bank wants it' },
      mode: requiredMode,
    },
    run: async ({ storefront, mode, ...details }) =>
      inMode(mode, async () => (await payoutAccounts()).changeAccountTyped(scopeOf(storefront, mode), details)),
  }),
  command({
    noun: 'payout',
    verb: 'stop-account-change',
    summary: 'Stop a change of the bank details whose cooling time still runs',
    flags: { storefront, mode: requiredMode },
    run: async ({ storefront, mode }) =>
      inMode(mode, async () => (await payoutAccounts()).stopAccountChangeTyped(scopeOf(storefront, mode))),
  }),
]
