import { money, timeSpan } from '@/components/format.ts'
import type { InboxPage, InboxRow } from '@/lib/modules/operators/page.ts'
import { AuditTable } from './audit-table.tsx'
import { DataTable } from './data-table.tsx'
import { invariantOf } from './invariant-text.ts'
import { jobText } from './job-name.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Heading, Section } from './page-parts.tsx'
import { providerName } from './provider-name.ts'
import { adminLocale, adminText as t } from './text.ts'
import { nameOfArea } from './thresholds.tsx'

export function Inbox({ page: { rows, more, entries } }: { page: InboxPage }) {
  return (
    <>
      <Heading note={t('inbox.text')}>{t('inbox.heading')}</Heading>
      <DataTable
        columns={[
          { label: 'inbox.what', cell: (row) => <SentenceLink href={row.url} text={textOf(row)} /> },
          { label: 'inbox.kind', onPhone: 'bare', cell: ({ kind }) => t(`inbox.kinds.${kind}`) },
          { label: 'storefronts.name', onPhone: 'bare', cell: ({ storefront }) => <Name>{storefront}</Name> },
          { label: 'inbox.age', onPhone: 'corner', cell: ({ age }) => age && ageText(age) },
          { label: 'inbox.since', cell: ({ since }) => since && <Moment at={since} /> },
        ]}
        empty="inbox.empty"
        keyOf={({ kind, name, url }) => `${kind} ${name} ${url}`}
        label={t('inbox.heading')}
        rows={rows}
      />
      {more.map(({ kind, count, url }) => (
        <p className="mt-2 text-note" key={kind}>
          <a href={url}>{t(`inbox.all.${kind}`, { count })}</a>
        </p>
      ))}
      <Section id="changes" label="inbox.lastChanges">
        {entries.length === 0 ? (
          <p className="mt-2 text-soft">{t('inbox.noChanges')}</p>
        ) : (
          <AuditTable entries={entries} isShort />
        )}
      </Section>
    </>
  )
}

const SentenceLink = ({ href, text }: { href: string; text: string }) => (
  <a className="row-link inline! whitespace-normal!" href={href}>
    <bdi>{text}</bdi>
  </a>
)

const ageText = ({ unit, count }: NonNullable<InboxRow['age']>): string => timeSpan(count, unit, adminLocale())

function textOf({ kind, name, count, amount }: InboxRow): string {
  switch (kind) {
    case 'review':
      return name ?? ''
    case 'invariant':
      return invariantOf(name ?? '')
    case 'dispute':
      return t('inbox.rows.dispute', { amount: amount ? money(amount, adminLocale()) : '' })
    case 'threshold':
      return t('inbox.rows.threshold', { country: nameOfArea(name ?? '') })
    case 'difference':
      return t('inbox.rows.difference', { count, provider: providerName(name ?? '') })
    case 'job':
      return t('inbox.rows.job', { count, task: jobText(name ?? '') })
    default:
      return t(`inbox.rows.${kind}`, { count })
  }
}
