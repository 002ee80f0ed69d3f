import { day } from '@/components/format.ts'
import type { ReviewRow } from '@/lib/modules/catalog/page.ts'
import { adminText as t } from './text.ts'

const decisions = ['approved', 'rejected'] as const

/** What waits for a decision, the oldest first. */
export function ReviewList({ rows, done, failed }: { rows: ReviewRow[]; done: string | null; failed: string | null }) {
  const decision = decisions.find((each) => each === done)
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('reviews.heading')}</h1>
      {decision && (
        <p className="mt-3 rounded-box border border-line bg-tint p-3 font-semibold" role="status">
          {t(`reviews.done.${decision}`)}
        </p>
      )}
      {failed && (
        <p className="mt-3 text-wrong" role="alert">
          {t('reviews.failed', { message: failed })}
        </p>
      )}
      {rows.length === 0 ? <p className="mt-4 text-soft">{t('reviews.empty')}</p> : <ReviewTable rows={rows} />}
    </>
  )
}

function ReviewTable({ rows }: { rows: ReviewRow[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section aria-label={t('reviews.heading')} className="mt-4 overflow-x-auto" tabIndex={0}>
      <table className="w-full min-w-2xl border-line border-t">
        <thead>
          <tr className="border-line border-b text-note text-soft">
            {(['name', 'kind', 'storefront', 'submitted', 'state'] as const).map((column) => (
              <th className="py-2 pe-4 text-start font-medium" key={column}>
                {t(`reviews.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, kind, storefront, createdAt, state }) => (
            <tr className="border-line border-b align-top" key={id}>
              <th className="py-2 pe-4 text-start font-medium" scope="row">
                <a href={`/admin/reviews/${id}`}>{name}</a>
              </th>
              <td className="py-2 pe-4">{t(`reviews.kinds.${kind}`)}</td>
              <td className="py-2 pe-4">{storefront.name}</td>
              <td className="whitespace-nowrap py-2 pe-4">
                <time dateTime={createdAt} title={createdAt}>
                  {day(createdAt, 'en')}
                </time>
              </td>
              <td className="py-2 pe-4">{t(`reviews.states.${state}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
