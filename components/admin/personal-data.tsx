import { secondaryButton } from '@/components/ui/button.ts'
import { Field, TickField } from '@/components/ui/field.tsx'
import type { PersonalDataPage } from '@/lib/modules/personal-data/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Name } from './name.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { type AdminKey, adminText as t } from './text.ts'

type Obstacle = NonNullable<PersonalDataPage['customer']>['obstacles'][number]

function statusText(kind: Obstacle['kind'], status: string): string {
  if (kind === 'chargebacks') return t(`chargebacks.statuses.${status}` as AdminKey)
  return t(`statuses.${status}` as AdminKey)
}

interface Props {
  page: PersonalDataPage
  outcome: FormResult
}

export function PersonalData({ page: { q, found, customer, problems, formKey }, outcome }: Props) {
  return (
    <>
      <FormResultNotice {...outcome} texts={{ erased: 'personalData.done.erased' }} />
      <FormProblems
        form="erase"
        labels={{ confirmed: t('personalData.confirm'), code: t('secondFactor.code') }}
        problems={problems}
      />
      <Heading note={t('personalData.text')}>{t('nav.personal-data')}</Heading>
      <form action="/admin/personal-data/submit" className="mt-4 flex max-w-xl flex-wrap items-end gap-4" method="post">
        <input name="intent" type="hidden" value="find" />
        <Field defaultValue={q} label={t('personalData.find')} maxLength={254} name="q" required />
        <button className={secondaryButton} type="submit">
          {t('customers.filter')}
        </button>
      </form>
      {found && (
        <DataTable
          columns={[
            { label: 'customers.email', cell: ({ email, url }) => <RowLink href={url} text={email} /> },
            { label: 'customers.name', onPhone: 'bare', cell: ({ name }) => <Name>{name}</Name> },
            { label: 'storefronts.name', onPhone: 'bare', cell: ({ storefront }) => <Name>{storefront}</Name> },
            { label: 'chargebacks.mode', onPhone: 'corner', cell: ({ mode }) => t(`storefront.modes.${mode}`) },
          ]}
          empty="personalData.none"
          keyOf={({ id }) => id}
          label={t('personalData.found')}
          rows={found}
        />
      )}
      {customer && <Customer customer={customer} formKey={formKey} problems={problems} />}
    </>
  )
}

type CustomerProps = Pick<PersonalDataPage, 'problems' | 'formKey'> & {
  customer: NonNullable<PersonalDataPage['customer']>
}

const Customer = ({ customer, problems, formKey }: CustomerProps) => (
  <>
    <Section id="customer" label="personalData.customer">
      <Facts
        facts={[
          ['customers.email', customer.email],
          ['customers.name', customer.name],
          ['storefronts.name', `${customer.storefront} · ${t(`storefront.modes.${customer.mode}`)}`],
          ['customers.id', <Id id={customer.id} key="id" />],
          ['personalData.erasedAt', customer.erasedAt && <Moment at={customer.erasedAt} />],
        ]}
      />
      <p className="mt-2">
        <a href={customer.url}>{t('personalData.open')}</a>
      </p>
    </Section>
    <Section id="export" label="personalData.export">
      <p className="mt-1 max-w-2xl text-soft">{t('personalData.exportText')}</p>
      <form action={customer.exportUrl} className="mt-2" method="post">
        <button className={secondaryButton} type="submit">
          {t('personalData.exportAction')}
        </button>
      </form>
    </Section>
    <Section id="erase" label="personalData.erase">
      <p className="mt-1 max-w-2xl text-soft">{t('personalData.eraseText')}</p>
      {customer.obstacles.length > 0 ? (
        <>
          <p className="mt-2 font-semibold">{t('personalData.obstacles')}</p>
          <ul className="mt-1 list-disc ps-6">
            {customer.obstacles.map(({ kind, id, status }) => (
              <li className="wrap-anywhere" key={id}>
                {t(kind === 'refunds' ? 'orders.refunds' : `storefront.nav.${kind}`)}:{' '}
                <a href={`/admin/search?${new URLSearchParams({ q: id })}`}>{id}</a>, {statusText(kind, status)}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <form action="/admin/personal-data/submit" className="mt-4 grid max-w-xl gap-4" method="post">
          <input name="key" type="hidden" value={formKey} />
          <input name="customer" type="hidden" value={customer.id} />
          <TickField error={problems.confirmed} label={t('personalData.confirm')} name="confirmed" />
          <CodeField error={problems.code} hint={t('passkeys.codeHint')} />
          <p>
            <button className={secondaryButton} name="intent" type="submit" value="erase">
              {t('personalData.eraseAction')}
            </button>
          </p>
        </form>
      )}
    </Section>
  </>
)
