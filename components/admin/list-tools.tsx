import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { AdminList, ListDates } from '@/lib/kernel/list.ts'
import { formatLocale } from '@/lib/kernel/locale.ts'
import { type AdminKey, adminLocale, adminText as t } from './text.ts'

const shown = (day: string) =>
  new Intl.DateTimeFormat(formatLocale[adminLocale()], { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

/** The text of the date filter in a chip. */
const textOf = ({ from, to }: ListDates): string => {
  if (from && to) return t('lists.fromTo', { from: shown(from), to: shown(to) })
  return from ? t('lists.since', { from: shown(from) }) : t('lists.until', { to: shown(to ?? '') })
}

/** Filters a list by date, and reverses its order. A chip shows the active date filter. */
export function ListTools({ dates }: { dates: ListDates | undefined }) {
  if (!dates) return null
  const { from, to, allDaysUrl, isOldestFirst, turnedUrl, path, kept } = dates
  return (
    <div className="mt-3 flex flex-wrap items-start gap-x-6 gap-y-2 text-note">
      {(from || to) && (
        <a
          aria-label={t('lists.removeDays', { days: textOf(dates) })}
          className="inline-flex min-h-8 items-center gap-2 rounded-full border border-accent bg-tint px-3 text-accent no-underline"
          href={allDaysUrl}
        >
          {textOf(dates)} <span aria-hidden="true">×</span>
        </a>
      )}
      <details>
        <summary className={linkButton}>{t('lists.days')}</summary>
        <form action={path} className="mt-2 grid max-w-xl gap-3 hand:grid-cols-2" method="get">
          {kept.map(([name, value]) => (
            <input key={name} name={name} type="hidden" value={value} />
          ))}
          <Field autoComplete="off" defaultValue={from ?? ''} label={t('lists.from')} name="from" type="date" />
          <Field autoComplete="off" defaultValue={to ?? ''} label={t('lists.to')} name="to" type="date" />
          <p>
            <button className={secondaryButton} type="submit">
              {t('lists.apply')}
            </button>
          </p>
        </form>
      </details>
      <a className={linkButton} href={turnedUrl}>
        {t(isOldestFirst ? 'lists.newestFirst' : 'lists.oldestFirst')}
      </a>
    </div>
  )
}

interface EmptyProps {
  /** Absent in a section of another page, which shows only the sentence. */
  list: Pick<AdminList<never>, 'clearUrl' | 'actionUrl'> | undefined
  /** Says that no row matches the filter. Absent for a list without filters. */
  none?: AdminKey
  /** Says in one sentence that there are no rows. */
  text: AdminKey
  /** The label of the link to `actionUrl`. Absent if the page has a button for it. */
  action?: AdminKey
  /** The page of the documentation, below `/docs`. */
  docs: string
}

/** The content of a list without rows, with the next step. */
export function EmptyList({ list, none, text, action, docs }: EmptyProps) {
  if (!list) return <p className="mt-4 text-soft">{t(text)}</p>
  const { clearUrl, actionUrl } = list
  if (clearUrl)
    return (
      <p className="mt-4 flex flex-wrap gap-x-4 text-soft">
        {t(none ?? text)} <a href={clearUrl}>{t('lists.clear')}</a>
      </p>
    )
  return (
    <div className="mt-4 grid justify-items-start gap-3">
      <p className="text-soft">{t(text)}</p>
      {action && actionUrl && (
        <a className={secondaryButton} href={actionUrl}>
          {t(action)}
        </a>
      )}
      <a href={`/docs/${docs}`}>{t('lists.guide')}</a>
    </div>
  )
}
