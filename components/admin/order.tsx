import type { ReactNode } from 'react'
import { day } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import type { OrderLink, OrderPage, PaymentAttempt } from '@/lib/modules/orders/page.ts'
import { OrderBadge } from './badges.tsx'
import { addressOf, metadataOf } from './billing-facts.tsx'
import { Breakable } from './breakable.tsx'
import { ChargebackTable } from './chargebacks.tsx'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { DeliveriesAbout } from './deliveries.tsx'
import { EmailTable } from './emails.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { OrderLines } from './order-lines.tsx'
import { Card, Detail, Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { PastDueOrder } from './past-due.tsx'
import { PaymentAttempts } from './payment-attempts.tsx'
import { RefundForm } from './refund.tsx'
import { notRefundableTexts, Refunds } from './refunds.tsx'
import { Taxes } from './taxes.tsx'
import { type AdminKey, adminLocale, adminText as t } from './text.ts'
import { UnpaidChange } from './unpaid-change.tsx'

export function Order({ page, path, outcome }: { page: OrderPage; path: string; outcome: FormResult }) {
  const { order, emails } = page
  const { total, subtotal, taxSummary } = order
  return (
    <>
      <FormResultNotice
        {...outcome}
        texts={{
          refunded: 'orders.refundCreated',
          refundCanceled: 'orders.refundCanceled',
          refundRecalled: 'orders.refundRecalled',
          changeUndone: 'orders.changeUndone',
          ...pastDueTexts,
          ...customerLinkTexts,
        }}
      />
      <p className="text-note">
        <a href={`${path}/orders`}>{t('orders.heading')}</a>
      </p>
      <Heading badge={<OrderBadge order={order} />} note={<Id id={order.id} />}>
        {order.invoiceNumber ?? t('orders.order')}
      </Heading>
      <Detail side={<Side page={page} path={path} />}>
        <Section id="lines" label="orders.lines">
          <OrderLines lines={order.lines} path={path} />
          <Facts
            facts={[
              ['orders.subtotal', <Money amount={subtotal} key="subtotal" />],
              ['orders.tax', <Taxes key="tax" taxes={taxSummary} />],
              ['orders.total', <Money amount={total} key="total" />],
              ['orders.reversed', page.isSale ? <Money amount={order.reversedSubtotal} key="reversed" /> : null],
              ['orders.refundable', page.isSale ? <Money amount={order.refundableSubtotal} key="refundable" /> : null],
            ]}
          />
        </Section>
        {page.evidenceUrl && (
          <form action={page.evidenceUrl} className="mt-4" method="post">
            <button className={secondaryButton} type="submit">
              {t('orders.evidence')}
            </button>
          </form>
        )}
        {page.declared.length > 0 && (
          <Section id="withdrawal" label="orders.declared">
            {page.declared.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: declarations are only added
              <Declared declared={each} key={index} />
            ))}
            <p className="mt-2 max-w-xl text-note text-soft">{t('orders.declaredHint')}</p>
            <LaterPayments payments={page.laterPayments} path={path} />
          </Section>
        )}
        {page.pastDue && <PastDueOrder row={page.pastDue} />}
        {page.mayUndo && <UnpaidChange formKey={page.formKey} orderUrl={`${path}/orders/${order.id}`} />}
        <Section id="refund" label="orders.refund">
          {page.notRefundable === null && page.mayRefund ? (
            <RefundForm
              form={{ amounts: page.amounts }}
              left={page.left}
              lines={page.lines}
              orderId={order.id}
              path={path}
            />
          ) : (
            <p className="mt-2 text-soft">
              {t(page.notRefundable === null ? 'notYours' : notRefundableTexts[page.notRefundable])}
            </p>
          )}
        </Section>
      </Detail>
      {page.chargebacks.length > 0 && (
        <Section id="chargebacks" label="storefront.nav.chargebacks">
          <ChargebackTable chargebacks={page.chargebacks} path={path} />
        </Section>
      )}
      {page.isSale && (
        <>
          <Section id="attempts" label="orders.attempts">
            <PaymentAttempts attempts={page.attempts} />
          </Section>
          <Section id="refunds" label="orders.refunds">
            <Refunds page={page} path={path} />
          </Section>
        </>
      )}
      <CustomerLinks links={page.links} />
      <DeliveriesAbout deliveries={page.deliveries} objectId={order.id} path={path} />
      <Section id="emails" label="storefront.nav.emails">
        <EmailTable emails={emails} path={path} />
      </Section>
    </>
  )
}

function Side({ page, path }: { page: OrderPage; path: string }) {
  const { order } = page
  const { customerDetails: buyer, customerId } = order
  return (
    <>
      <Card id="customer" label="orders.buyer">
        <Facts
          facts={[
            [
              'customers.email',
              customerId && (
                <a href={`${path}/customers/${customerId}`} key="customer">
                  {buyer.email ? <Breakable>{buyer.email}</Breakable> : t('orders.buyer')}
                </a>
              ),
            ],
            ['orders.buyerName', buyer.fullName && <Name key="name">{buyer.fullName}</Name>],
            ['customers.company', buyer.companyName && <Name key="company">{buyer.companyName}</Name>],
            ['customers.address', addressOf(buyer)],
            ['customers.taxId', buyer.taxId],
          ]}
        />
      </Card>
      <Card id="details" label="details">
        <Facts
          facts={[
            ['created', <Moment at={order.createdAt} key="created" />],
            [
              'orders.paymentMethod',
              order.paymentMethod && t(`methods.${order.paymentMethod as PaymentAttempt['method']}`),
            ],
            ['orders.withdrawal', page.withdrawal && <Withdrawal key="withdrawal" {...page.withdrawal} />],
            ['orders.declaredAt', page.declared[0] && <Moment at={page.declared[0].declaredAt} key="declared" />],
            [
              'orders.invoice',
              order.links.customerInvoice && (
                <span className="flex flex-wrap gap-x-4" key="invoice">
                  <a href={order.links.customerInvoice.href}>{order.invoiceNumber}</a>
                  {page.eInvoiceUrl && <a href={page.eInvoiceUrl}>{t('orders.eInvoice')}</a>}
                </span>
              ),
            ],
            ...relatedFacts(page, path),
            ['customers.metadata', metadataOf(order.metadata)],
          ]}
        />
      </Card>
    </>
  )
}

const pastDueTexts = {
  retried: 'pastDue.done.retried',
  linkSent: 'pastDue.done.linkSent',
  emailOff: 'pastDue.done.emailOff',
  linkLimit: 'pastDue.done.linkLimit',
  writtenOff: 'pastDue.done.writtenOff',
} as const

const relatedFacts = (
  { credits, replaces, replacedBy, creditNotes }: OrderPage,
  path: string,
): (readonly [AdminKey, ReactNode])[] => {
  const link = (of: OrderLink) => (
    <a href={`${path}/orders/${of.id}`} key={of.id}>
      {of.invoiceNumber ?? of.id}
    </a>
  )
  return [
    ['orders.credits', credits && link(credits)],
    ['orders.replaces', replaces && link(replaces)],
    ['orders.replacedBy', replacedBy && link(replacedBy)],
    [
      'orders.creditNotes',
      creditNotes.length > 0 ? (
        <span className="flex flex-wrap gap-x-4" key="creditNotes">
          {creditNotes.map(link)}
        </span>
      ) : null,
    ],
  ]
}

const itemText = ({ name, quantity, of }: OrderPage['declared'][number]['items'][number]): string =>
  quantity < of ? t('orders.declaredPart', { name, quantity, of }) : `${quantity} × ${name}`

function LaterPayments({ payments, path }: { payments: OrderPage['laterPayments']; path: string }) {
  if (payments.length === 0) return null
  return (
    <>
      <h3 className="mt-4 font-medium">{t('orders.laterPayments')}</h3>
      <ul className="mt-1 grid gap-1">
        {payments.map(({ id, number, total, paidAt }) => (
          <li className="flex flex-wrap gap-x-4" key={id}>
            <a href={`${path}/orders/${id}`}>{number}</a>
            <Money amount={total} />
            <Moment at={paidAt} />
          </li>
        ))}
      </ul>
      <p className="mt-2 max-w-xl text-note text-soft">{t('orders.laterPaymentsHint')}</p>
    </>
  )
}

function Declared({ declared }: { declared: OrderPage['declared'][number] }) {
  const { items, declaredAt, name, email, source, statement } = declared
  return (
    <Facts
      facts={[
        ['orders.declaredAt', <Moment at={declaredAt} key="at" />],
        ['orders.declaredItems', items.map(itemText).join(', ')],
        ['orders.declaredBy', name],
        ['orders.declaredEmail', email],
        ['orders.declaredFrom', t(`orders.declaredSources.${source}`)],
        ['orders.statement', statement],
      ]}
    />
  )
}

/**
 * The deadline of a consumer's right of withdrawal. Also states whether the buyer agreed to an immediate start, which
 * ends the right for digital content.
 */
const Withdrawal = ({ kind, beginsAtOnce, until }: NonNullable<OrderPage['withdrawal']>) =>
  beginsAtOnce && kind === 'digital_content' ? (
    t('orders.withdrawalLost')
  ) : (
    <>
      {t('orders.withdrawalUntil')} {day(until, adminLocale())}
      {beginsAtOnce && ` (${t('orders.withdrawalBegun')})`}
    </>
  )
