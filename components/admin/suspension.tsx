import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { SuspensionPage } from '@/lib/modules/accounts/page.ts'
import { FormProblems } from './form-problems.tsx'
import { type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

const done = { suspend: 'suspension.done.suspend', resume: 'suspension.done.resume' } as const

export function Suspension({ page, path, outcome }: { page: SuspensionPage; path: string; outcome: FormResult }) {
  const { suspension, reason, problem, renewals, formKey, isOnHold } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <FormProblems form="suspend" labels={{ reason: t('suspension.reason') }} problems={{ reason: problem }} />
      <Heading>{t('storefront.nav.suspension')}</Heading>
      <p className="mt-2 max-w-2xl">{t(suspension ? 'suspension.resumeText' : 'suspension.text')}</p>
      <ul className="mt-2 list-disc ps-5">
        {(['live', 'test'] as const).map((mode) => (
          <li key={mode}>
            {t(suspension ? 'suspension.waiting' : 'suspension.wouldWait', {
              mode: t(`storefront.modes.${mode}`),
              count: renewals[mode].active,
              monthly:
                renewals[mode].monthly.map((each) => money(each, adminLocale())).join(' + ') ||
                money({ value: '0.00', currency: 'EUR' }, adminLocale()),
            })}
          </li>
        ))}
      </ul>
      {isOnHold ? (
        <p className="mt-4">{t('hold.notNow')}</p>
      ) : (
        <form
          action={`${path}/suspension/submit`}
          className="mt-4 grid max-w-xl justify-items-start gap-4"
          id="suspend"
          method="post"
        >
          <input name="key" type="hidden" value={formKey} />
          {suspension ? (
            <button className={primaryButton} name="intent" type="submit" value="resume">
              {t('suspension.resume')}
            </button>
          ) : (
            <>
              <Field
                autoComplete="off"
                defaultValue={reason}
                error={problem ?? undefined}
                hint={t('suspension.reasonHint')}
                label={t('suspension.reason')}
                maxLength={500}
                name="reason"
                required
              />
              <button className={secondaryButton} name="intent" type="submit" value="suspend">
                {t('suspension.suspend')}
              </button>
            </>
          )}
        </form>
      )}
    </>
  )
}
