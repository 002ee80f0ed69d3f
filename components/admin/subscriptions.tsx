import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type {
  AdminSubscription,
  AdminSubscriptionRow,
  NextCharges as Charges,
  OutstandingOrder,
  RenewalsWait,
  SubscriptionPage,
  SubscriptionsPage,
} from '@/lib/modules/subscriptions/page.ts'
import { SubscriptionBadge } from './badges.tsx'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { Cut, DataTable, narrowedTo, Pager } from './data-table.tsx'
import { DeliveriesAbout } from './deliveries.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { Facts, FilterTabs, type FormResult, FormResultNotice, Heading, ofCustomer, Section } from './page-parts.tsx'
import { PaymentBehavior } from './payment-behavior.tsx'
import { SubscriptionActions, waitingText } from './subscription-actions.tsx'
import { adminText as t } from './text.ts'
import { Timeline } from './timeline.tsx'

export function SubscriptionTable({
  subscriptions,
  path,
  list,
}: {
  subscriptions: readonly AdminSubscriptionRow[]
  path: string
  /** The list with these subscriptions, on its own page. */
  list?: Pick<SubscriptionsPage, 'clearUrl' | 'actionUrl'>
}) {
  return (
    <DataTable
      columns={[
        {
          label: 'subscriptions.customer',
          cell: (row) => <RowLink href={`${path}/subscriptions/${row.id}`} text={row.customer} />,
        },
        {
          label: 'subscriptions.plan',
          onPhone: 'bare',
          cell: ({ name, quantity }) => <Name>{`${quantity} × ${name}`}</Name>,
        },
        { label: 'status', onPhone: 'bare', cell: (row) => <SubscriptionBadge subscription={row} /> },
        {
          label: 'subscriptions.monthly',
          isAmount: true,
          onPhone: 'corner',
          cell: ({ monthly }) => <Money amount={monthly} />,
        },
        {
          label: 'subscriptions.nextRenewal',
          cell: ({ nextRenewalAt }) => nextRenewalAt && <Moment at={nextRenewalAt} />,
        },
      ]}
      empty={
        <EmptyList
          action="catalog.new.subscription_plan"
          docs="merchants/sell-a-subscription"
          list={list}
          none="lists.none.subscriptions"
          text="subscriptions.empty"
        />
      }
      keyOf={({ id }) => id}
      label={t('storefront.nav.subscriptions')}
      rows={subscriptions}
    />
  )
}

interface ListProps {
  list: SubscriptionsPage
  path: string
}

/** The badge of each status, whose word is also the name of its filter. */
const badgeOf = {
  created: 'created',
  active: 'active',
  trial: 'trial',
  on_grace_period: 'cancels',
  paused: 'paused',
  canceled: 'ended',
} as const

export function Subscriptions({ list, path }: ListProps) {
  return (
    <>
      <Heading note={ofCustomer(list.customerId, path)}>{t('storefront.nav.subscriptions')}</Heading>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`badges.subscriptions.${badgeOf[status]}`)}
        url={narrowedTo(list.customerId, `${path}/subscriptions`)}
      />
      <ListTools dates={list.dates} />
      <SubscriptionTable list={list} path={path} subscriptions={list.rows} />
      <Pager {...list} />
    </>
  )
}

/** The reason that the customer chose, and the comment. */
const feedbackText = ({ reason, comment }: NonNullable<AdminSubscription['cancellationFeedback']>): string =>
  [reason && t(`subscriptions.feedbackReasons.${reason}`), comment].filter((each) => each !== null).join(': ')

/** One subscription: its state, the possible actions, and its timeline. */
export function Subscription({ page, path, outcome }: { page: SubscriptionPage; path: string; outcome: FormResult }) {
  const { subscription: of, email, actions, timeline } = page
  const moment = (at: string | null) => at && <Moment at={at} />
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <FormProblems form="actions" labels={{}} problems={page.problems} />
      <FormProblems
        form="payment-behavior"
        labels={{ behavior: t('paymentBehavior.outcome'), times: t('paymentBehavior.times') }}
        problems={page.paymentBehavior?.problems ?? {}}
      />
      <Heading note={<Id id={of.id} />}>{`${of.quantity} × ${of.name}`}</Heading>
      <Facts
        facts={[
          ['status', <SubscriptionBadge key="status" subscription={of} />],
          [
            'subscriptions.customer',
            <a href={`${path}/customers/${of.customerId}`} key="customer">
              {email}
            </a>,
          ],
          ['subscriptions.price', <Money amount={of.basePrice} key="price" />],
          ['reviews.fields.interval', t(`reviews.intervals.${of.interval}`, { count: of.intervalCount })],
          [
            'subscriptions.method',
            page.lacksMethod
              ? t('subscriptions.noMethod')
              : of.mandate && `${of.mandate.method} ${of.mandate.maskedIdentifier}`,
          ],
          ['subscriptions.scheduled', of.scheduledUpdate && <Scheduled update={of.scheduledUpdate} />],
          [
            'subscriptions.nextCharge',
            isAnyCharge(page) && <NextCharges charges={page} key="nextCharge" wait={page.renewalsWait} />,
          ],
          [
            'subscriptions.outstanding',
            page.outstanding.length > 0 ? (
              <Outstanding key="outstanding" orders={page.outstanding} path={path} />
            ) : null,
          ],
          ['subscriptions.startedAt', moment(of.startedAt)],
          ['subscriptions.trialUntil', moment(of.trialUntil)],
          ['subscriptions.paidUntil', moment(of.paidUntil)],
          ['subscriptions.renewedUntil', of.paidUntil === of.renewedUntil ? null : moment(of.renewedUntil)],
          ['subscriptions.canceledAt', moment(of.canceledAt)],
          ['subscriptions.reason', of.cancellationReason?.replaceAll('_', ' ')],
          ['subscriptions.feedback', of.cancellationFeedback && feedbackText(of.cancellationFeedback)],
          ['subscriptions.endedAt', moment(of.endedAt)],
        ]}
      />
      {page.mayChange && (
        <form
          action={`${path}/subscriptions/${of.id}/change`}
          className="mt-4 flex max-w-2xl flex-wrap items-end gap-4"
          method="get"
        >
          <Field
            autoComplete="off"
            defaultValue={of.quantity}
            inputMode="numeric"
            label={t('change.fields.quantity')}
            maxLength={9}
            name="quantity"
          />
          <button className={secondaryButton} type="submit">
            {t('change.show')}
          </button>
          <a className={linkButton} href={`${path}/subscriptions/${of.id}/change`}>
            {t('change.heading')}
          </a>
        </form>
      )}
      <SubscriptionActions
        actions={actions}
        renewalsWait={page.renewalsWait}
        url={`${path}/subscriptions/${of.id}/submit`}
      />
      <CustomerLinks links={page.links} />
      <PaymentBehavior form={page.paymentBehavior} url={`${path}/subscriptions/${of.id}/submit`} />
      <DeliveriesAbout deliveries={page.deliveries} path={path} />
      <Section id="timeline" label="subscriptions.timeline">
        <Timeline path={path} timeline={timeline} />
        {page.moreUrl && <Cut count={timeline.length} text="subscriptions.allOrders" url={page.moreUrl} />}
      </Section>
    </>
  )
}

export const isAnyCharge = ({ waiting, nextCharge, isHeld }: Charges): boolean =>
  waiting !== null || nextCharge !== null || isHeld

/**
 * The periods that wait for the outstanding payment, and the next charge. During a suspension it is not charged on its
 * day.
 */
export const NextCharges = ({
  charges: { waiting, nextCharge, isHeld },
  wait,
}: {
  charges: Charges
  wait: RenewalsWait
}) => (
  <>
    {waiting && <span className="block">{waitingText(waiting)}</span>}
    {nextCharge && (
      <>
        {waiting && t('subscriptions.then')} <Money amount={nextCharge.total} /> {t('subscriptions.on')}{' '}
        <Moment at={nextCharge.at} />
        {wait && <span className="block">{t(`subscriptions.renewalsWait.${wait}`)}</span>}
      </>
    )}
    {isHeld && wait && t(`subscriptions.renewalHeld.${wait}`)}
  </>
)

type Update = NonNullable<AdminSubscription['scheduledUpdate']>

/** All terms after the next renewal, and its date, which is unknown during a pause. */
export const Scheduled = ({ update }: { update: Update }) => (
  <>
    {`${update.quantity} × ${update.name}, `}
    <Money amount={update.basePrice} />
    {`, ${t(`reviews.intervals.${update.interval}`, { count: update.intervalCount })}`}
    {update.effectiveAt && (
      <>
        {' '}
        {t('subscriptions.on')} <Moment at={update.effectiveAt} />
      </>
    )}
  </>
)

/** The unpaid orders, and what happens to them next. */
const Outstanding = ({ orders, path }: { orders: SubscriptionPage['outstanding']; path: string }) => (
  <ul>
    {orders.map((order) => (
      <li key={order.orderId}>
        <a href={`${path}/orders/${order.orderId}`}>
          <Money amount={order.total} />
        </a>{' '}
        {stateOf(order)}
      </li>
    ))}
  </ul>
)

function stateOf({ isOnItsWay, hasFailed, retryAt, writtenOffAt }: OutstandingOrder): string {
  const at = (moment: string) => ({ at: moment.slice(0, 16).replace('T', ' ') })
  if (isOnItsWay || !hasFailed) return t('subscriptions.unpaid.waits')
  if (retryAt) return t('subscriptions.unpaid.retried', at(retryAt))
  return writtenOffAt ? t('subscriptions.unpaid.writtenOff', at(writtenOffAt)) : t('subscriptions.unpaid.failed')
}

const done = {
  cancel: 'subscriptions.done.cancel',
  cancelNow: 'subscriptions.done.cancelNow',
  resume: 'subscriptions.done.resume',
  pause: 'subscriptions.done.pause',
  unpause: 'subscriptions.done.unpause',
  change: 'subscriptions.done.change',
  paymentBehavior: 'paymentBehavior.done',
  ...customerLinkTexts,
} as const
