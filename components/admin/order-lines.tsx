import type { AdminOrder } from '@/lib/modules/orders/page.ts'
import { DataTable } from './data-table.tsx'
import { Money } from './money.tsx'
import { Taxes } from './taxes.tsx'
import { adminText as t } from './text.ts'

type Lines = AdminOrder['lines']

export const soldText = ([first, ...more]: Lines): string | undefined =>
  first && more.length > 0 ? t('orders.andMore', { first: first.description, count: more.length }) : first?.description

export const OrderLines = ({ lines, path }: { lines: Lines; path: string }) => (
  <DataTable
    columns={[
      {
        label: 'orders.item',
        cell: ({ description, productType, productId }) => (
          <a
            className="whitespace-pre-line text-accent underline underline-offset-2"
            href={`${path}/${productType === 'subscription' ? 'subscriptions' : 'catalog'}/${productId}`}
          >
            {description}
          </a>
        ),
      },
      { label: 'orders.quantity', isAmount: true, cell: ({ quantity }) => quantity },
      { label: 'orders.subtotal', isAmount: true, cell: ({ subtotal }) => <Money amount={subtotal} /> },
      { label: 'orders.tax', isAmount: true, onPhone: 'bare', cell: ({ taxes }) => <Taxes taxes={taxes} /> },
      { label: 'orders.total', isAmount: true, onPhone: 'corner', cell: ({ total }) => <Money amount={total} /> },
    ]}
    empty="orders.noLines"
    keyOf={({ id }) => id}
    label={t('orders.lines')}
    rows={lines}
  />
)
