import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { day, dayAndTime, wholeNumber } from '@/components/format.ts'
import { primaryButton, quietButton } from '@/components/ui/button.ts'
import { ErrorSummary } from '@/components/ui/error-summary.tsx'
import { Field, FieldError } from '@/components/ui/field.tsx'
import { FormLanguage } from '@/components/ui/form-language.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { WithdrawalPage } from '@/lib/modules/orders/page.ts'

const icons = { open: 'mail', review: 'mail', declared: 'done', over: 'clock', lost: 'closed' } as const

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
        {state === 'declared' && page.lines.length > 0 && <Remaining page={page} />}
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
  const checkout = useTranslations('checkout')
  const { state, locale, until, seller, begun } = page
  const declared = page.declared.at(-1)
  const values = {
    seller: seller.name,
    date: day(until, locale),
    at: declared ? dayAndTime(declared.at, locale, page.timeZone) : '',
    email: declared?.maskedEmail ?? '',
  }
  return (
    <>
      <p>
        {t(`states.${state}.text`, values)}
        {state === 'declared' && ` ${page.isPaid ? t('returned', values) : t('nothingPaid')}`}
        {state === 'declared' && page.isPaid && begun && ` ${t('kept')}`}
        {page.endsSubscriptions && ` ${t('endsSubscriptions')}`}
      </p>
      {(state === 'open' || state === 'review') && begun && begun !== 'digital_content' && (
        <p className="text-note text-soft">
          {t(`begun.${begun}`)}
          {page.hasTrial && ` ${checkout('withdrawal.trial')}`}
        </p>
      )}
    </>
  )
}

function Contract({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { state, lines, declared, number, concludedAt, locale, timeZone } = page
  const isChosenBelow = state === 'declared' || (state === 'open' && lines.length > 1)
  return (
    <dl className="grid gap-x-6 gap-y-1 border-line border-y py-3 text-note hand:grid-cols-[auto_minmax(0,1fr)]">
      <dt className="text-soft">{t('contract')}</dt>
      <dd>
        {t('contractOf', { number, date: day(concludedAt, locale, timeZone) })}
        {!isChosenBelow && <Items items={lines.filter(({ isChosen }) => isChosen)} locale={locale} />}
      </dd>
      {declared.map(({ at, items }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: declarations are only added
        <Fragment key={index}>
          <dt className="text-soft">{t('withdrawn')}</dt>
          <dd>
            <time dateTime={at}>{dayAndTime(at, locale, timeZone)}</time>
            <Items items={items} locale={locale} />
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

type Item = Pick<WithdrawalPage['lines'][number], 'name' | 'quantity' | 'of'>

function Items({ items, locale }: { items: readonly Item[]; locale: Locale }) {
  const t = useTranslations('emails')
  const number = (value: number) => wholeNumber(value, locale)
  return items.map(({ name, quantity, of }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two lines can have the same product, and lines keep their order
    <span className="block" key={index}>
      {quantity < of
        ? t('partOf', { name, quantity: number(quantity), of: number(of) })
        : quantity === 1
          ? name
          : t('times', { name, quantity: number(quantity) })}
    </span>
  ))
}

function Remaining({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { lines, quantity, name } = page.problems
  return (
    <details open={lines || quantity || name}>
      <summary className="inline-flex min-h-10 items-center gap-1 rounded-box font-medium text-accent">
        {t('more')}
        <Icon className="chevron size-5" name="chevron" />
      </summary>
      <WithdrawalForm page={page} />
    </details>
  )
}

function WithdrawalForm({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const heading = useTranslations('problems')
  const { problems, name, maskedEmail } = page
  const refused = refusedFields(page, t)
  return (
    <form action={page.submitUrl} className="mt-1 grid gap-4" method="post">
      {refused.length > 0 && (
        <ErrorSummary heading={heading('heading', { count: refused.length })} problems={refused} />
      )}
      <FormLanguage locale={page.locale} />
      <Lines page={page} />
      <Field
        autoComplete="name"
        defaultValue={name}
        error={problems.name ? t('problems.name') : undefined}
        label={t('name')}
        maxLength={255}
        name="name"
        required
      />
      <p className="text-note text-soft">{t('acknowledgedTo', { email: maskedEmail })}</p>
      <button className={primaryButton} name="intent" type="submit" value="check">
        {t('action')}
      </button>
    </form>
  )
}

function refusedFields({ problems, lines }: WithdrawalPage, t: ReturnType<typeof useTranslations<'withdrawal'>>) {
  const wrong = lines.filter(({ isWrong }) => isWrong)
  return [
    ...(problems.lines ? [{ field: 'lines', listed: t('problems.lines') }] : []),
    ...wrong.map(({ position, left }) => ({
      field: `quantity.${position}`,
      listed: t('problems.quantity', { left }),
    })),
    ...(problems.name ? [{ field: 'name', listed: t('problems.name') }] : []),
  ]
}

/**
 * The lines of a contract. If there are several lines, all are selected at first, so that an unchanged form withdraws
 * from all of them.
 */
function Lines({ page: { state, lines, problems, locale } }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const [only] = lines
  if (only && lines.length === 1)
    return (
      <>
        <input name="line" type="hidden" value={only.position} />
        {state === 'declared' && (
          <p>
            <Items items={lines} locale={locale} />
          </p>
        )}
        <Quantity line={only} />
      </>
    )
  return (
    <fieldset aria-describedby={problems.lines ? 'lines-error' : 'lines-hint'} className="min-w-0">
      <legend className="font-medium text-note">{t('lines')}</legend>
      <p className="text-note text-soft" id="lines-hint">
        {t('linesHint')}
      </p>
      {lines.map((line, index) => (
        <div key={line.position}>
          <label className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              className="size-4.5 shrink-0 accent-accent"
              defaultChecked={line.isChosen}
              id={index === 0 ? 'lines' : undefined}
              name="line"
              type="checkbox"
              value={line.position}
            />
            <span className="min-w-0">
              <Items items={[line]} locale={locale} />
            </span>
          </label>
          <div className="ps-7.5 pb-2">
            <Quantity line={line} />
          </div>
        </div>
      ))}
      {problems.lines && <FieldError id="lines-error">{t('problems.lines')}</FieldError>}
    </fieldset>
  )
}

/** The quantity to withdraw. The default is the whole remaining quantity. */
function Quantity({ line: { position, name, left, typed, isWrong } }: { line: WithdrawalPage['lines'][number] }) {
  const t = useTranslations('withdrawal')
  const id = `quantity.${position}`
  if (left === 1) return <input name={`left.${position}`} type="hidden" value={left} />
  return (
    <div>
      <input name={`left.${position}`} type="hidden" value={left} />
      <div className="flex items-center gap-3">
        <label className="text-note" htmlFor={id}>
          <span className="sr-only">{name}: </span>
          {t('howMany', { left })}
        </label>
        <input
          aria-describedby={isWrong ? `${id}-error` : undefined}
          aria-invalid={isWrong || undefined}
          autoComplete="off"
          className="control max-w-28"
          defaultValue={typed}
          id={id}
          inputMode="numeric"
          maxLength={6}
          name={id}
          type="text"
        />
      </div>
      {isWrong && <FieldError id={`${id}-error`}>{t('problems.quantity', { left })}</FieldError>}
    </div>
  )
}

function Review({ page }: { page: WithdrawalPage }) {
  const t = useTranslations('withdrawal')
  const { statement, name, maskedEmail } = page
  const chosen = page.lines.filter(({ isChosen }) => isChosen)
  return (
    <form action={page.submitUrl} className="mt-1 grid gap-4" method="post">
      <FormLanguage locale={page.locale} />
      <input name="name" type="hidden" value={name} />
      {chosen.map(({ position, quantity, left }) => (
        <Fragment key={position}>
          <input name="line" type="hidden" value={position} />
          <input name={`quantity.${position}`} type="hidden" value={quantity} />
          <input name={`left.${position}`} type="hidden" value={left} />
        </Fragment>
      ))}
      <blockquote className="rounded-box border border-line p-4">
        <p>{statement}</p>
        <p className="mt-2">{name}</p>
      </blockquote>
      {chosen.some(({ quantity, left }) => quantity < left) && (
        <p className="text-note text-soft">{t('restContinues')}</p>
      )}
      <p className="text-note text-soft">{t('acknowledgedTo', { email: maskedEmail })}</p>
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
