import type { OrderPage } from '@/lib/modules/orders/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { type AdminKey, adminText as t } from './text.ts'

export function Refunds({
  page: { order, refunds, refundReasons, recallable, formKey, mayRefund, notRefundable },
  path,
}: {
  page: OrderPage
  path: string
}) {
  return (
    <DataTable
      columns={[
        { label: 'orders.refundId', cell: ({ id }) => <Id id={id} /> },
        { label: 'status', onPhone: 'corner', cell: ({ status }) => <StatusBadge status={status} /> },
        { label: 'orders.total', isAmount: true, cell: ({ total }) => <Money amount={total} /> },
        { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        {
          label: 'chargebacks.creditNote',
          cell: ({ orderId }) => orderId && <a href={`${path}/orders/${orderId}`}>{t('orders.openCreditNote')}</a>,
        },
        {
          label: 'orders.refundReason',
          onPhone: 'bare',
          cell: ({ id }) => refundReasons[id] && <Name>{refundReasons[id]}</Name>,
        },
        {
          label: 'action',
          cell: ({ id, status }) =>
            (status === 'pending' || recallable.includes(id)) &&
            mayRefund && (
              <form action={`${path}/orders/${order.id}/submit`} method="post">
                <input name="key" type="hidden" value={formKey} />
                <input name="refund" type="hidden" value={id} />
                <button
                  className="min-h-6 text-accent underline"
                  name="intent"
                  type="submit"
                  value={status === 'pending' ? 'cancel-refund' : 'recall-refund'}
                >
                  {t(status === 'pending' ? 'orders.cancelRefund' : 'orders.recallRefund')}
                </button>
              </form>
            ),
        },
      ]}
      empty={mayRefund && notRefundable === null ? 'orders.noRefunds' : 'orders.nothingRefunded'}
      keyOf={({ id }) => id}
      label={t('orders.refunds')}
      rows={refunds}
    />
  )
}

export const notRefundableTexts: Readonly<Record<NonNullable<OrderPage['notRefundable']>, AdminKey>> = {
  refund_of_credit_note: 'orders.notRefundable.creditNote',
  refund_of_replacement: 'orders.notRefundable.replacement',
  refund_of_unpaid: 'orders.notRefundable.notPaid',
  refund_of_zero: 'orders.notRefundable.free',
  refunded_in_full: 'orders.notRefundable.nothingLeft',
}
