import type { ComponentProps } from 'react'
import { money } from '@/components/format.ts'
import { linkButton, primaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { FilteredList } from '@/lib/kernel/list.ts'
import { locales } from '@/lib/kernel/locale.ts'
import {
  type AdminCheckout,
  type AdminCheckoutPage,
  type AdminCheckoutRow,
  type CheckoutLinkForm,
  checkoutLinkLines,
  type ProductOption,
} from '@/lib/modules/checkouts/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable, Pager } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { languageName } from './language-field.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { mentioned } from './mentioned.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { Name } from './name.tsx'
import { Facts, FilterTabs, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface Props {
  list: FilteredList<AdminCheckoutRow>
  mayCreate: boolean
  path: string
}

export function Checkouts({ list, mayCreate, path }: Props) {
  return (
    <>
      <Heading action={mayCreate && { url: `${path}/checkouts/new`, text: t('checkouts.new') }}>
        {t('storefront.nav.checkouts')}
      </Heading>
      <FilterTabs
        filter={list.filter}
        textOf={(status) => t(`statuses.${status as AdminCheckout['status']}`)}
        url={`${path}/checkouts`}
      />
      <ListTools dates={list.dates} />
      <DataTable
        columns={[
          {
            label: 'orders.buyer',
            cell: ({ id, buyer }) => (
              <RowLink href={`${path}/checkouts/${id}`} text={buyer ?? t('checkouts.noBuyer')} />
            ),
          },
          { label: 'status', onPhone: 'bare', cell: ({ status }) => <StatusBadge status={status} /> },
          { label: 'checkouts.amount', isAmount: true, onPhone: 'corner', cell: amountOf },
          {
            label: 'orders.order',
            cell: ({ orderId }) => orderId && <a href={`${path}/orders/${orderId}`}>{t('checkouts.openOrder')}</a>,
          },
          { label: 'checkouts.expiresAt', cell: ({ expiresAt }) => expiresAt && <Moment at={expiresAt} /> },
          { label: 'created', sort: 'date', onPhone: 'bare', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        dates={list.dates}
        empty={
          <EmptyList
            docs="merchants/sell-a-subscription"
            list={list}
            none="lists.none.checkouts"
            text="checkouts.empty"
          />
        }
        keyOf={({ id }) => id}
        label={t('storefront.nav.checkouts')}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

/**
 * Shows the total of the order. Before the order exists, shows the price of the checkout, and whether the price
 * includes tax.
 */
const amountOf = ({ amount, taxBehavior }: AdminCheckoutRow) => (
  <>
    <Money amount={amount} />
    {taxBehavior && <span className="block text-note text-soft">{t(`checkouts.taxes.${taxBehavior}`)}</span>}
  </>
)

const billed = (interval: AdminCheckoutPage['lines'][number]['interval']) =>
  interval ? t(`reviews.intervals.${interval.unit}`, { count: interval.count }) : t('reviews.intervals.once')

export function Checkout({ page, path, outcome }: { page: AdminCheckoutPage; path: string; outcome: FormResult }) {
  const { checkout, lines } = page
  const { href } = checkout.links.checkoutUrl
  const isOpen = checkout.status === 'created' || checkout.status === 'failed'
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'checkouts.created' }} />
      <Heading note={<Id id={checkout.id} />}>{t('checkouts.checkout')}</Heading>
      <Facts
        facts={[
          ['status', t(`statuses.${checkout.status}`)],
          [
            'checkouts.link',
            isOpen && (
              <a className="break-all" href={href} key="link">
                {href}
              </a>
            ),
          ],
          ['checkouts.expiresAt', checkout.expiresAt && <Moment at={checkout.expiresAt} />],
          ...mentioned(path, page),
          ['checkouts.fields.redirectUrlSuccess', checkout.redirectUrlSuccess],
          ['checkouts.fields.redirectUrlCanceled', checkout.redirectUrlCanceled],
          ['created', <Moment at={checkout.createdAt} key="created" />],
        ]}
      />
      <Section id="lines" label="checkouts.lines">
        <DataTable
          columns={[
            {
              label: 'checkouts.product',
              cell: ({ productId, name, quantity }) => (
                <a href={`${path}/catalog/${productId}`}>
                  <Name>{`${quantity} × ${name}`}</Name>
                </a>
              ),
            },
            { label: 'reviews.fields.interval', cell: ({ interval }) => billed(interval) },
            { label: 'checkouts.fields.trialDays', isAmount: true, cell: ({ trialDays }) => trialDays },
            {
              label: 'subscriptions.price',
              isAmount: true,
              cell: ({ unitPrice }) => <Money amount={unitPrice} />,
            },
          ]}
          empty="storefront.nothing"
          keyOf={({ id }) => id}
          label={t('checkouts.lines')}
          rows={lines}
        />
      </Section>
    </>
  )
}

const urls = ['redirectUrlSuccess', 'redirectUrlCanceled'] as const

const lineLabels = {
  id: 'checkouts.product',
  quantity: 'checkouts.fields.quantity',
  'price.value': 'checkouts.fields.price',
  trialDays: 'checkouts.fields.trialDays',
} as const

const formLabels = (): Record<string, string> => ({
  ...Object.fromEntries(
    checkoutLinkLines.flatMap((index) =>
      Object.entries(lineLabels).map(([field, label]) => [
        `products.${index}.${field}`,
        `${t('checkouts.line', { number: index + 1 })}, ${t(label)}`,
      ]),
    ),
  ),
  ...Object.fromEntries([...urls, 'locale' as const].map((name) => [name, t(`checkouts.fields.${name}`)])),
  customerId: t('checkouts.fields.customerId'),
})

export function NewCheckout({ form, path, outcome }: { form: CheckoutLinkForm; path: string; outcome: FormResult }) {
  const { options, values, problems, formKey } = form
  const [first, ...others] = checkoutLinkLines
  // Opens the section for more products if the operator used one of its lines. A refused form contains the product id
  // of each used line, even if the id is empty.
  const areMoreOpen = others.some((index) => values[`products.${index}.id`] !== undefined)
  const line = (index: number) => <Line form={form} index={index} key={index} />
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      <FormProblems form="checkout" labels={formLabels()} problems={problems} />
      <p>
        <a href={`${path}/checkouts`}>{t('storefront.nav.checkouts')}</a>
      </p>
      <Heading note={t('checkouts.newText')}>{t('checkouts.new')}</Heading>
      {options.length === 0 ? (
        <p className="mt-4">{t('checkouts.nothingOnSale')}</p>
      ) : (
        <form action={`${path}/checkouts/submit`} className="mt-4 grid max-w-2xl gap-6" id="checkout" method="post">
          <input name="key" type="hidden" value={formKey} />
          {line(first)}
          <details open={areMoreOpen}>
            <summary className={linkButton}>{t('checkouts.moreProducts')}</summary>
            <div className="mt-4 grid gap-6">{others.map(line)}</div>
          </details>
          {urls.map((name) => (
            <Field
              autoComplete="off"
              defaultValue={values[name]}
              error={problems[name]}
              hint={t(`checkouts.hints.${name}`)}
              key={name}
              label={t(`checkouts.fields.${name}`)}
              maxLength={2048}
              name={name}
              required
            />
          ))}
          <Field
            autoComplete="off"
            defaultValue={values.customerId}
            error={problems.customerId}
            hint={t('checkouts.hints.customerId')}
            label={t('checkouts.fields.customerId')}
            maxLength={100}
            name="customerId"
          />
          <SelectField
            defaultValue={values.locale}
            error={problems.locale}
            label={t('checkouts.fields.locale')}
            name="locale"
          >
            <option value="">{t('checkouts.anyLanguage')}</option>
            {locales.map((locale) => (
              <option key={locale} value={locale}>
                {languageName(locale)}
              </option>
            ))}
          </SelectField>
          <button className={primaryButton} type="submit">
            {t('checkouts.create')}
          </button>
        </form>
      )}
    </>
  )
}

export const ProductSelect = ({
  options,
  ...select
}: Omit<ComponentProps<typeof SelectField>, 'children'> & { options: readonly ProductOption[] }) => (
  <SelectField {...select}>
    <option value="">{t('checkouts.choose')}</option>
    {options.map(({ id, name, price, interval, taxBehavior }) => (
      <option key={id} value={id}>
        {`${name}: ${money(price, adminLocale())}, ${billed(interval)}, ${t(`checkouts.taxes.${taxBehavior}`)}`}
      </option>
    ))}
  </SelectField>
)

function Line({ form: { options, values, problems }, index }: { form: CheckoutLinkForm; index: number }) {
  const of = (field: string) => {
    const name = `products.${index}.${field}`
    // If the price as a whole is invalid, the API reports the problem at `price`. The form shows the problem at the amount.
    const whole = field === 'price.value' ? problems[`products.${index}.price`] : undefined
    return { name, defaultValue: values[name], error: problems[name] ?? whole }
  }
  return (
    <fieldset className="grid gap-4 hand:grid-cols-4">
      <legend className="sr-only">{t('checkouts.line', { number: index + 1 })}</legend>
      <div className="hand:col-span-4">
        <ProductSelect {...of('id')} label={t('checkouts.product')} options={options} required={index === 0} />
      </div>
      <Field
        autoComplete="off"
        inputMode="numeric"
        label={t('checkouts.fields.quantity')}
        maxLength={9}
        {...of('quantity')}
        defaultValue={values[`products.${index}.quantity`] ?? '1'}
      />
      <div className="hand:col-span-2">
        <MoneyInput label={t('checkouts.fields.price')} {...of('price.value')} />
      </div>
      <Field
        autoComplete="off"
        inputMode="numeric"
        label={t('checkouts.fields.trialDays')}
        maxLength={9}
        {...of('trialDays')}
      />
    </fieldset>
  )
}
