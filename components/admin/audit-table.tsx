import type { AuditRow } from '@/lib/modules/audit/page.ts'
import { adminText as t } from './text.ts'

/** Entries of the audit log, the newest first. The values before and after are folded. */
export function AuditTable({ entries }: { entries: readonly AuditRow[] }) {
  return (
    // A wide table scrolls in its own box, which the keyboard reaches too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the focus
    <section aria-label={t('audit.heading')} className="mt-3 overflow-x-auto" tabIndex={0}>
      <table className="w-full min-w-3xl border-line border-t text-note">
        <thead>
          <tr className="border-line border-b text-soft">
            {(['number', 'at', 'who', 'from', 'what', 'subject', 'change'] as const).map((column) => (
              <th className="py-2 pe-4 text-start font-medium" key={column}>
                {t(`audit.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row entry={entry} key={entry.number} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ entry: { number, at, actor, who, action, subject, before, after } }: { entry: AuditRow }) {
  return (
    <tr className="border-line border-b align-top">
      <th className="py-2 pe-4 text-start font-normal" scope="row">
        {number}
      </th>
      <td className="whitespace-nowrap py-2 pe-4">
        <time dateTime={at}>{at.slice(0, 19).replace('T', ' ')}</time>
      </td>
      <td className="py-2 pe-4">{actor.kind === 'cli' ? t('audit.commandLine', { user: who }) : who}</td>
      <td className="whitespace-nowrap py-2 pe-4">{actor.address}</td>
      <td className="py-2 pe-4">{action}</td>
      <td className="py-2 pe-4">{subject}</td>
      <td className="py-2">
        {(before ?? after) !== null && (
          <details>
            <summary className="min-h-6 text-accent underline underline-offset-2">{t('audit.change')}</summary>
            <pre className="mt-1 max-w-md whitespace-pre-wrap break-all">{[before, after].join('\n')}</pre>
          </details>
        )}
      </td>
    </tr>
  )
}
