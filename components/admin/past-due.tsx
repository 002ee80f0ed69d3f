import type { PastDuePage } from '@/lib/modules/recovery/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** The failed payments that the service still tries to collect. */
export const PastDue = ({ list }: { list: PastDuePage }) => (
  <>
    <Heading note={t('pastDue.text')}>{t('storefront.nav.past-due')}</Heading>
    <DataTable
      columns={[
        { label: 'pastDue.customer', cell: ({ url, customer }) => <RowLink href={url} text={customer} /> },
        { label: 'pastDue.amount', isAmount: true, onPhone: 'corner', cell: ({ amount }) => <Money amount={amount} /> },
        { label: 'pastDue.reason', onPhone: 'bare', cell: ({ reason }) => t(`attempts.reasons.${reason}`) },
        { label: 'pastDue.attempts', cell: ({ attempts }) => t('pastDue.attemptsOf', attempts) },
        {
          label: 'pastDue.nextAttempt',
          cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Moment at={nextAttemptAt} /> : t('pastDue.newMethod')),
        },
        { label: 'pastDue.writtenOff', cell: ({ writtenOffAt }) => writtenOffAt && <Moment at={writtenOffAt} /> },
        {
          label: 'pastDue.subscription',
          onPhone: 'bare',
          cell: ({ subscriptionUrl }) =>
            subscriptionUrl && <a href={subscriptionUrl}>{t('pastDue.openSubscription')}</a>,
        },
      ]}
      empty="pastDue.empty"
      keyOf={({ id }) => id}
      label={t('storefront.nav.past-due')}
      rows={list.rows}
    />
    <Pager {...list} />
  </>
)
