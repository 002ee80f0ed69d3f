import type { AuditRow } from '@/lib/modules/audit/page.ts'
import { DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { adminText as t } from './text.ts'

/** Enough digits to compare by eye. The title and the exported file have the whole hash. */
const shownOfHash = 8

/** Entries of the audit log, newest first. The values before and after are folded. */
export const AuditTable = ({ entries }: { entries: readonly AuditRow[] }) => (
  <DataTable
    columns={[
      { label: 'audit.number', cell: ({ number }) => number },
      { label: 'audit.at', onPhone: 'bare', cell: ({ at }) => <Moment at={at} /> },
      {
        label: 'audit.who',
        onPhone: 'bare',
        cell: ({ actor, who }) => <Name>{actor.kind === 'cli' ? t('audit.commandLine', { user: who }) : who}</Name>,
      },
      { label: 'audit.from', onPhone: 'bare', cell: ({ actor }) => actor.address },
      { label: 'audit.what', onPhone: 'corner', cell: ({ action }) => action },
      { label: 'audit.subject', onPhone: 'bare', cell: (entry) => <Subject {...entry} /> },
      { label: 'audit.change', onPhone: 'bare', cell: (entry) => <Change {...entry} /> },
      { label: 'audit.hash', cell: ({ hash }) => <code title={hash}>{hash.slice(0, shownOfHash)}…</code> },
    ]}
    empty="audit.empty"
    keyOf={({ number }) => number}
    label={t('audit.heading')}
    rows={entries}
  />
)

/** The subject of an entry. An API key is shown with its name. */
export const Subject = ({ subject, subjectName }: Pick<AuditRow, 'subject' | 'subjectName'>) => (
  <>
    {subjectName && (
      <span className="block">
        <Name>{t('keyNames.inAudit', { name: subjectName })}</Name>
      </span>
    )}
    <Id id={subject} />
  </>
)

/** The values before and after, folded. */
export const Change = ({ before, after }: Pick<AuditRow, 'before' | 'after'>) =>
  (before ?? after) !== null && (
    <details>
      <summary className="min-h-6 text-accent wide:whitespace-nowrap underline underline-offset-2">
        {t('audit.change')}
      </summary>
      <pre className="mt-1 max-w-full wide:min-w-60 wide:max-w-md whitespace-pre-wrap break-all">
        {[before, after].join('\n')}
      </pre>
    </details>
  )
