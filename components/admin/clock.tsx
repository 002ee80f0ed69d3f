import { linkButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { ClockPage } from '@/lib/modules/test-helpers/page.ts'
import { FormProblems } from './form-problems.tsx'
import { Moment } from './moment.tsx'
import { type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const usual = ['PT1H', 'P1D', 'P1W', 'P1M', 'P1Y'] as const

export function Clock({ page, path, outcome }: { page: ClockPage; path: string; outcome: FormResult }) {
  return (
    <>
      {/* While an advance runs, the form reports no success. The page shows the running advance below. */}
      <FormResultNotice
        done={page.advancingTo ? null : outcome.done}
        failed={outcome.failed}
        texts={{ advanced: 'clock.advanced', advancing: 'clock.advanced' }}
      />
      <FormProblems form="advance" labels={{ by: t('clock.by') }} problems={{ by: page.problem }} />
      <Heading note={t('clock.text')}>{t('storefront.nav.clock')}</Heading>
      <p className="mt-4 text-lead">
        <Moment at={page.now} />
      </p>
      {page.advancingTo && (
        <p className="mt-2 max-w-prose" role="status">
          {t('clock.advancing')} <Moment at={page.advancingTo} isInSentence />. {t('clock.reload')}
        </p>
      )}
      <form action={`${path}/clock/submit`} className="mt-4 grid max-w-xl gap-4" id="advance" method="post">
        <input name="key" type="hidden" value={page.formKey} />
        <Field
          autoComplete="off"
          defaultValue={page.by}
          error={page.problem ?? undefined}
          hint={t('clock.byHint')}
          label={t('clock.by')}
          maxLength={100}
          name="by"
          required
        />
        <p>
          <button className={secondaryButton} type="submit">
            {t('clock.advance')}
          </button>
        </p>
      </form>
      <form action={`${path}/clock/submit`} className="mt-4 flex flex-wrap gap-x-6" method="post">
        <input name="key" type="hidden" value={page.formKey} />
        {usual.map((by) => (
          <button className={linkButton} key={by} name="by" type="submit" value={by}>
            {t(`clock.usual.${by}`)}
          </button>
        ))}
      </form>
    </>
  )
}
