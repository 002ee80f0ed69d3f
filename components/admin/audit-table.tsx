import type { AuditRow } from '@/lib/modules/audit/page.ts'
import { Action, actionText } from './audit-action.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { Id } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { adminText as t } from './text.ts'

/** The number of hash digits in the table, enough to compare hashes by eye. The tooltip and the exported file have the whole hash. */
const shownOfHash = 8

const numberOf: Column<AuditRow> = {
  label: 'audit.number',
  cell: ({ number, hash }) => (
    <>
      {number}{' '}
      <code className="ms-2 font-normal text-soft wide:ms-0 wide:block" title={hash}>
        {hash.slice(0, shownOfHash)}…
      </code>
    </>
  ),
}
const momentOf: Column<AuditRow> = { label: 'audit.at', onPhone: 'bare', cell: ({ at }) => <Moment at={at} /> }

/** The subject and the change share one column, because the whole table must fit next to the sidebar. */
const subjectWithChange: Column<AuditRow> = {
  label: 'audit.subject',
  onPhone: 'bare',
  cell: (entry) => (
    <>
      <Subject {...entry} />
      <div className="mt-2 empty:hidden">
        <Change {...entry} />
      </div>
    </>
  ),
}

/** Entries of the audit log, newest first. If `isShort`, the table omits numbers, network addresses, and hashes. */
export const AuditTable = ({ entries, isShort = false }: { entries: readonly AuditRow[]; isShort?: boolean }) => (
  <DataTable
    columns={[
      ...(isShort ? ([momentOf] as const) : ([numberOf, momentOf] as const)),
      {
        label: 'audit.who',
        onPhone: 'bare',
        cell: ({ actor, who }) => (
          <>
            <Name>{actor.kind === 'cli' ? t('audit.commandLine', { user: who }) : who}</Name>
            {!isShort && actor.address && <span className="block text-soft">{actor.address}</span>}
          </>
        ),
      },
      {
        label: 'audit.what',
        onPhone: 'corner',
        cell: ({ action }) => (isShort ? actionText(action) : <Action action={action} />),
      },
      subjectWithChange,
    ]}
    empty="audit.empty"
    keyOf={({ number }) => number}
    label={t('audit.heading')}
    rows={entries}
  />
)

/** The subject of an entry. An API key, a storefront, or an operator is shown with its name. */
export const Subject = ({ subject, subjectName }: Pick<AuditRow, 'subject' | 'subjectName'>) => (
  <>
    {subjectName && (
      <span className="block">
        <Name>{subject.startsWith('key_') ? t('keyNames.inAudit', { name: subjectName }) : subjectName}</Name>
      </span>
    )}
    <Id id={subject} />
  </>
)

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
