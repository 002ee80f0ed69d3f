import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type {
  AdminSubscription,
  NextCharges as Charges,
  OutstandingOrder,
  RenewalsWait,
  SubscriptionPage,
} from '@/lib/modules/subscriptions/page.ts'
import { SubscriptionBadge } from './badges.tsx'
import { addressOf, metadataOf } from './billing-facts.tsx'
import { CustomerLinks, customerLinkTexts } from './customer-links.tsx'
import { Cut } from './data-table.tsx'
import { momentText } from './dates.ts'
import { DeliveriesAbout } from './deliveries.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, NamedLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { Card, Detail, Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { PaymentBehavior } from './payment-behavior.tsx'
import { SubscriptionActions, waitingText } from './subscription-actions.tsx'
import { soldText } from './subscriptions.tsx'
import { adminText as t } from './text.ts'
import { Timeline } from './timeline.tsx'

const feedbackText = ({ reason, comment }: NonNullable<AdminSubscription['cancellationFeedback']>): string =>
  [reason && t(`subscriptions.feedbackReasons.${reason}`), comment].filter((each) => each !== null).join(': ')

export function Subscription({ page, path, outcome }: { page: SubscriptionPage; path: string; outcome: FormResult }) {
  const { subscription: of, actions, timeline } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <FormProblems form="actions" labels={{}} problems={page.problems} />
      <FormProblems
        form="payment-behavior"
        labels={{ behavior: t('paymentBehavior.outcome'), times: t('paymentBehavior.times') }}
        problems={page.paymentBehavior?.problems ?? {}}
      />
      <p className="text-note">
        <a href={`${path}/subscriptions`}>{t('storefront.nav.subscriptions')}</a>
      </p>
      <Heading badge={<SubscriptionBadge subscription={of} />} note={<Id id={of.id} />}>
        {soldText(of)}
      </Heading>
      <Detail side={<Side page={page} path={path} />}>
        <Facts
          facts={[
            ['subscriptions.price', <Money amount={of.basePrice} key="price" />],
            ['reviews.fields.interval', t(`reviews.intervals.${of.interval}`, { count: of.intervalCount })],
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
            ['subscriptions.scheduled', of.scheduledUpdate && <Scheduled update={of.scheduledUpdate} />],
            ['subscriptions.method', page.lacksMethod ? t('subscriptions.noMethod') : null],
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
        <Section id="timeline" label="subscriptions.timeline">
          <Timeline path={path} timeline={timeline} />
          {page.moreUrl && <Cut count={timeline.length} text="subscriptions.allOrders" url={page.moreUrl} />}
        </Section>
        <CustomerLinks links={page.links} />
        <PaymentBehavior form={page.paymentBehavior} url={`${path}/subscriptions/${of.id}/submit`} />
      </Detail>
      <DeliveriesAbout deliveries={page.deliveries} objectId={of.id} path={path} />
    </>
  )
}

function Side({ page: { subscription: of, email, lacksMethod }, path }: { page: SubscriptionPage; path: string }) {
  const moment = (at: string | null) => at && <Moment at={at} />
  const billing = of.billingAddress
  return (
    <>
      <Card id="customer" label="subscriptions.customer">
        <Facts
          facts={[
            [
              'customers.email',
              <a href={`${path}/customers/${of.customerId}`} key="customer">
                {email}
              </a>,
            ],
            ['customers.name', billing.fullName && <Name key="name">{billing.fullName}</Name>],
            ['customers.company', billing.companyName && <Name key="company">{billing.companyName}</Name>],
            ['customers.address', addressOf(billing)],
            ['customers.taxId', billing.taxId],
          ]}
        />
      </Card>
      <Card id="details" label="details">
        <Facts
          facts={[
            [
              'subscriptions.plan',
              <NamedLink
                href={`${path}/catalog/${of.subscriptionPlanId}`}
                key="plan"
                kind={t('subscriptions.plan')}
                of={{ id: of.subscriptionPlanId, name: of.name }}
              />,
            ],
            [
              'subscriptions.method',
              !lacksMethod && of.mandate && `${t(`mandates.${of.mandate.method}`)} ${of.mandate.maskedIdentifier}`,
            ],
            ['subscriptions.startedAt', moment(of.startedAt)],
            ['subscriptions.trialUntil', moment(of.trialUntil)],
            ['subscriptions.paidUntil', moment(of.paidUntil)],
            ['subscriptions.renewedUntil', of.paidUntil === of.renewedUntil ? null : moment(of.renewedUntil)],
            ['subscriptions.canceledAt', moment(of.canceledAt)],
            ['subscriptions.reason', of.cancellationReason && t(`subscriptions.reasons.${of.cancellationReason}`)],
            ['subscriptions.feedback', of.cancellationFeedback && feedbackText(of.cancellationFeedback)],
            ['subscriptions.endedAt', moment(of.endedAt)],
            ['customers.metadata', metadataOf(of.metadata)],
          ]}
        />
      </Card>
    </>
  )
}

export const isAnyCharge = ({ waiting, nextCharge, isHeld }: Charges): boolean =>
  waiting !== null || nextCharge !== null || isHeld

/**
 * Shows the due periods that are charged as soon as the outstanding payment succeeds, and then the next charge. While
 * the storefront is suspended or on hold, says that the next charge is not made.
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

/** The complete terms of a scheduled update, and the date of the renewal at which it takes effect. During a pause this date is unknown. */
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
  const at = (moment: string) => ({ at: momentText(moment) })
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
