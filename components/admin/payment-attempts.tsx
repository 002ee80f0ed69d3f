import type { PaymentAttempt } from '@/lib/modules/orders/page.ts'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { adminText as t } from './text.ts'

export const PaymentAttempts = ({ attempts }: { attempts: readonly PaymentAttempt[] }) => (
  <DataTable
    columns={[
      { label: 'attempts.payment', cell: ({ id }) => <Id id={id} /> },
      { label: 'orders.paymentMethod', cell: ({ method }) => t(`methods.${method}`) },
      { label: 'attempts.amount', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
      { label: 'status', cell: outcomeOf },
      { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
      { label: 'attempts.finished', cell: ({ finishedAt }) => finishedAt && <Moment at={finishedAt} /> },
    ]}
    empty="attempts.none"
    keyOf={({ id }) => id}
    label={t('orders.attempts')}
    rows={attempts}
  />
)

export const outcomeOf = ({ status, failureReason }: PaymentAttempt): string =>
  failureReason === null
    ? t(`attempts.states.${status}`)
    : `${t(`attempts.states.${status}`)}: ${t(`attempts.reasons.${failureReason}`)}`
