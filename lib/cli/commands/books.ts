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
  amount: { value: 'AMOUNT', help: 'the amount, such as 50.00', required: true },
  currency: { value: 'CURRENCY', help: `one of ${currencies.join(', ')} (default: EUR)`, oneOf: currencies },
  reference: {
    value: 'REF',
    help: 'a reference, such as the reference of the bank transfer; a repeated command with the same reference creates no second payout',
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

const hasDifferences = (answer: unknown) => (answer as readonly object[]).length > 0

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
    flags: { storefront, mode, limit: { value: 'N', help: 'the maximum number of entries (default: all)' } },
    run: async ({ storefront, mode, ...filter }) =>
      (await ledger()).listEntries(scopeOf(storefront, mode), filterOf({ mode: undefined, ...filter })),
  }),
  command({
    noun: 'ledger',
    verb: 'reconcile',
    summary: "Compare a storefront's books with the books of the test provider, in test mode only",
    flags: { storefront, mode },
    async run({ storefront, mode }) {
      if (mode === 'live')
        throw invalid(
          'mode',
          'Must be test. `reconciliation run` compares live payments with the books of their provider.',
        )
      return (await balances()).reconcile(scopeOf(storefront, mode))
    },
  }),
  command({
    noun: 'ledger',
    verb: 'statement',
    summary: 'Show the sales, refunds, disputes, fees and payouts of a storefront in a month, quarter or year',
    flags: { storefront, period: month, mode, format: taxReturnFlags.format },
    run: async ({ storefront, period, mode, format }) =>
      format === 'csv'
        ? (await statements()).statementCsv(scopeOf(storefront, mode), period)
        : (await statements()).statementRows(scopeOf(storefront, mode), period),
  }),
  command({
    noun: 'figures',
    verb: 'rebuild',
    summary: 'Calculate the daily figures again from events and ledger, and show the figures that differed',
    flags: {
      storefront: { value: 'ID', help: 'only this storefront (default: all)' },
      mode: eitherMode,
    },
    run: async ({ storefront, mode }) => (await figures()).rebuild(storefront, mode),
    lastWord: async (answer) =>
      (await import('../../modules/figures/rules/differences.ts')).verdictOf(answer as object[]),
  }),
  command({
    noun: 'reconciliation',
    verb: 'show',
    summary:
      'Show the latest comparison of our books with the books of the live payment providers; exit code 1 if they differ',
    flags: {},
    isBad: hasDifferences,
    run: async () => (await reconciliation()).lastDifferences(),
    lastWord: async () => (await reconciliation()).lastComparisons(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'run',
    summary:
      'Compare the live payments of the last ten days, and the settlements, with the books of the providers now; exit code 1 if they differ',
    flags: {},
    isBad: hasDifferences,
    run: async (_, say) => (await reconciliation()).reconcileNow({ say }),
    lastWord: async () => (await reconciliation()).lastComparisons(),
  }),
  command({
    noun: 'reconciliation',
    verb: 'settlements',
    summary: 'Show the recent settlements of the live payment providers: revenue, costs, and amount',
    flags: {},
    run: async () => (await reconciliation()).lastSettlements(),
  }),
  command({
    noun: 'payout',
    verb: 'create',
    summary: 'Record a payout that was already transferred to the merchant by hand',
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
    summary: 'Request a payout from the balance, for the next bank file',
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
    summary: 'Write the requested payouts to a bank file (SEPA, pain.001); each payout is in one file only',
    flags: {
      out: { value: 'FILE', help: 'the file to write', required: true },
      batch: { value: 'ID', help: 'the id of an earlier bank file, to write the file again' },
      mode: requiredMode,
      storefront: { value: 'ID', help: "the storefront's id, required in test mode and only there" },
    },
    async run({ out, batch, mode, storefront }) {
      const { exportedBefore, exportPayouts, writeExport } = await payoutExports()
      const scope = { testmode: mode === 'test', storefrontId: storefront ?? null }
      return writeExport(batch === undefined ? await exportPayouts(scope) : await exportedBefore(batch), out)
    },
    lastWord: async (answer) =>
      (answer as { isNew: boolean }).isNew
        ? 'Upload the file to the bank. After the bank has paid, run `payout mark --batch ID --as paid`. Until then, this command writes the same file again.'
        : 'This file was already created earlier. After the bank has paid, run `payout mark --batch ID --as paid`. The next export then creates a new file.',
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
    summary: 'Record the outcome of a payout, or of all payouts in a bank file: paid, returned, or canceled',
    flags: {
      payout: { value: 'ID', help: "the payout's id" },
      batch: { value: 'ID', help: 'the id of a bank file, for all its payouts without an outcome; replaces --payout' },
      as: { value: 'STATUS', help: 'the outcome', required: true, oneOf: ['paid', 'returned', 'canceled'] },
    },
    async run({ payout, batch, as }) {
      if ((payout === undefined) === (batch === undefined)) throw invalid('payout', 'Give either --payout or --batch.')
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
      set: { value: 'SCHEDULE', help: 'the new schedule: manual; week-1 (Monday) to week-7; month-1 to month-28' },
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
    summary: "Show the bank account for a storefront's payouts, and a pending change of the account",
    flags: { storefront, mode },
    run: async ({ storefront, mode }) => (await payoutAccounts()).payoutAccounts(scopeOf(storefront, mode)),
  }),
  command({
    noun: 'payout',
    verb: 'set-account',
    summary: "Change the bank account for a storefront's payouts, after the cooling time; the owners get an email",
    flags: {
      storefront,
      holder: {
        value: 'NAME',
        help: "the account holder, as the bank has it: Latin letters, digits, spaces and / - ? : ( ) . , ' +",
        required: true,
      },
      iban: { value: 'IBAN', help: 'the IBAN of an account in a SEPA country', required: true },
      bic: { value: 'BIC', help: 'the BIC, if the bank requires a BIC' },
      mode: requiredMode,
    },
    run: async ({ storefront, mode, ...details }) =>
      inMode(mode, async () => (await payoutAccounts()).changeAccountTyped(scopeOf(storefront, mode), details)),
  }),
  command({
    noun: 'payout',
    verb: 'stop-account-change',
    summary: 'Cancel a change of the bank account before the end of the cooling time',
    flags: { storefront, mode: requiredMode },
    run: async ({ storefront, mode }) =>
      inMode(mode, async () => (await payoutAccounts()).stopAccountChangeTyped(scopeOf(storefront, mode))),
  }),
]
