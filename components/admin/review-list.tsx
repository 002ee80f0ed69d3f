import type { ReviewsPage } from '@/lib/modules/catalog/page.ts'
import { DataTable, Export } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { type FormResult, FormResultNotice } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const decisions = {
  approved: 'reviews.done.approved',
  planInUse: 'reviews.done.planInUse',
  rejected: 'reviews.done.rejected',
} as const

interface Props {
  page: ReviewsPage
  outcome: FormResult
}

export function ReviewList({ page: { rows, count, exportUrl }, outcome }: Props) {
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('reviews.heading')}</h1>
      <FormResultNotice {...outcome} texts={decisions} />
      {count > rows.length && <p className="mt-2 text-soft">{t('reviews.more', { shown: rows.length, count })}</p>}
      <ReviewTable rows={rows} />
      <div className="mt-4 flex justify-end">
        <Export exportUrl={exportUrl} />
      </div>
    </>
  )
}

const ReviewTable = ({ rows }: { rows: ReviewsPage['rows'] }) => (
  <DataTable
    columns={[
      {
        label: 'reviews.name',
        cell: ({ id, name }) => <RowLink href={`/admin/reviews/${id}`} text={name} />,
      },
      { label: 'reviews.kind', cell: ({ kind }) => t(`reviews.kinds.${kind}`) },
      { label: 'reviews.storefront', cell: ({ storefront }) => <Name>{storefront.name}</Name> },
      { label: 'reviews.submitted', cell: ({ submittedAt }) => <Moment at={submittedAt} /> },
      { label: 'reviews.state', cell: ({ state }) => t(`reviews.states.${state}`) },
    ]}
    empty="reviews.empty"
    keyOf={({ id }) => id}
    label={t('reviews.heading')}
    rows={rows}
  />
)
