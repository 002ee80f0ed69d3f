import { primaryButton } from '@/components/ui/button.ts'
import { CodeField } from './code-field.tsx'
import { FormProblems } from './form-problems.tsx'
import { Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

/** Asks for a second-factor code for a form without a code field. `to` is the encrypted URL of that form's page. */
export function Confirm({ to, isRefused }: { to: string; isRefused: boolean }) {
  const problem = isRefused ? t('secondFactor.refused') : undefined
  return (
    <>
      <FormProblems form="code" labels={{ code: t('secondFactor.code') }} problems={{ code: problem }} />
      <Heading>{t('confirm.heading')}</Heading>
      <p className="mt-2 max-w-2xl text-soft">{t('confirm.text')}</p>
      <form action="/admin/confirm/submit" className="mt-4 grid max-w-sm gap-4" method="post">
        <input name="to" type="hidden" value={to} />
        <CodeField error={problem} hint={t('passkeys.codeHint')} />
        <p>
          <button className={primaryButton} type="submit">
            {t('confirm.action')}
          </button>
        </p>
      </form>
    </>
  )
}
