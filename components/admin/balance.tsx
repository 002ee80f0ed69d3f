import type { BalancePage } from '@/lib/modules/ledger/page.ts'
import { causeText } from './cause.ts'
import { DataTable, Pager } from './data-table.tsx'
import { NamedLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Heading, Section } from './page-parts.tsx'
import { periodName } from './period-name.ts'
import { adminText as t } from './text.ts'

export function Balance({ page, path }: { page: BalancePage; path: string }) {
  const { owed, months, accounts, entries } = page
  return (
    <>
      <Heading>{t('storefront.nav.balance')}</Heading>
      <p className="mt-2 font-semibold text-title">
        {owed.length === 0
          ? t('storefront.nothing')
          : owed.map((each) => (
              <span className="block" key={each.currency}>
                <Money amount={each} />
              </span>
            ))}
      </p>
      <p className="mt-2 flex flex-wrap gap-x-5">
        <a className="text-accent underline underline-offset-2" href={`${path}/payouts`}>
          {t('balance.payouts.heading')}
        </a>
        <a className="text-accent underline underline-offset-2" href={`${path}/balance/account`}>
          {t('balance.bankAccount.link')}
        </a>
      </p>
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
                  {periodName(month)}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section id="accounts" label="balance.accounts">
        <p className="text-note text-soft">{t('balance.accountsText')}</p>
        <DataTable
          columns={[
            { label: 'balance.account', cell: ({ account }) => t(`balance.names.${account}`) },
            {
              label: 'balance.sum',
              isAmount: true,
              onPhone: 'corner',
              cell: ({ amount }) => <Money amount={amount} />,
            },
          ]}
          empty="storefront.nothing"
          keyOf={({ account, amount }) => `${account} ${amount.currency}`}
          label={t('balance.accounts')}
          rows={accounts}
        />
      </Section>
      <Section id="entries" label="balance.entries">
        <DataTable
          columns={[
            { label: 'balance.cause', cell: ({ cause }) => causeText(cause) },
            {
              label: 'balance.of',
              cell: ({ orderId, subjectId, invoiceNumber }) => (
                <NamedLink
                  href={orderId ? `${path}/orders/${orderId}` : `${path}/payouts/${subjectId}`}
                  kind={t(orderId ? 'orders.order' : 'balance.causes.payout_created')}
                  of={{ id: subjectId, name: invoiceNumber }}
                />
              ),
            },
            { label: 'balance.account', cell: ({ account }) => t(`balance.names.${account}`) },
            {
              label: 'balance.amount',
              isAmount: true,
              onPhone: 'corner',
              cell: ({ amount }) => <Money amount={amount} />,
            },
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
