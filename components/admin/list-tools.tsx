import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { AdminList, ListDates } from '@/lib/kernel/list.ts'
import { sortsOf } from './data-table.tsx'
import { dayText } from './dates.ts'
import { type AdminKey, adminText as t } from './text.ts'

const textOf = ({ from, to }: ListDates): string => {
  if (from && to) return t('lists.fromTo', { from: dayText(from), to: dayText(to) })
  return from ? t('lists.since', { from: dayText(from) }) : t('lists.until', { to: dayText(to ?? '') })
}

export function ListTools({ dates }: { dates: ListDates | undefined }) {
  if (!dates) return null
  const { from, to, allDaysUrl, path, kept } = dates
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
      {sortsOf(dates).map(({ name, url, text }) => (
        <a className={linkButton} href={url} key={name}>
          {t(text)}
        </a>
      ))}
    </div>
  )
}

interface EmptyProps {
  /** Absent if the list is a section of another page. The section then shows `text` without links. */
  list: Pick<AdminList<never>, 'clearUrl' | 'actionUrl'> | undefined
  none?: AdminKey
  text: AdminKey
  /** The label of the link to `actionUrl`. Absent if the page has a button for the same action. */
  action?: AdminKey
  docs: string
}

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
