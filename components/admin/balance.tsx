import { money } from '@/components/format.ts'
import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { BalancePage } from '@/lib/modules/ledger/page.ts'
import { CodeField } from './code-field.tsx'
import { type Column, DataTable, Export, Pager } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

const done = {
  paidOut: 'balance.done.paidOut',
  requested: 'balance.done.requested',
  bookedBefore: 'balance.done.bookedBefore',
  confirm: 'balance.done.confirm',
  return: 'balance.done.return',
  cancel: 'balance.done.cancel',
} as const

/** The balance of a storefront and mode, and its ledger entries. */
export function Balance({ page, path, outcome }: { page: BalancePage; path: string; outcome: FormResult }) {
  const { owed, months, accounts, entries, payout } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {payout && (
        <FormProblems
          form="payout"
          labels={{
            amount: t('balance.amount'),
            currency: t('balance.currency'),
            reference: t('balance.reference'),
            code: t('secondFactor.code'),
          }}
          problems={payout.problems}
        />
      )}
      <Heading>{t('storefront.nav.balance')}</Heading>
      <p className="mt-2 text-soft">{t('storefront.balance')}</p>
      <p className="font-semibold text-title">
        {owed.length === 0
          ? t('storefront.nothing')
          : owed.map((each) => (
              <span className="block" key={each.currency}>
                <Money amount={each} />
              </span>
            ))}
      </p>
      <Withheld page={page} />
      <p className="mt-2">
        <a className="text-accent underline underline-offset-2" href={`${path}/balance/account`}>
          {t('balance.bankAccount.link')}
        </a>
      </p>
      {payout && <PayoutForm action={`${path}/balance/submit`} currencies={owed} payout={payout} />}
      <Payouts action={`${path}/balance/submit`} exportUrl={page.payoutsExportUrl} payouts={page.payouts} />
      <Section id="accounts" label="balance.accounts">
        <p className="text-note text-soft">{t('balance.accountsText')}</p>
        <DataTable
          columns={[
            { label: 'balance.account', cell: ({ account }) => t(`balance.names.${account}`) },
            { label: 'balance.sum', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
          ]}
          empty="storefront.nothing"
          keyOf={({ account, amount }) => `${account} ${amount.currency}`}
          label={t('balance.accounts')}
          rows={accounts}
        />
      </Section>
      {months.length > 0 && (
        <Section id="statements" label="balance.statements">
          <p className="text-note text-soft">{t('balance.statementsText')}</p>
          <ul className="mt-4 flex flex-wrap gap-x-5 gap-y-2">
            {months.map((month) => (
              <li key={month}>
                <a
                  className="inline-block min-h-6 text-accent underline underline-offset-2"
                  href={`${path}/balance/statements/${month}`}
                >
                  {month}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="entries" label="balance.entries">
        <DataTable
          columns={[
            { label: 'balance.cause', cell: ({ cause }) => cause },
            {
              label: 'balance.of',
              cell: ({ orderId, subjectId }) =>
                orderId ? <a href={`${path}/orders/${orderId}`}>{subjectId}</a> : subjectId,
            },
            { label: 'balance.account', cell: ({ account }) => t(`balance.names.${account}`) },
            { label: 'balance.amount', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
            { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          ]}
          empty="storefront.nothing"
          keyOf={({ id }) => id}
          label={t('balance.entries')}
          rows={entries.rows}
        />
        <Pager {...entries} />
      </Section>
    </>
  )
}

/** The parts of the balance that are not paid out yet, with the reasons. */
const Withheld = ({ page: { withheld, holdDays, reserveDays } }: { page: BalancePage }) =>
  withheld.map(({ currency, held, reserve, disputed, released }) => (
    <ul className="text-note text-soft" key={currency}>
      {held.value !== '0.00' && <li>{t('balance.held', { amount: money(held, adminLocale()), days: holdDays })}</li>}
      {reserve.value !== '0.00' && (
        <li>{t('balance.reserve', { amount: money(reserve, adminLocale()), days: reserveDays })}</li>
      )}
      {disputed.value !== '0.00' && <li>{t('balance.disputed', { amount: money(disputed, adminLocale()) })}</li>}
      <li>{t('balance.released', { amount: money(released, adminLocale()) })}</li>
    </ul>
  ))

interface PayoutsProps {
  payouts: BalancePage['payouts']
  action: string
  exportUrl: string | undefined
}

/** The newest payouts. Staff can record their outcomes. */
function Payouts({ payouts, action, exportUrl }: PayoutsProps) {
  const columns: [Column<BalancePage['payouts'][number]>, ...Column<BalancePage['payouts'][number]>[]] = [
    { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { label: 'balance.amount', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
    { label: 'balance.payouts.way', cell: ({ byHand }) => t(`balance.payouts.${byHand ? 'byHand' : 'byFile'}`) },
    { label: 'balance.reference', cell: ({ reference }) => reference },
    { label: 'balance.payouts.what', cell: ({ status }) => t(`balance.payouts.statuses.${status}`) },
  ]
  if (payouts.some(({ moves }) => moves.length > 0))
    columns.push({
      label: 'balance.payouts.mark',
      cell: ({ id, amount, moves, formKey }) =>
        moves.length > 0 && (
          <form action={action} className="flex flex-wrap gap-x-4" method="post">
            <input name="key" type="hidden" value={formKey} />
            <input name="payout" type="hidden" value={id} />
            {moves.map((move) => (
              <button className={linkButton} key={move} name="intent" type="submit" value={move}>
                {t(`balance.payouts.moves.${move}`, { amount: money(amount, adminLocale()) })}
              </button>
            ))}
          </form>
        ),
    })
  return (
    <Section id="payouts" label="balance.payouts.heading">
      <DataTable
        columns={columns}
        empty="balance.payouts.empty"
        keyOf={({ id }) => id}
        label={t('balance.payouts.heading')}
        rows={payouts}
      />
      <div className="mt-4">
        <Export exportUrl={exportUrl} />
      </div>
    </Section>
  )
}

interface PayoutFormProps {
  action: string
  currencies: BalancePage['owed']
  payout: NonNullable<BalancePage['payout']>
}

/** Books a manual transfer, or requests a payout by bank file. The reference prevents a second payout. */
function PayoutForm({ action, currencies, payout: { amount, reference, problems, formKey } }: PayoutFormProps) {
  return (
    <details className="mt-4" id="payout" open={Object.keys(problems).length > 0}>
      <summary className="min-h-6 text-accent underline underline-offset-2">{t('balance.payout')}</summary>
      <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
        <input name="key" type="hidden" value={formKey} />
        <Field
          autoComplete="off"
          defaultValue={amount}
          error={problems.amount}
          hint={t('balance.amountHint')}
          inputMode="decimal"
          label={t('balance.amount')}
          maxLength={20}
          name="amount"
          required
        />
        <SelectField error={problems.currency} label={t('balance.currency')} name="currency">
          {currencies.map(({ currency }) => (
            <option key={currency}>{currency}</option>
          ))}
        </SelectField>
        <Field
          autoComplete="off"
          defaultValue={reference}
          error={problems.reference}
          hint={t('balance.referenceHint')}
          label={t('balance.reference')}
          maxLength={100}
          name="reference"
          required
        />
        <CodeField error={problems.code} hint={t('balance.codeHint')} />
        <p className="flex flex-wrap gap-4">
          <button className={secondaryButton} name="intent" type="submit" value="book">
            {t('balance.book')}
          </button>
          <button className={secondaryButton} name="intent" type="submit" value="request">
            {t('balance.request')}
          </button>
        </p>
      </form>
    </details>
  )
}
