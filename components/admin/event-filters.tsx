import type { ReactNode } from 'react'
import { secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import type { EventsPage, FilterChip } from '@/lib/modules/webhooks/page.ts'
import { dayText } from './dates.ts'
import { type AdminKey, adminText as t } from './text.ts'

const labels = {
  endpoint: 'deliveries.endpoint',
  event: 'deliveries.event',
  object: 'deliveries.entity',
  from: 'merchantAudit.from',
  to: 'merchantAudit.to',
} as const satisfies Record<string, AdminKey>

type Name = keyof typeof labels

export const EventFilters = ({
  page: { filters, eventNames, listUrl },
  children,
}: {
  page: Pick<EventsPage, 'filters' | 'eventNames' | 'listUrl'>
  children?: ReactNode
}) => (
  <form action={listUrl} className="mt-3 flex flex-wrap items-end gap-4" method="get">
    {children}
    <div className="w-56">
      <SelectField defaultValue={filters.event ?? ''} label={t(labels.event)} name="event">
        <option value="">{t('webhooks.anyEvent')}</option>
        {eventNames.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
    <Field
      autoComplete="off"
      defaultValue={filters.object ?? ''}
      label={t('webhooks.objectId')}
      maxLength={100}
      name="object"
    />
    <Field defaultValue={filters.from ?? ''} label={t(labels.from)} name="from" type="date" />
    <Field defaultValue={filters.to ?? ''} label={t(labels.to)} name="to" type="date" />
    <button className={secondaryButton} type="submit">
      {t('customers.filter')}
    </button>
  </form>
)

const shownValue = ({ name, value }: FilterChip<Name>) => (name === 'from' || name === 'to' ? dayText(value) : value)

/** The active filters. Each chip removes its filter. */
export const Chips = ({ chips, clearUrl }: { chips: readonly FilterChip<Name>[]; clearUrl: string }) =>
  chips.length > 0 && (
    <ul aria-label={t('webhooks.chips')} className="mt-3 flex flex-wrap items-center gap-2 text-note">
      {chips
        .map((chip) => ({ ...chip, value: shownValue(chip) }))
        .map(({ name, value, url }) => (
          <li className="max-w-full" key={name}>
            <a
              aria-label={t('webhooks.removeFilter', { name: t(labels[name]), value })}
              className="inline-flex min-h-8 max-w-full items-center gap-1 rounded-full border border-accent bg-tint px-3 text-accent no-underline hover:border-accent-deep"
              href={url}
            >
              <span className="wrap-anywhere min-w-0">
                {t(labels[name])}: {value}
              </span>
              <Icon className="size-4 shrink-0" name="closed" />
            </a>
          </li>
        ))}
      <li className="inline-flex min-h-8 items-center">
        <a href={clearUrl}>{t('merchantAudit.clear')}</a>
      </li>
    </ul>
  )

export const NoneMatches = ({ text, clearUrl }: { text: AdminKey; clearUrl: string }) => (
  <p className="mt-4 text-soft">
    {t(text)} <a href={clearUrl}>{t('merchantAudit.clear')}</a>
  </p>
)
