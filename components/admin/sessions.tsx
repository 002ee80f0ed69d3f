import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import type { PasskeyRow, SessionsPage } from '@/lib/modules/operators/page.ts'
import { LanguageField } from './language-field.tsx'
import { Moment } from './moment.tsx'
import { type FormResult, FormResultNotice, Section } from './page-parts.tsx'
import { Passkeys } from './passkeys.tsx'
import { adminText as t } from './text.ts'

const done = {
  languageChanged: 'sessions.languageChanged',
  passkeyAdded: 'passkeys.added',
  passkeyRemoved: 'passkeys.removed',
} as const

export function Sessions({
  page,
  passkeys,
  outcome,
}: {
  page: SessionsPage
  passkeys: readonly PasskeyRow[]
  outcome: FormResult
}) {
  return (
    <>
      <FormResultNotice done={outcome.done} failed={null} texts={done} />
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
              {t('sessions.since')}: <Moment at={createdAt} /> · {t('sessions.lastUsed')}: <Moment at={lastUsedAt} />
            </p>
            <form action={`/admin/sessions/${id}/end`} method="post">
              <button className={linkButton} type="submit">
                {t('sessions.end')}
              </button>
            </form>
          </li>
        ))}
      </ul>
      <Section id="emails" label="sessions.language">
        <form action="/admin/sessions/language/submit" className="mt-2 grid max-w-xs gap-4" method="post">
          <LanguageField defaultValue={page.language} hint={t('sessions.languageHint')} />
          <p>
            <button className={secondaryButton} type="submit">
              {t('sessions.changeLanguage')}
            </button>
          </p>
        </form>
      </Section>
      <Passkeys failed={outcome.failed} passkeys={passkeys} />
    </>
  )
}
