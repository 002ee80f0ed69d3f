import { secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { MerchantAuditPage } from '@/lib/modules/audit/page.ts'
import { Action } from './audit-action.tsx'
import { Change, Subject } from './audit-table.tsx'
import { DataTable } from './data-table.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading, Tabs } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export function MerchantAudit({ page }: { page: MerchantAuditPage }) {
  const { entries, topics, filter, members, listUrl, newestUrl, olderUrl } = page
  const isFiltered = Object.values(filter).some((value) => value !== null)
  return (
    <>
      <Heading note={t('merchantAudit.text')}>{t('merchantAudit.heading')}</Heading>
      <Tabs
        label={t('merchantAudit.topic')}
        tabs={topics.map(({ topic, url }) => ({
          url,
          text: topic === null ? t('filter.all') : t(`merchantAudit.topics.${topic}`),
          isOpen: topic === filter.topic,
        }))}
      />
      <form action={listUrl} className="mt-3 flex max-w-4xl flex-wrap items-end gap-4" method="get">
        {filter.topic && <input name="topic" type="hidden" value={filter.topic} />}
        <div className="w-64">
          <SelectField defaultValue={filter.member ?? ''} label={t('merchantAudit.member')} name="member">
            <option value="">{t('merchantAudit.everybody')}</option>
            {members.map(({ id, email }) => (
              <option key={id} value={id}>
                {email}
              </option>
            ))}
          </SelectField>
        </div>
        <Field defaultValue={filter.from ?? ''} label={t('merchantAudit.from')} name="from" type="date" />
        <Field defaultValue={filter.to ?? ''} label={t('merchantAudit.to')} name="to" type="date" />
        <button className={secondaryButton} type="submit">
          {t('customers.filter')}
        </button>
      </form>
      {entries.length === 0 && isFiltered ? (
        <p className="mt-4 text-soft">
          {t('merchantAudit.noneMatches')} <a href={listUrl}>{t('merchantAudit.clear')}</a>
        </p>
      ) : (
        <DataTable
          columns={[
            { label: 'audit.what', cell: ({ action }) => <Action action={action} /> },
            { label: 'audit.at', onPhone: 'bare', cell: ({ at }) => <Moment at={at} /> },
            {
              label: 'audit.who',
              onPhone: 'bare',
              cell: ({ who, actor }) => (
                <>
                  <Name>{who ?? t('merchantAudit.staff')}</Name>
                  {actor.address && <span className="block text-soft">{actor.address}</span>}
                </>
              ),
            },
            { label: 'audit.subject', onPhone: 'bare', cell: (entry) => <Subject {...entry} /> },
            { label: 'audit.change', onPhone: 'bare', cell: (entry) => <Change {...entry} /> },
          ]}
          empty="merchantAudit.empty"
          keyOf={({ number }) => number}
          label={t('merchantAudit.heading')}
          rows={entries}
        />
      )}
      <nav aria-label={t('pages')} className="mt-4 flex gap-6">
        {newestUrl && <a href={newestUrl}>{t('audit.newest')}</a>}
        {olderUrl && <a href={olderUrl}>{t('audit.older')}</a>}
      </nav>
    </>
  )
}
