import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import {
  type ChangePage,
  type ChangePreview,
  changeFields,
  type RenewalsWait,
} from '@/lib/modules/subscriptions/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { refusalText } from './refusal-text.ts'
import { isAnyCharge, NextCharges, Scheduled } from './subscription.tsx'
import { Taxes } from './taxes.tsx'
import { adminLocale, adminText as t } from './text.ts'

export function SubscriptionChange({ page, path, outcome }: { page: ChangePage; path: string; outcome: FormResult }) {
  const { subscription: of, values, preview, formKey } = page
  const problems = sentencesOf(page)
  const url = `${path}/subscriptions/${of.id}`
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      <FormProblems
        form="change"
        labels={{
          subscriptionPlanId: t('change.fields.plan'),
          quantity: t('change.fields.quantity'),
          'price.value': t('change.fields.price'),
          when: t('change.fields.when'),
          terms: t('change.preview'),
          code: t('secondFactor.code'),
        }}
        problems={problems}
      />
      <p>
        <a href={url}>{`${of.quantity} × ${of.name}`}</a>
      </p>
      <Heading>{t('change.heading')}</Heading>
      {of.scheduledUpdate && (
        <Facts facts={[['subscriptions.scheduled', <Scheduled key="scheduled" update={of.scheduledUpdate} />]]} />
      )}
      <ChangeForm page={page} problems={problems} url={`${url}/change`} />
      {preview &&
        (preview.changesAnything ? (
          <Section id="terms" isAskedFor label="change.preview">
            <Preview preview={preview} wait={page.renewalsWait} />
            <form
              action={`${url}/change/submit`}
              className="mt-6 grid max-w-xl justify-items-start gap-4"
              method="post"
            >
              {changeFields.map((name) => (
                <input key={name} name={name} type="hidden" value={values[name]} />
              ))}
              <input name="key" type="hidden" value={formKey} />
              <input name="terms" type="hidden" value={page.terms} />
              {page.needsCode && <CodeField error={problems.code} hint={t('passkeys.codeHint')} />}
              <button className={primaryButton} type="submit">
                {preview.now
                  ? t('change.confirmAndCharge', { total: money(preview.now.total, adminLocale()) })
                  : t('change.confirm')}
              </button>
            </form>
          </Section>
        ) : (
          <p
            // biome-ignore lint/a11y/noAutofocus: the reader has just requested the preview, which is below a long form
            autoFocus
            className="mt-6"
            role="status"
            tabIndex={-1}
          >
            {t('change.nothing')}
          </p>
        ))}
    </>
  )
}

type Sentences = Readonly<Record<string, string>>

const sentencesOf = ({ problems }: ChangePage): Sentences =>
  Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, sentenceOf(problem)]))

function sentenceOf(problem: ChangePage['problems'][string]): string {
  if (typeof problem === 'string') return problem
  if (problem.code === 'refused') return refusalText(problem.refusal)
  return problem.code === 'tooLittle'
    ? t('change.problems.tooLittle', { least: money(problem.least, adminLocale()) })
    : t(`change.problems.${problem.code}`)
}

function ChangeForm({ page, problems, url }: { page: ChangePage; problems: Sentences; url: string }) {
  const { subscription: of, plans, values } = page
  const choice = (name: 'when' | 'prorate' | 'invoice', options: readonly string[]) => (
    <SelectField
      defaultValue={values[name]}
      error={problems[name]}
      hint={t(`change.hints.${name}`)}
      label={t(`change.fields.${name}`)}
      name={name}
    >
      {options.map((each) => (
        <option key={each} value={each}>
          {t(`change.options.${name}.${each}` as 'change.options.when.now')}
        </option>
      ))}
    </SelectField>
  )
  return (
    <form action={url} className="mt-4 grid max-w-xl gap-4" id="change" method="get">
      <SelectField
        defaultValue={values.subscriptionPlanId}
        error={problems.subscriptionPlanId}
        label={t('change.fields.plan')}
        name="subscriptionPlanId"
      >
        <option value="">{t('change.samePlan', { name: of.name })}</option>
        {of.scheduledUpdate && of.scheduledUpdate.subscriptionPlanId !== of.subscriptionPlanId && (
          <option value={of.subscriptionPlanId}>{t('change.keepPlan', { name: of.name })}</option>
        )}
        {plans.map(({ id, name, price, interval, intervalCount }) => (
          <option key={id} value={id}>
            {`${name}: ${money(price, adminLocale())}, ${t(`reviews.intervals.${interval}`, { count: intervalCount })}`}
          </option>
        ))}
      </SelectField>
      <Field
        autoComplete="off"
        defaultValue={values.quantity}
        error={problems.quantity}
        hint={quantityHint(of)}
        inputMode="numeric"
        label={t('change.fields.quantity')}
        maxLength={9}
        name="quantity"
      />
      <MoneyInput
        defaultValue={values['price.value']}
        error={problems['price.value'] ?? problems.price}
        hint={priceHint(of)}
        label={t('change.fields.price')}
        name="price.value"
      />
      {choice('when', ['now', 'renewal'])}
      {choice('prorate', ['yes', 'no'])}
      {choice('invoice', ['now', 'renewal'])}
      <p>
        <button className={secondaryButton} type="submit">
          {t('change.show')}
        </button>
      </p>
    </form>
  )
}

function quantityHint({ quantity, scheduledUpdate }: ChangePage['subscription']): string {
  const scheduled = scheduledUpdate?.quantity ?? quantity
  return scheduled === quantity
    ? t('change.hints.quantity', { quantity })
    : t('change.hints.quantityScheduled', { quantity, scheduled })
}

function priceHint({ basePrice, scheduledUpdate }: ChangePage['subscription']): string {
  const [price, scheduled] = [
    money(basePrice, adminLocale()),
    money(scheduledUpdate?.basePrice ?? basePrice, adminLocale()),
  ]
  return scheduled === price
    ? t('change.hints.price', { price })
    : t('change.hints.priceScheduled', { price, scheduled })
}

function Preview({ preview, wait }: { preview: ChangePreview; wait: RenewalsWait }) {
  const { now, atRenewal } = preview
  return (
    <>
      {now ? <Quote label="change.now" quote={now} /> : <p className="mt-2">{t('change.nothingNow')}</p>}
      {atRenewal && <Quote label="change.atRenewal" quote={atRenewal} />}
      {isAnyCharge(preview) && (
        <Facts facts={[['subscriptions.nextCharge', <NextCharges charges={preview} key="nextCharge" wait={wait} />]]} />
      )}
    </>
  )
}

type Quoted = NonNullable<ChangePreview['now']>

const Quote = ({ label, quote }: { label: 'change.now' | 'change.atRenewal'; quote: Quoted }) => (
  <div className="mt-4">
    <h3 className="font-medium">{t(label)}</h3>
    <DataTable
      columns={[
        { label: 'change.line', cell: ({ description }) => description },
        { label: 'orders.subtotal', isAmount: true, cell: ({ subtotal }) => <Money amount={subtotal} /> },
      ]}
      empty="change.nothing"
      keyOf={({ description }) => description}
      label={t(label)}
      rows={quote.lines}
    />
    <Facts
      facts={[
        ['orders.subtotal', <Money amount={quote.subtotal} key="subtotal" />],
        ['orders.tax', <Taxes key="tax" taxes={quote.taxes} />],
        ['orders.total', <Money amount={quote.total} key="total" />],
      ]}
    />
  </div>
)
