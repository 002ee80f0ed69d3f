import type { ReactNode } from 'react'
import { linkButton } from '@/components/ui/button.ts'
import type { StatementPage } from '@/lib/modules/ledger/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { Money } from './money.tsx'
import { Heading } from './page-parts.tsx'
import { periodName } from './period-name.ts'
import { adminText as t } from './text.ts'

export function Statement({ page }: { page: StatementPage }) {
  return (
    <>
      <Heading note={page.storefrontName}>{t('balance.statement.title', { period: periodName(page.period) })}</Heading>
      {!page.isFinal && <p className="mt-2 text-soft">{t('balance.statement.provisional')}</p>}
      <p className="mt-2 text-note text-soft">{t('balance.statement.signs')}</p>
      {page.statements.length === 0 && <p className="mt-4 text-soft">{t('balance.statement.nothing')}</p>}
      {page.statements.map((statement) => (
        <section aria-labelledby={statement.currency} className="mt-8" key={statement.currency}>
          <h2 className="font-semibold text-lead" id={statement.currency}>
            {statement.currency}
          </h2>
          <DataTable
            columns={[
              { label: 'balance.statement.item', cell: ({ item }) => item },
              { label: 'balance.statement.count', isAmount: true, cell: ({ count }) => count },
              { label: 'balance.statement.buyers', isAmount: true, cell: ({ buyers }) => buyers },
              { label: 'balance.statement.taxes', isAmount: true, cell: ({ taxes }) => taxes },
              { label: 'balance.statement.fees', isAmount: true, cell: ({ fees }) => fees },
              { label: 'balance.statement.balance', isAmount: true, onPhone: 'corner', cell: ({ balance }) => balance },
            ]}
            empty="balance.statement.nothing"
            keyOf={({ key }) => key}
            label={statement.currency}
            rows={rowsOf(statement)}
          />
        </section>
      ))}
      {page.pdfUrl && (
        <form action={page.pdfUrl} className="mt-4 flex justify-end" method="post">
          <button className={linkButton} type="submit">
            {t('balance.statement.pdf')}
          </button>
        </form>
      )}
      {page.exportUrl && <Pager exportUrl={page.exportUrl} newerUrl={null} olderUrl={null} />}
    </>
  )
}

interface Row {
  key: string
  item: string
  balance: ReactNode
  count?: number
  buyers?: ReactNode
  taxes?: ReactNode
  fees?: ReactNode
}

function rowsOf({ opening, lines, closing }: StatementPage['statements'][number]): Row[] {
  return [
    { key: 'opening', item: t('balance.statement.opening'), balance: <Money amount={opening} /> },
    ...lines.map(({ kind, count, buyers, taxes, fees, balance }) => ({
      key: kind,
      item: t(`balance.statement.kinds.${kind}`),
      count,
      balance: <Money amount={balance} />,
      ...(kind !== 'payout' && {
        buyers: <Money amount={buyers} />,
        taxes: <Money amount={taxes} />,
        fees: <Money amount={fees} />,
      }),
    })),
    { key: 'closing', item: t('balance.statement.closing'), balance: <Money amount={closing} /> },
  ]
}
