import type { OrderPage } from '@/lib/modules/orders/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { adminText as t } from './text.ts'

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

/** Why an order cannot be refunded. The texts follow the rule in `refunds/rules/request.ts`. */
export function notRefundableText({ creditedOrderId, replacesOrderId, status, total }: OrderPage['order']): string {
  if (creditedOrderId !== null) return t('orders.notRefundable.creditNote')
  if (replacesOrderId !== null) return t('orders.notRefundable.replacement')
  if (status !== 'paid') return t('orders.notRefundable.notPaid')
  return t(Number(total.value) === 0 ? 'orders.notRefundable.free' : 'orders.notRefundable.nothingLeft')
}
