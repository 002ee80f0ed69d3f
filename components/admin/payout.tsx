import type { ReactNode } from 'react'
import { money } from '@/components/format.ts'
import { linkButton } from '@/components/ui/button.ts'
import type { PaidRow, PayoutPage } from '@/lib/modules/payouts/page.ts'
import { StatusBadge } from './badges.tsx'
import { causeText } from './cause.ts'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Facts, Heading, Section } from './page-parts.tsx'
import { periodName } from './period-name.ts'
import { adminLocale, adminText as t } from './text.ts'

export const Status = ({ row: { status } }: { row: PaidRow }) => (
  <StatusBadge status={status} text={t(`balance.payouts.statuses.${status}`)} />
)

export const Moves = ({ row: { id, amount, moves, formKey }, action }: { row: PaidRow; action: string }) =>
  moves.length > 0 && (
    <form action={action} className="relative z-10 flex flex-wrap gap-x-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      <input name="payout" type="hidden" value={id} />
      {moves.map((move) => (
        <button className={linkButton} key={move} name="intent" type="submit" value={move}>
          {t(`balance.payouts.moves.${move}`, { amount: money(amount, adminLocale()) })}
        </button>
      ))}
    </form>
  )

export function Payout({ page, path }: { page: PayoutPage; path: string }) {
  const { payout, finishedAt, iban, month, entries } = page
  const facts: [Parameters<typeof Facts>[0]['facts'][number][0], ReactNode][] = [
    ['status', <Status key="status" row={payout} />],
    ['balance.payouts.way', t(`balance.payouts.${payout.byHand ? 'byHand' : 'byFile'}`)],
    ['balance.reference', payout.reference],
    ['balance.bankAccount.link', iban],
    ['created', <Moment at={payout.createdAt} key="created" />],
    ['payouts.finished', finishedAt && <Moment at={finishedAt} key="finished" />],
    [
      'payouts.statement',
      <a href={`${path}/balance/statements/${month}`} key="statement">
        {t('balance.statement.title', { period: periodName(month) })}
      </a>,
    ],
  ]
  return (
    <>
      <p className="text-note">
        <a href={`${path}/payouts`}>{t('balance.payouts.heading')}</a>
      </p>
      <Heading note={<Id id={payout.id} />}>
        {t('payouts.payout', { amount: money(payout.amount, adminLocale()) })}
      </Heading>
      <Facts facts={facts} />
      <div className="mt-4">
        <Moves action={`${path}/payouts/submit`} row={payout} />
      </div>
      <Section id="entries" label="balance.entries">
        <p className="text-note text-soft">{t('balance.accountsText')}</p>
        <DataTable
          columns={[
            { label: 'balance.account', cell: ({ account }) => t(`balance.names.${account}`) },
            { label: 'balance.cause', cell: ({ cause }) => causeText(cause) },
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
          rows={entries}
        />
      </Section>
    </>
  )
}
