import { primaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import type { SecondFactorPage } from '@/lib/modules/operators/page.ts'
import { adminText as t } from './text.ts'

/** The second step of a log-in. At the first log-in this step sets up the second factor. */
export function SecondFactor({
  page,
  isRefused,
  to,
}: {
  page: SecondFactorPage
  isRefused: boolean
  to: string | null
}) {
  const isSetUp = page.kind === 'set_up'
  const text = isSetUp ? 'setUp.text' : page.isReadable ? 'text' : 'unreadable'
  return (
    <StatePage
      icon="lock"
      shop={t('title')}
      title={t(isSetUp ? 'secondFactor.setUp.heading' : 'secondFactor.heading')}
      tone="plain"
    >
      <p>{t(`secondFactor.${text}`)}</p>
      {isSetUp && <SetUp page={page} />}
      <form action="/admin/second-factor/submit" className="mt-2 grid gap-4" method="post">
        {to && <input name="to" type="hidden" value={to} />}
        <Field
          autoComplete="one-time-code"
          autoFocus
          error={isRefused ? t('secondFactor.refused') : undefined}
          inputMode={isSetUp ? 'numeric' : 'text'}
          label={t('secondFactor.code')}
          maxLength={40}
          name="code"
          required
        />
        <button className={primaryButton} type="submit">
          {t(isSetUp ? 'secondFactor.setUp.action' : 'secondFactor.action')}
        </button>
      </form>
    </StatePage>
  )
}

function SetUp({ page }: { page: Extract<SecondFactorPage, { kind: 'set_up' }> }) {
  return (
    <>
      <div
        aria-label={t('secondFactor.setUp.picture')}
        className="w-48 rounded-box border border-line bg-white p-1"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: an SVG drawn by our own library, without user input
        dangerouslySetInnerHTML={{ __html: page.picture }}
        role="img"
      />
      <p>
        {t('secondFactor.setUp.key')}: <code className="select-all break-all">{page.secret}</code>
      </p>
      <section aria-labelledby="recovery-codes">
        <h2 className="font-semibold" id="recovery-codes">
          {t('secondFactor.setUp.codesHeading')}
        </h2>
        <p className="mt-1 text-note text-soft">{t('secondFactor.setUp.codesText')}</p>
        <ul className="mt-2 grid gap-1 hand:grid-cols-2">
          {page.recoveryCodes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
