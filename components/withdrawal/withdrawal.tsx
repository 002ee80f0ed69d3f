import { useTranslations } from 'next-intl'
import { day, dayAndTime } from '@/components/format.ts'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { WithdrawalPage } from '@/lib/modules/orders/page.ts'

const icons = { open: 'mail', review: 'mail', declared: 'done', over: 'clock', lost: 'closed' } as const

/** The page on which a consumer withdraws from a contract, in any of its states. */
export function Withdrawal({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { state, storefrontName: shop } = page
  return (
    <>
      {page.testmode && <TestBand />}
      <StatePage
        icon={icons[state]}
        shop={shop}
        title={t(`states.${state}.heading`)}
        tone={state === 'declared' ? 'done' : 'plain'}
      >
        <Explanation page={page} />
        <Contract page={page} />
        {state === 'open' && <WithdrawalForm page={page} />}
        {state === 'review' && <Review page={page} />}
        {state !== 'open' && state !== 'review' && (
          <a className={`${quietButton} -ms-3 justify-self-start`} href={page.portalUrl}>
            {t('purchases')}
          </a>
        )}
      </StatePage>
    </>
  )
}

function Explanation({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { state, locale, until, seller, begun, declared } = page
  const values = {
    seller: seller.name,
    date: day(until, locale),
    at: declared ? dayAndTime(declared.at, locale) : '',
    email: declared?.maskedEmail ?? '',
  }
  return (
    <>
      <p>{t(`states.${state}.text`, values)}</p>
      {(state === 'open' || state === 'review') && begun && begun !== 'digital_content' && (
        <p className="text-note text-soft">{t(`begun.${begun}`)}</p>
      )}
    </>
  )
}

function Contract({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { items, number, concludedAt, locale } = page
  return (
    <dl className="grid gap-x-6 gap-y-1 border-line border-y py-3 text-note hand:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-soft">{t('contract')}</dt>
      <dd>
        {t('contractOf', { number, date: day(concludedAt, locale) })}
        {items.map(({ name, quantity }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same product may stand on two lines, and lines never move
          <span className="block" key={index}>
            {quantity === 1 ? name : `${quantity} × ${name}`}
          </span>
        ))}
      </dd>
    </dl>
  )
}

function WithdrawalForm({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { problems, name, email } = page
  return (
    <form action={page.submitUrl} className="mt-1 grid gap-4" id="problems" method="post">
      <FormLanguage locale={page.locale} />
      <Field
        autoComplete="name"
        autoFocus={problems.name}
        defaultValue={name}
        error={problems.name ? t('problems.name') : undefined}
        label={t('name')}
        maxLength={255}
        name="name"
        required
      />
      <Field
        autoComplete="email"
        autoFocus={problems.email && !problems.name}
        defaultValue={email}
        error={problems.email ? t('problems.email') : undefined}
        hint={t('emailHint')}
        inputMode="email"
        label={t('email')}
        maxLength={254}
        name="email"
        required
        type="email"
      />
      <button className={primaryButton} name="intent" type="submit" value="check">
        {t('action')}
      </button>
    </form>
  )
}

/** What will be declared, and the button that declares it. */
function Review({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { statement, name, email } = page
  return (
    <form action={page.submitUrl} className="mt-1 grid gap-4" method="post">
      <FormLanguage locale={page.locale} />
      <input name="name" type="hidden" value={name} />
      <input name="email" type="hidden" value={email} />
      <blockquote className="rounded-box border border-line p-4">
        <p>{statement}</p>
        <p className="mt-2">{name}</p>
      </blockquote>
      <p className="text-note text-soft">{t('acknowledgedTo', { email })}</p>
      <div className="grid gap-2">
        <button className={primaryButton} name="intent" type="submit" value="confirm">
          {t('confirm')}
        </button>
        <a className={quietButton} href={page.formUrl}>
          {t('back')}
        </a>
      </div>
    </form>
  )
}
