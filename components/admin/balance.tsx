import { money } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { BalancePage } from '@/lib/modules/ledger/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Heading, OtherProblems, type Outcome, OutcomeNotice, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** What a storefront and mode is owed, and every movement of its money. */
export function Balance({ page, path, outcome }: { page: BalancePage; path: string; outcome: Outcome }) {
  const { owed, held, holdDays, months, accounts, entries, payout } = page
  return (
    <>
      <OutcomeNotice {...outcome} texts={{ paidOut: 'balance.done.paidOut' }} />
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
      {held.map((each) => (
        <p className="text-note text-soft" key={each.currency}>
          {t('balance.held', { amount: money(each, 'en'), days: holdDays })}
        </p>
      ))}
      <p className="mt-2">
        <a className="text-accent underline underline-offset-2" href={`${path}/balance/account`}>
          {t('balance.bankAccount.link')}
        </a>
      </p>
      {payout && <PayoutForm action={`${path}/balance/submit`} currencies={owed} payout={payout} />}
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

interface PayoutFormProps {
  action: string
  currencies: BalancePage['owed']
  payout: NonNullable<BalancePage['payout']>
}

/** Books what was transferred by hand: the reference keeps it from being booked twice. */
function PayoutForm({ action, currencies, payout: { amount, reference, problems, formKey } }: PayoutFormProps) {
  return (
    <details className="mt-4" open={Object.keys(problems).length > 0}>
      <summary className="min-h-6 text-accent underline underline-offset-2">{t('balance.payout')}</summary>
      <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
        <input name="key" type="hidden" value={formKey} />
        <OtherProblems fields={['amount', 'reference', 'code']} problems={problems} />
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
        <SelectField label={t('balance.currency')} name="currency">
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
        <Field
          autoComplete="one-time-code"
          error={problems.code}
          hint={t('balance.codeHint')}
          inputMode="numeric"
          label={t('secondFactor.code')}
          maxLength={30}
          name="code"
          required
        />
        <p>
          <button className={secondaryButton} type="submit">
            {t('balance.book')}
          </button>
        </p>
      </form>
    </details>
  )
}
