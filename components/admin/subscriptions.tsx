import { secondaryButton } from '@/components/ui/button.ts'
import type { AdminList } from '@/lib/modules/accounts/page.ts'
import type {
  AdminSubscription,
  SubscriptionAction,
  SubscriptionPage,
  TimelineEntry,
} from '@/lib/modules/subscriptions/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Facts, Heading, type Outcome, OutcomeNotice, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function SubscriptionTable({
  subscriptions,
  path,
}: {
  subscriptions: readonly AdminSubscription[]
  path: string
}) {
  return (
    <DataTable
      columns={[
        { label: 'subscriptions.subscription', cell: ({ id }) => <a href={`${path}/subscriptions/${id}`}>{id}</a> },
        { label: 'subscriptions.plan', cell: ({ name, quantity }) => `${quantity} × ${name}` },
        { label: 'status', cell: ({ status }) => t(`statuses.${status}`) },
        { label: 'subscriptions.price', isAmount: true, cell: ({ basePrice }) => <Money amount={basePrice} /> },
        {
          label: 'subscriptions.nextRenewal',
          cell: ({ nextRenewalAt }) => nextRenewalAt && <Moment at={nextRenewalAt} />,
        },
      ]}
      empty="subscriptions.empty"
      keyOf={({ id }) => id}
      label={t('storefront.nav.subscriptions')}
      rows={subscriptions}
    />
  )
}

export function Subscriptions({ list, path }: { list: AdminList<AdminSubscription>; path: string }) {
  return (
    <>
      <Heading>{t('storefront.nav.subscriptions')}</Heading>
      <SubscriptionTable path={path} subscriptions={list.rows} />
      <Pager {...list} />
    </>
  )
}

/** One subscription: its state, what can be done with it, and what happened. */
export function Subscription({ page, path, outcome }: { page: SubscriptionPage; path: string; outcome: Outcome }) {
  const { subscription: of, email, nextCharge, actions, timeline, formKey } = page
  const moment = (at: string | null) => at && <Moment at={at} />
  return (
    <>
      <OutcomeNotice {...outcome} texts={done} />
      <Heading note={<code>{of.id}</code>}>{`${of.quantity} × ${of.name}`}</Heading>
      <Facts
        facts={[
          ['status', t(`statuses.${of.status}`)],
          [
            'subscriptions.customer',
            <a href={`${path}/customers/${of.customerId}`} key="customer">
              {email}
            </a>,
          ],
          ['subscriptions.price', <Money amount={of.basePrice} key="price" />],
          ['reviews.fields.interval', t(`reviews.intervals.${of.interval}`, { count: of.intervalCount })],
          ['subscriptions.method', of.mandate && `${of.mandate.method} ${of.mandate.maskedIdentifier}`],
          [
            'subscriptions.nextCharge',
            nextCharge && (
              <>
                <Money amount={nextCharge.total} /> <Moment at={nextCharge.at} />
              </>
            ),
          ],
          ['subscriptions.startedAt', moment(of.startedAt)],
          ['subscriptions.trialUntil', moment(of.trialUntil)],
          ['subscriptions.renewedUntil', moment(of.renewedUntil)],
          ['subscriptions.canceledAt', moment(of.canceledAt)],
          ['subscriptions.reason', of.cancellationReason?.replaceAll('_', ' ')],
          ['subscriptions.endedAt', moment(of.endedAt)],
        ]}
      />
      {page.mayChange && (
        <p className="mt-4">
          <a className={secondaryButton} href={`${path}/subscriptions/${of.id}/change`}>
            {t('change.heading')}
          </a>
        </p>
      )}
      <Actions actions={actions} formKey={formKey} url={`${path}/subscriptions/${of.id}/submit`} />
      <Section id="timeline" label="subscriptions.timeline">
        <Timeline path={path} timeline={timeline} />
      </Section>
    </>
  )
}

/** What ends a subscription at once is folded: it cannot be taken back. */
function Actions({ actions, formKey, url }: Pick<SubscriptionPage, 'actions' | 'formKey'> & { url: string }) {
  if (actions.length === 0) return null
  const [usual, final] = [actions.filter((each) => each !== 'cancelNow'), actions.includes('cancelNow')]
  const button = (action: SubscriptionAction) => (
    <button className={secondaryButton} key={action} name="intent" type="submit" value={action}>
      {t(`subscriptions.actions.${action}`)}
    </button>
  )
  return (
    <form action={url} className="mt-4 grid gap-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      <div className="flex flex-wrap gap-4">{usual.map(button)}</div>
      {final && (
        <details>
          <summary className="min-h-6 text-accent underline underline-offset-2">{t('subscriptions.endNow')}</summary>
          <p className="my-2 max-w-xl text-soft">{t('subscriptions.endNowText')}</p>
          {button('cancelNow')}
        </details>
      )}
    </form>
  )
}

const done = {
  cancel: 'subscriptions.done.cancel',
  cancelNow: 'subscriptions.done.cancelNow',
  resume: 'subscriptions.done.resume',
  pause: 'subscriptions.done.pause',
  unpause: 'subscriptions.done.unpause',
  change: 'subscriptions.done.change',
} as const

function Timeline({ timeline, path }: { timeline: readonly TimelineEntry[]; path: string }) {
  return (
    <ol className="mt-4 grid gap-2 border-line border-s ps-4 text-note">
      {timeline.map((entry) => (
        <li className="flex flex-wrap gap-x-4" key={entry.id}>
          <span className="text-soft">
            <Moment at={entry.at} />
          </span>
          {entry.kind === 'event' ? (
            <span>{entry.name}</span>
          ) : (
            <span>
              <a href={`${path}/orders/${entry.id}`}>{entry.order.invoiceNumber ?? t('orders.order')}</a>{' '}
              {t(`statuses.${entry.order.status}`)} <Money amount={entry.order.total} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
