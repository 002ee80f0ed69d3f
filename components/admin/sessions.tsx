import { linkButton } from '@/components/ui/button.ts'
import type { SessionsPage } from '@/lib/modules/operators/page.ts'
import { adminText as t } from './text.ts'

/** Where the operator is signed in. */
export function Sessions({ page }: { page: SessionsPage }) {
  return (
    <>
      <h1 className="font-semibold text-title tracking-tight">{t('sessions.heading')}</h1>
      <p className="mt-1 text-soft">{t('sessions.text')}</p>
      <ul className="mt-4 grid gap-3">
        {page.sessions.map(({ id, address, browser, createdAt, lastUsedAt, isThis }) => (
          <li className="rounded-box border border-line bg-paper p-4" key={id}>
            <p className="font-medium">
              {address || '–'} {isThis && <span className="font-normal text-soft">({t('sessions.this')})</span>}
            </p>
            <p className="text-note text-soft">{browser}</p>
            <p className="text-note text-soft">
              {t('sessions.since')}: {minute(createdAt)} · {t('sessions.lastUsed')}: {minute(lastUsedAt)}
            </p>
            <form action={`/admin/sessions/${id}/end`} method="post">
              <button className={linkButton} type="submit">
                {t('sessions.end')}
              </button>
            </form>
          </li>
        ))}
      </ul>
    </>
  )
}

const minute = (moment: string): string => moment.slice(0, 16).replace('T', ' ')
