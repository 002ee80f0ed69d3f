import { linkButton, primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { AddPasskeyPage, PasskeyRow } from '@/lib/modules/operators/page.ts'
import { CodeField } from './code-field.tsx'
import { Moment } from './moment.tsx'
import { Heading, Section } from './page-parts.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import { adminText as t } from './text.ts'

export function Passkeys({ passkeys, failed }: { passkeys: readonly PasskeyRow[]; failed: string | null }) {
  return (
    <Section id="passkeys" label="passkeys.heading">
      <p className="mt-1 text-soft">{t('passkeys.text')}</p>
      <ul className="mt-4 grid gap-3 empty:hidden">
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li className="rounded-box border border-line bg-paper p-4" key={id}>
            <p className="wrap-anywhere font-medium">{name}</p>
            <p className="text-note text-soft">
              {t('passkeys.since')}: <Moment at={createdAt} /> · {t('sessions.lastUsed')}:{' '}
              {lastUsedAt ? <Moment at={lastUsedAt} /> : t('passkeys.never')}
            </p>
            <form
              action={`/admin/sessions/passkeys/${id}/remove/submit`}
              className="mt-2 grid max-w-sm justify-items-start gap-2"
              method="post"
            >
              <CodeField
                error={failed === `code-${id}` ? t('secondFactor.refused') : undefined}
                hint={t('passkeys.codeHint')}
                id={`code-${id}`}
              />
              <button aria-label={t('passkeys.removeOf', { name })} className={linkButton} type="submit">
                {t('passkeys.remove')}
              </button>
            </form>
          </li>
        ))}
      </ul>
      {failed === 'passkey' && (
        <p className="mt-4 text-wrong" role="alert">
          {t('passkeys.notAdded')}
        </p>
      )}
      <form action="/admin/sessions/passkeys/code/submit" className="mt-4 grid max-w-sm gap-4" method="post">
        <Field
          autoComplete="one-time-code"
          error={failed === 'code' ? t('secondFactor.refused') : undefined}
          hint={t('passkeys.codeHint')}
          label={t('passkeys.code')}
          maxLength={40}
          name="code"
          required
        />
        <button className={secondaryButton} type="submit">
          {t('passkeys.add')}
        </button>
      </form>
    </Section>
  )
}

export function AddPasskey({ page }: { page: AddPasskeyPage | null }) {
  const problem = page ? page.problem : 'over'
  return (
    <>
      <Heading note={t('passkeys.new.text')}>{t('passkeys.new.heading')}</Heading>
      {page && !problem ? (
        <div className="mt-4 max-w-sm">
          <PasskeyForm
            ceremony={{ kind: 'create', options: page.options as PublicKeyCredentialCreationOptionsJSON }}
            className={primaryButton}
            path="/admin/sessions/passkeys/submit"
            texts={{ action: t('passkeys.new.action'), failed: t('passkeys.new.failed') }}
          >
            <Field
              autoComplete="off"
              hint={t('passkeys.new.nameHint')}
              label={t('passkeys.new.name')}
              maxLength={60}
              name="name"
              required
            />
          </PasskeyForm>
          <noscript>
            <p>{t('passkeys.new.needsScript')}</p>
          </noscript>
        </div>
      ) : (
        <p className="mt-4">{t(problem === 'many' ? 'passkeys.new.many' : 'passkeys.new.over')}</p>
      )}
      <p className="mt-4">
        <a href="/admin/sessions#passkeys">{t('passkeys.new.back')}</a>
      </p>
    </>
  )
}
