import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { FieldError } from '@/components/ui/field.tsx'
import type { MerchantHistory, ReviewPage, ReviewValues } from '@/lib/modules/catalog/page.ts'
import { DataTable } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Facts, Section } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface Props {
  page: ReviewPage
  isStarted: boolean
  lacksReason: boolean
}

export function Review({ page, isStarted, lacksReason }: Props) {
  return (
    <>
      <FormProblems
        form="reason"
        labels={{ reason: t('reviews.reason'), terms: t('reviews.proposed') }}
        problems={lacksReason ? { reason: t('reviews.reasonMissing') } : page.problems}
      />
      <Back />
      {isStarted && (
        <p className="mt-3 rounded-box border border-line bg-tint p-3 font-semibold" role="status">
          {t('reviews.done.started')}
        </p>
      )}
      <h1 className="mt-2 font-semibold text-title tracking-tight">{page.name}</h1>
      <p className="text-soft">
        {t(`reviews.kinds.${page.kind}`)} · {page.storefront.name} · {page.merchant} · <Id id={page.id} />
      </p>
      <Values page={page} />
      <History of={page.history} />
      <Decision lacksReason={lacksReason} page={page} />
    </>
  )
}

export function ReviewOver() {
  return (
    <>
      <Back />
      <p className="mt-4">{t('reviews.over')}</p>
    </>
  )
}

const Back = () => (
  <p>
    <a href="/admin/reviews">{t('reviews.back')}</a>
  </p>
)

const History = ({ of: { since, decisions, disputes, sales } }: { of: MerchantHistory }) => (
  <Section id="history" label="reviews.history.heading">
    <Facts
      facts={[
        ['reviews.history.since', <Moment at={since} key="since" />],
        [
          'reviews.history.sales',
          sales.length === 0
            ? t('reviews.history.noSales')
            : sales
                .map(({ amount, orders }) =>
                  t('reviews.history.sold', { amount: money(amount, adminLocale()), count: orders }),
                )
                .join(', '),
        ],
        ['reviews.history.disputes', t('reviews.history.disputed', disputes)],
      ]}
    />
    <DataTable
      columns={[
        { label: 'reviews.history.decision', cell: ({ name }) => <Name>{name}</Name> },
        {
          label: 'reviews.state',
          onPhone: 'corner',
          cell: ({ rejectionReason }) =>
            t(rejectionReason === null ? 'reviews.history.approved' : 'reviews.history.rejected'),
        },
        { label: 'reviews.history.at', onPhone: 'bare', cell: ({ at }) => <Moment at={at} /> },
        { label: 'reviews.history.reason', cell: ({ rejectionReason }) => <Name>{rejectionReason}</Name> },
      ]}
      empty="reviews.history.none"
      keyOf={({ id, at }) => `${id} ${at}`}
      label={t('reviews.history.heading')}
      rows={decisions}
    />
  </Section>
)

const fields = ['name', 'description', 'price', 'interval', 'productType'] as const

function Values({ page: { live, proposed, taxBehavior } }: { page: ReviewPage }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section aria-label={t('reviews.proposed')} className="mt-6 overflow-x-auto" id="terms" tabIndex={0}>
      <table className="w-full max-w-4xl border-line border-t">
        <thead>
          <tr className="border-line border-b text-note text-soft">
            <th className="py-2 pe-4 text-start font-medium">{t('reviews.field')}</th>
            {live && <th className="py-2 pe-4 text-start font-medium">{t('reviews.live')}</th>}
            <th className="py-2 text-start font-medium">{t('reviews.proposed')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const [before, after] = [live && shown(live, field), shown(proposed, field)]
            const isSame = before === after
            return (
              <tr className="border-line border-b align-top" key={field}>
                <th className="whitespace-nowrap py-2 pe-4 text-start font-medium" scope="row">
                  {t(`reviews.fields.${field}`)}
                </th>
                {live && <td className="whitespace-pre-wrap py-2 pe-4">{before}</td>}
                <td className={`whitespace-pre-wrap py-2 ${isSame ? 'text-soft' : 'font-medium'}`}>
                  {isSame ? t('reviews.unchanged') : after}
                </td>
              </tr>
            )
          })}
          <tr className="border-line border-b">
            <th className="py-2 pe-4 text-start font-medium" scope="row">
              {t('reviews.fields.taxBehavior')}
            </th>
            <td className="py-2" colSpan={live ? 2 : 1}>
              {t(`reviews.taxBehaviors.${taxBehavior}`)}
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

function shown(values: ReviewValues, field: (typeof fields)[number]): string {
  switch (field) {
    case 'price':
      return money(values.price, adminLocale())
    case 'interval':
      return values.interval
        ? t(`reviews.intervals.${values.interval.unit}`, { count: values.interval.count })
        : t('reviews.intervals.once')
    case 'productType':
      return t(`reviews.productTypes.${values.productType}`)
    default:
      return values[field]
  }
}

function Decision({ page, lacksReason }: { page: ReviewPage; lacksReason: boolean }) {
  const { id, state, live, termsVersion, reason } = page
  const action = `/admin/reviews/${id}/submit`
  const problem = lacksReason ? t('reviews.reasonMissing') : page.problems.reason
  return (
    <div className="mt-6 grid max-w-xl gap-6">
      {state === 'pending' && (
        <form action={action} className="grid justify-items-start gap-1" method="post">
          <button className={secondaryButton} name="intent" type="submit" value="start">
            {t('reviews.start')}
          </button>
          <p className="text-note text-soft">{t('reviews.startHint')}</p>
        </form>
      )}
      <form action={action} className="grid gap-1" method="post">
        <input name="terms" type="hidden" value={termsVersion} />
        <button className={primaryButton} name="intent" type="submit" value="approve">
          {t('reviews.approve')}
        </button>
        <p className="text-note text-soft">{t(live ? 'reviews.approveHintUpdate' : 'reviews.approveHintNew')}</p>
      </form>
      <form action={action} className="grid justify-items-start gap-2" method="post">
        <input name="terms" type="hidden" value={termsVersion} />
        <label className="font-medium text-note" htmlFor="reason">
          {t('reviews.reason')}
        </label>
        <textarea
          aria-describedby={problem ? 'reason-error reason-hint' : 'reason-hint'}
          aria-invalid={problem ? true : undefined}
          className="control h-28 py-2"
          defaultValue={reason}
          id="reason"
          maxLength={2000}
          name="reason"
          required
        />
        {problem && <FieldError id="reason-error">{problem}</FieldError>}
        <p className="text-note text-soft" id="reason-hint">
          {t('reviews.reasonHint')}
        </p>
        <button className={secondaryButton} name="intent" type="submit" value="reject">
          {t('reviews.reject')}
        </button>
      </form>
    </div>
  )
}
