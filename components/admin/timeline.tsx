import { money } from '@/components/format.ts'
import type { Cause, TermsChange, TimelineEntry } from '@/lib/modules/subscriptions/page.ts'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { outcomeOf } from './payment-attempts.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface Props {
  timeline: readonly TimelineEntry[]
  path: string
}

export const Timeline = ({ timeline, path }: Props) => (
  <ol className="mt-4 grid gap-2 border-line border-s ps-4 text-note">
    {timeline.map((entry) => (
      <li className="grid gap-x-4 hand:grid-cols-[auto_minmax(0,1fr)]" key={`${entry.kind} ${entry.id}`}>
        <span className="text-soft">
          <Moment at={entry.at} />
        </span>
        <span className="wrap-anywhere">
          <Entry entry={entry} path={path} />
        </span>
      </li>
    ))}
  </ol>
)

function Event({ entry: { event, changes, until, by } }: { entry: Extract<TimelineEntry, { kind: 'event' }> }) {
  return (
    <>
      <strong className="font-medium">{t(`timeline.events.${event}`)}</strong>
      {until && (
        <>
          {' '}
          {t('timeline.until')} <Moment at={until} />
        </>
      )}
      <span className="text-soft">
        {' · '}
        {causeText(by)}
      </span>
      {changes.map((change) => (
        <span className="block" key={change.field}>
          {t(`timeline.changes.${change.field}`, valuesOf(change))}
        </span>
      ))}
    </>
  )
}

const causeText = (by: Cause) => {
  if (by.kind === 'member') return <bdi>{by.name}</bdi>
  if (by.kind === 'key') return <bdi>{t('timeline.by.key', { name: by.name })}</bdi>
  return by.kind === 'staff' ? t('merchantAudit.staff') : t(`timeline.by.${by.kind}`)
}

function valuesOf(change: TermsChange): { from: string; to: string } {
  switch (change.field) {
    case 'price':
      return { from: money(change.from, adminLocale()), to: money(change.to, adminLocale()) }
    case 'interval': {
      const every = ({ interval, intervalCount }: typeof change.from) =>
        t(`reviews.intervals.${interval}`, { count: intervalCount })
      return { from: every(change.from), to: every(change.to) }
    }
    default:
      return { from: String(change.from), to: String(change.to) }
  }
}

function Entry({ entry, path }: { entry: TimelineEntry; path: string }) {
  switch (entry.kind) {
    case 'event':
      return <Event entry={entry} />
    case 'order': {
      const { id, invoiceNumber, status, total } = entry.order
      return (
        <>
          {invoiceNumber === null ? (
            <a href={`${path}/orders/${id}`}>{t('timeline.order')}</a>
          ) : (
            <>
              {t('timeline.order')} <a href={`${path}/orders/${id}`}>{invoiceNumber}</a>
            </>
          )}
          : <Money amount={total} />, {t(`statuses.${status}`)}
        </>
      )
    }
    case 'payment': {
      const { method, amount } = entry.attempt
      return (
        <>
          <a href={`${path}/orders/${entry.orderId}#attempts`}>{t('timeline.payment')}</a> <Money amount={amount} />,{' '}
          {t(`methods.${method}`)}, {outcomeOf(entry.attempt)}
        </>
      )
    }
    case 'email': {
      const { id, kind, to, status, returned } = entry.email
      return (
        <>
          {t('timeline.email')} <a href={`${path}/emails/${id}`}>{t(`emailKinds.names.${kind}`)}</a> <bdi>{to}</bdi>:{' '}
          {t(`statuses.${returned ?? status}`)}
        </>
      )
    }
  }
}
