import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import type { PastDuePage, PastDueRow } from '@/lib/modules/recovery/page.ts'
import { DataTable, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { EmptyList } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Facts, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

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
          cell: nextAttempt,
        },
        { label: 'pastDue.writtenOff', cell: ({ writtenOffAt }) => writtenOffAt && <Moment at={writtenOffAt} /> },
        { label: 'action', onPhone: 'bare', cell: (row) => <RowActions row={row} /> },
      ]}
      empty={<EmptyList docs="contract/recovery" list={list} text="pastDue.empty" />}
      keyOf={({ id }) => id}
      label={t('storefront.nav.past-due')}
      rows={list.rows}
    />
    <Pager {...list} />
  </>
)

const nextAttempt = ({ nextAttemptAt, actions: { retryBlock } }: PastDueRow) =>
  nextAttemptAt ? (
    <Moment at={nextAttemptAt} />
  ) : (
    t(retryBlock === 'attempt_open' ? 'pastDue.inProgress' : 'pastDue.newMethod')
  )

const RowActions = ({ row: { url, customer, subscriptionUrl, actions } }: { row: PastDueRow }) => (
  <form action={`${url}/submit`} className="flex flex-wrap gap-x-4 min-[80rem]:whitespace-nowrap" method="post">
    <input name="key" type="hidden" value={actions.formKey} />
    {actions.mayRetry && actions.retryBlock === null && (
      <RowButton quickAction="retry" label={t('pastDue.retryOf', { customer })}>
        {t('pastDue.retry')}
      </RowButton>
    )}
    {actions.maySendLink && (
      <RowButton quickAction="send-link" label={t('pastDue.sendLinkOf', { customer })}>
        {t('pastDue.sendLink')}
      </RowButton>
    )}
    {subscriptionUrl && (
      <a className={linkButton} href={subscriptionUrl}>
        {t('pastDue.openSubscription')}
      </a>
    )}
    <a aria-label={t('pastDue.moreOf', { customer })} className={linkButton} href={`${url}#past-due`}>
      {t('pastDue.more')}
    </a>
  </form>
)

interface RowButtonProps {
  quickAction: 'retry' | 'send-link'
  /** The label contains the customer's name, because screen readers may read a button without its row. */
  label: string
  children: string
}

const RowButton = ({ quickAction, label, children }: RowButtonProps) => (
  <button aria-label={label} className={linkButton} name="intent" type="submit" value={quickAction}>
    {children}
  </button>
)

export const PastDueOrder = ({ row }: { row: PastDueRow }) => {
  const { reason, attempts, writtenOffAt, collects, actions, url, subscriptionUrl } = row
  const { retryBlock, mayRetry, maySendLink, mayWriteOff, mayCancel, formKey } = actions
  return (
    <Section id="past-due" label="orders.pastDue">
      <Facts
        facts={[
          ['pastDue.reason', t(`attempts.reasons.${reason}`)],
          ['pastDue.attempts', t('pastDue.attemptsOf', attempts)],
          ['pastDue.nextAttempt', <span key="next">{nextAttempt(row)}</span>],
          ['pastDue.writtenOff', writtenOffAt && <Moment at={writtenOffAt} key="end" />],
          [
            'pastDue.subscription',
            subscriptionUrl && (
              <a href={subscriptionUrl} key="subscription">
                {t('pastDue.openSubscription')}
              </a>
            ),
          ],
        ]}
      />
      {mayRetry && retryBlock && <p className="mt-3 max-w-xl text-soft">{t(`pastDue.retryBlocks.${retryBlock}`)}</p>}
      <form action={`${url}/submit`} className="mt-4 grid max-w-2xl justify-items-start gap-3" method="post">
        <input name="key" type="hidden" value={formKey} />
        <div className="flex flex-wrap gap-3">
          {mayRetry && retryBlock === null && (
            <button className={secondaryButton} name="intent" type="submit" value="retry">
              {t('pastDue.retry')}
            </button>
          )}
          {maySendLink && (
            <button className={secondaryButton} name="intent" type="submit" value="send-link">
              {t('pastDue.sendLink')}
            </button>
          )}
          {mayCancel && (
            <a className={secondaryButton} href={`${subscriptionUrl}#actions`}>
              {t('pastDue.cancel')}
            </a>
          )}
        </div>
        {mayWriteOff && (
          <details>
            <summary className={linkButton}>{t('pastDue.writeOff')}</summary>
            <p className="my-2">{t(`pastDue.writeOffTexts.${collects}`)}</p>
            <button className={secondaryButton} name="intent" type="submit" value="write-off">
              {t('pastDue.writeOffNow')}
            </button>
          </details>
        )}
      </form>
    </Section>
  )
}
