import { linkButton, primaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { FilteredList } from '@/lib/kernel/list.ts'
import { locales } from '@/lib/kernel/locale.ts'
import { checkoutLinkLines } from '@/lib/modules/checkouts/page.ts'
import type { PaymentLinkForm, PaymentLinkRow, paymentLinkStatuses } from '@/lib/modules/payment-links/page.ts'
import { StatusBadge } from './badges.tsx'
import { ProductSelect } from './checkouts.tsx'
import { DataTable, Pager } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { languageName } from './language-field.tsx'
import { EmptyList } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { FilterTabs, type FormResult, FormResultNotice, Heading } from './page-parts.tsx'
import { adminText as t } from './text.ts'

interface Props {
  list: FilteredList<PaymentLinkRow>
  mayCreate: boolean
  path: string
}

type Status = (typeof paymentLinkStatuses)[number]

export function PaymentLinks({ list, mayCreate, path }: Props) {
  return (
    <>
      <Heading
        action={mayCreate && { url: `${path}/payment-links/new`, text: t('paymentLinks.new') }}
        note={t('paymentLinks.text')}
      >
        {t('storefront.nav.payment-links')}
      </Heading>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`paymentLinks.statuses.${status as Status}`)}
        url={`${path}/payment-links`}
      />
      <DataTable
        columns={[
          {
            label: 'paymentLinks.paymentLink',
            cell: ({ link: { id, name } }) => <RowLink href={`${path}/payment-links/${id}`} text={name} />,
          },
          {
            label: 'status',
            onPhone: 'corner',
            cell: ({ link: { active } }) => <PaymentLinkBadge active={active} />,
          },
          {
            label: 'paymentLinks.orders',
            isAmount: true,
            cell: ({ sales }) => sales.reduce((sum, { orders }) => sum + orders, 0),
          },
          {
            label: 'paymentLinks.revenue',
            isAmount: true,
            cell: ({ sales }) =>
              sales.length > 0 && (
                <span className="grid">
                  {sales.map(({ total }) => (
                    <Money amount={total} key={total.currency} />
                  ))}
                </span>
              ),
          },
          { label: 'paymentLinks.address', cell: ({ link }) => <Id id={link.url} /> },
          { label: 'created', cell: ({ link }) => <Moment at={link.createdAt} /> },
        ]}
        empty={
          <EmptyList
            docs="merchants/payment-links"
            list={list}
            none="lists.none.payment-links"
            text="paymentLinks.empty"
          />
        }
        keyOf={({ link }) => link.id}
        label={t('storefront.nav.payment-links')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

export function PaymentLinkBadge({ active }: { active: boolean }) {
  const status = active ? 'active' : 'ended'
  return <StatusBadge status={status} text={t(`paymentLinks.statuses.${status}`)} />
}

const lineLabels = {
  id: 'checkouts.product',
  quantity: 'checkouts.fields.quantity',
  minQuantity: 'paymentLinks.fields.minQuantity',
  maxQuantity: 'paymentLinks.fields.maxQuantity',
  'price.value': 'checkouts.fields.price',
  trialDays: 'checkouts.fields.trialDays',
} as const

const formLabels = (): Record<string, string> => ({
  ...Object.fromEntries(
    checkoutLinkLines.flatMap((index) =>
      Object.entries(lineLabels).map(([field, label]) => [
        `items.${index}.${field}`,
        `${t('checkouts.line', { number: index + 1 })}, ${t(label)}`,
      ]),
    ),
  ),
  name: t('paymentLinks.fields.name'),
  redirectUrlSuccess: t('checkouts.fields.redirectUrlSuccess'),
  locale: t('checkouts.fields.locale'),
})

export function NewPaymentLink({ form, path, outcome }: { form: PaymentLinkForm; path: string; outcome: FormResult }) {
  const { options, values, problems, formKey } = form
  const [first, ...others] = checkoutLinkLines
  // Opens the section for more products if the operator used one of its lines. A refused form contains the product id
  // of each used line, even if the id is empty.
  const areMoreOpen = others.some((index) => values[`items.${index}.id`] !== undefined)
  const line = (index: number) => <Line form={form} index={index} key={index} />
  const of = (name: string) => ({ name, defaultValue: values[name], error: problems[name] })
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      <FormProblems form="payment-link" labels={formLabels()} problems={problems} />
      <p>
        <a href={`${path}/payment-links`}>{t('storefront.nav.payment-links')}</a>
      </p>
      <Heading note={t('paymentLinks.newText')}>{t('paymentLinks.new')}</Heading>
      {options.length === 0 ? (
        <p className="mt-4">{t('checkouts.nothingOnSale')}</p>
      ) : (
        <form
          action={`${path}/payment-links/submit`}
          className="mt-4 grid max-w-2xl gap-6"
          id="payment-link"
          method="post"
        >
          <input name="key" type="hidden" value={formKey} />
          <Field
            autoComplete="off"
            hint={t('paymentLinks.hints.name')}
            label={t('paymentLinks.fields.name')}
            maxLength={255}
            required
            {...of('name')}
          />
          {line(first)}
          <details open={areMoreOpen}>
            <summary className={linkButton}>{t('checkouts.moreProducts')}</summary>
            <div className="mt-4 grid gap-6">{others.map(line)}</div>
          </details>
          <Field
            autoComplete="off"
            hint={t('paymentLinks.hints.redirectUrlSuccess')}
            label={t('checkouts.fields.redirectUrlSuccess')}
            maxLength={2048}
            {...of('redirectUrlSuccess')}
          />
          <SelectField label={t('checkouts.fields.locale')} {...of('locale')}>
            <option value="">{t('checkouts.anyLanguage')}</option>
            {locales.map((locale) => (
              <option key={locale} value={locale}>
                {languageName(locale)}
              </option>
            ))}
          </SelectField>
          <button className={primaryButton} type="submit">
            {t('paymentLinks.create')}
          </button>
        </form>
      )}
    </>
  )
}

const numbers = ['quantity', 'minQuantity', 'maxQuantity', 'trialDays'] as const

function Line({ form: { options, values, problems }, index }: { form: PaymentLinkForm; index: number }) {
  const of = (field: keyof typeof lineLabels) => {
    const name = `items.${index}.${field}`
    const whole = field === 'price.value' ? problems[`items.${index}.price`] : undefined
    return { name, label: t(lineLabels[field]), defaultValue: values[name], error: problems[name] ?? whole }
  }
  return (
    <fieldset className="grid gap-4 hand:grid-cols-4">
      <legend className="sr-only">{t('checkouts.line', { number: index + 1 })}</legend>
      <div className="hand:col-span-4">
        <ProductSelect {...of('id')} options={options} required={index === 0} />
      </div>
      {numbers.map((field) => (
        <Field autoComplete="off" inputMode="numeric" key={field} maxLength={9} {...of(field)} />
      ))}
      <div className="hand:col-span-2">
        <MoneyInput {...of('price.value')} />
      </div>
    </fieldset>
  )
}
