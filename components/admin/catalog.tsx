import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { AreaField, Field, SelectField } from '@/components/ui/field.tsx'
import type { Interval } from '@/lib/kernel/calendar.ts'
import type { AdminList } from '@/lib/kernel/list.ts'
import type { CatalogForm, CatalogItem, CatalogPage } from '@/lib/modules/catalog/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable, Pager } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { EmptyList } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section, Tabs } from './page-parts.tsx'
import { adminLocale, adminText as t } from './text.ts'

const kinds = ['subscription_plan', 'one_off_product'] as const
type Kind = (typeof kinds)[number]

const CatalogBadge = ({ item: { status, archivedAt } }: { item: CatalogItem }) => (
  <StatusBadge status={archivedAt ? 'archived' : status} />
)

interface Cycle {
  readonly resource: CatalogItem['resource']
  readonly interval?: Interval | undefined
  readonly intervalCount?: number | undefined
}

const billedOf = ({ interval, intervalCount = 1 }: Cycle) =>
  interval ? t(`reviews.intervals.${interval}`, { count: intervalCount }) : t('reviews.intervals.once')

interface CatalogProps {
  list: AdminList<CatalogItem>
  kind: Kind
  mayCreate: boolean
  path: string
  outcome: FormResult
}

export function Catalog({ list, kind, mayCreate, path, outcome }: CatalogProps) {
  return (
    <>
      <FormResultNotice {...outcome} texts={{ created: 'catalog.done.created' }} />
      <Heading action={mayCreate && { url: `${path}/catalog/new?kind=${kind}`, text: t(`catalog.new.${kind}`) }}>
        {t('storefront.nav.catalog')}
      </Heading>
      <Tabs
        label={t('catalog.kind')}
        tabs={kinds.map((each) => ({
          url: `${path}/catalog?kind=${each}`,
          text: t(`catalog.kinds.${each}`),
          isOpen: each === kind,
        }))}
      />
      <DataTable
        columns={[
          {
            label: 'catalog.name',
            cell: ({ id, name }) => <RowLink href={`${path}/catalog/${id}`} text={name} />,
          },
          { label: 'status', onPhone: 'corner', cell: (item) => <CatalogBadge item={item} /> },
          { label: 'reviews.fields.price', isAmount: true, cell: ({ basePrice }) => <Money amount={basePrice} /> },
          {
            label: 'reviews.fields.taxBehavior',
            cell: ({ taxBehavior }) => t(`reviews.taxBehaviors.${taxBehavior}`),
          },
          { label: 'reviews.fields.interval', cell: billedOf },
          {
            label: 'catalog.update',
            cell: ({ updateStatus }) => updateStatus && t(`reviews.states.${updateStatus}`),
          },
        ]}
        empty={<EmptyList docs="merchants/sell-a-subscription" list={list} text={`catalog.empty.${kind}`} />}
        keyOf={({ id }) => id}
        label={t(`catalog.kinds.${kind}`)}
        rows={list.rows}
      />
      <Pager {...list} />
    </>
  )
}

export function CatalogItemView({ page, path, outcome }: { page: CatalogPage; path: string; outcome: FormResult }) {
  const { item, rejectionReason, form } = page
  const pending = item.pendingUpdates
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {form && <ItemProblems form={form} />}
      <Back kind={item.resource} path={path} />
      <Heading note={<Id id={item.id} />}>{item.name}</Heading>
      <Facts
        facts={[
          ['status', <CatalogBadge item={item} key="status" />],
          ['catalog.rejected', rejectionReason],
          ['reviews.fields.price', <Money amount={item.basePrice} key="price" />],
          ['reviews.fields.taxBehavior', t(`reviews.taxBehaviors.${item.taxBehavior}`)],
          ['reviews.fields.interval', billedOf(item)],
          ['reviews.fields.productType', t(`reviews.productTypes.${item.productType}`)],
          [
            'reviews.fields.description',
            <span className="whitespace-pre-wrap" key="description">
              {item.description}
            </span>,
          ],
          ['created', <Moment at={item.createdAt} key="created" />],
        ]}
      />
      {pending && item.updateStatus && (
        <Section id="pending" label="catalog.update">
          <p className="mt-2 text-soft">{t(`catalog.updateStates.${item.updateStatus}`)}</p>
          <Facts
            facts={[
              ['reviews.fields.name', pending.name],
              ['reviews.fields.price', pending.basePrice && money(pending.basePrice, adminLocale())],
              [
                'reviews.fields.interval',
                'interval' in pending || 'intervalCount' in pending ? billedOf({ ...item, ...pending }) : null,
              ],
              ['reviews.fields.description', pending.description],
            ]}
          />
        </Section>
      )}
      {form && (
        <Section id="change" label="catalog.change">
          {item.status === 'active' && <p className="mt-2 text-soft">{t(`catalog.changeText.${mode(form)}`)}</p>}
          <ItemForm action={`${path}/catalog/${item.id}/submit`} form={form} isNew={false} />
          <form action={`${path}/catalog/${item.id}/submit`} className="mt-6 grid gap-1" method="post">
            <input name="key" type="hidden" value={form.formKey} />
            <p>
              <button
                className={secondaryButton}
                name="intent"
                type="submit"
                value={item.archivedAt ? 'unarchive' : 'archive'}
              >
                {t(item.archivedAt ? 'catalog.unarchive' : 'catalog.archive')}
              </button>
            </p>
            <p className="text-note text-soft">
              {t(item.archivedAt ? 'catalog.unarchiveHint' : 'catalog.archiveHint')}
            </p>
          </form>
        </Section>
      )}
    </>
  )
}

const mode = ({ testmode }: CatalogForm) => (testmode ? 'test' : 'live')

const Back = ({ path, kind }: { path: string; kind: Kind }) => (
  <p>
    <a href={`${path}/catalog?kind=${kind}`}>{t(`catalog.kinds.${kind}`)}</a>
  </p>
)

const done = {
  updated: 'catalog.done.updated',
  archived: 'catalog.done.archived',
  unarchived: 'catalog.done.unarchived',
} as const

export function NewCatalogItem({ form, path, outcome }: { form: CatalogForm; path: string; outcome: FormResult }) {
  return (
    <>
      <FormResultNotice {...outcome} texts={{}} />
      <ItemProblems form={form} />
      <Back kind={form.kind} path={path} />
      <Heading note={t(`catalog.newText.${mode(form)}`)}>{t(`catalog.new.${form.kind}`)}</Heading>
      <ItemForm action={`${path}/catalog/submit`} form={form} isNew />
    </>
  )
}

const labels = () => ({
  name: t('reviews.fields.name'),
  description: t('reviews.fields.description'),
  'basePrice.value': t('catalog.price'),
  taxBehavior: t('reviews.fields.taxBehavior'),
  productType: t('reviews.fields.productType'),
  intervalCount: t('catalog.every'),
  interval: t('catalog.unit'),
})

const ItemProblems = ({ form: { problems } }: { form: CatalogForm }) => (
  <FormProblems form="item" labels={labels()} problems={problems} />
)

const intervals: readonly Interval[] = ['day', 'week', 'month', 'year']

function ItemForm({ form, action, isNew }: { form: CatalogForm; action: string; isNew: boolean }) {
  const { kind, testmode, values, terms, problems, formKey } = form
  const isPlan = kind === 'subscription_plan'
  const types = isPlan ? (['saas'] as const) : (['saas', 'ebook'] as const)
  return (
    <form action={action} className="mt-4 grid max-w-xl gap-4" id="item" method="post">
      <input name="key" type="hidden" value={formKey} />
      {terms && <input name="terms" type="hidden" value={terms} />}
      <input name="kind" type="hidden" value={kind} />
      <Field
        autoComplete="off"
        defaultValue={values.name}
        error={problems.name}
        hint={t('catalog.nameHint')}
        label={t('reviews.fields.name')}
        maxLength={255}
        minLength={3}
        name="name"
        required
      />
      <AreaField
        defaultValue={values.description}
        error={problems.description}
        hint={t('reviews.reasonHint')}
        label={t('reviews.fields.description')}
        maxLength={2000}
        name="description"
        required
      />
      <MoneyInput
        defaultValue={values['basePrice.value']}
        error={problems['basePrice.value'] ?? problems.basePrice}
        hint={t('catalog.priceHint')}
        label={t('catalog.price')}
        name="basePrice.value"
        required
      />
      {isNew && (
        <SelectField
          defaultValue={values.taxBehavior}
          error={problems.taxBehavior}
          hint={t('catalog.taxHint')}
          label={t('reviews.fields.taxBehavior')}
          name="taxBehavior"
        >
          {(['exclusive', 'inclusive'] as const).map((each) => (
            <option key={each} value={each}>
              {t(`reviews.taxBehaviors.${each}`)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        defaultValue={values.productType}
        error={problems.productType}
        label={t('reviews.fields.productType')}
        name="productType"
      >
        {types.map((each) => (
          <option key={each} value={each}>
            {t(`reviews.productTypes.${each}`)}
          </option>
        ))}
      </SelectField>
      {isPlan && (
        <fieldset className="grid grid-cols-2 gap-4">
          <legend className="sr-only">{t('reviews.fields.interval')}</legend>
          <Field
            autoComplete="off"
            defaultValue={values.intervalCount}
            error={problems.intervalCount}
            inputMode="numeric"
            label={t('catalog.every')}
            maxLength={9}
            name="intervalCount"
            required
          />
          <SelectField
            defaultValue={values.interval}
            error={problems.interval}
            label={t('catalog.unit')}
            name="interval"
          >
            {intervals
              .filter((each) => testmode || each !== 'day')
              .map((each) => (
                <option key={each} value={each}>
                  {t(`catalog.units.${each}`)}
                </option>
              ))}
          </SelectField>
        </fieldset>
      )}
      <button className={primaryButton} name="intent" type="submit" value="update">
        {t(isNew ? `catalog.new.${kind}` : 'catalog.submit')}
      </button>
    </form>
  )
}
