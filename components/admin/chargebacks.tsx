import { secondaryButton } from '@/components/ui/button.ts'
import {
  type AdminChargeback,
  type ChargebacksPage,
  type OpenDisputesPage,
  reasonText,
} from '@/lib/modules/chargebacks/page.ts'
import { StatusBadge } from './badges.tsx'
import { type Column, DataTable, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Name } from './name.tsx'
import { FilterTabs, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export const chargebackReason = (chargeback: AdminChargeback) =>
  reasonText(chargeback.reason, (known) => t(`chargebackReasons.${known}`))

interface ListProps {
  page: ChargebacksPage
  path: string
  outcome: FormResult
}

export function Chargebacks({ page, path, outcome }: ListProps) {
  return (
    <>
      <FormResultNotice {...outcome} texts={{ on: 'chargebacks.end.done.on', off: 'chargebacks.end.done.off' }} />
      <Heading>{t('storefront.nav.chargebacks')}</Heading>
      <FilterTabs
        filter={page.filter}
        textOf={(status) => t(`chargebacks.statuses.${status}`)}
        url={`${path}/chargebacks`}
      />
      <ListTools dates={page.dates} />
      <DisputeTable list={page} path={path} />
      <Pager {...page} />
      <EndSubscriptions of={page.endSubscriptions} path={path} />
    </>
  )
}

const EndSubscriptions = ({ of, path }: { of: ChargebacksPage['endSubscriptions']; path: string }) => (
  <Section id="end" label="chargebacks.end.heading">
    <p className="mt-2 max-w-2xl text-soft">{t(of.isOn ? 'chargebacks.end.on' : 'chargebacks.end.off')}</p>
    {of.mayChange && (
      <form action={`${path}/chargebacks/submit`} className="mt-4" method="post">
        <input name="key" type="hidden" value={of.formKey} />
        <button className={secondaryButton} name="intent" type="submit" value={of.isOn ? 'off' : 'on'}>
          {t(of.isOn ? 'chargebacks.end.switchOff' : 'chargebacks.end.switchOn')}
        </button>
      </form>
    )}
  </Section>
)

const status: Column<AdminChargeback> = {
  label: 'status',
  onPhone: 'bare',
  cell: (row) => <StatusBadge status={row.status} text={t(`chargebacks.statuses.${row.status}`)} />,
}
const disputed: Column<AdminChargeback> = {
  label: 'chargebacks.disputed',
  isAmount: true,
  onPhone: 'corner',
  cell: ({ amount }) => <Money amount={amount} />,
}
const created: Column<AdminChargeback> = {
  label: 'created',
  sort: 'date',
  cell: ({ createdAt }) => <Moment at={createdAt} />,
}

const DisputeTable = ({ list, path }: { list: ChargebacksPage; path: string }) => (
  <DataTable
    columns={[
      {
        label: 'subscriptions.customer',
        cell: (row) => <RowLink href={`${path}/chargebacks/${row.id}`} text={row.customer ?? chargebackReason(row)} />,
      },
      { label: 'chargebacks.reason', onPhone: 'bare', cell: chargebackReason },
      status,
      disputed,
      { label: 'disputes.respondBy', cell: ({ respondBy }) => respondBy && <Moment at={respondBy} /> },
      created,
    ]}
    dates={list.dates}
    empty={
      <EmptyList
        docs="merchants/refunds-and-disputes"
        list={list}
        none="lists.none.chargebacks"
        text="chargebacks.empty"
      />
    }
    keyOf={({ id }) => id}
    label={t('storefront.nav.chargebacks')}
    rows={list.rows}
  />
)

/** The disputes of one customer or one order. The table omits the customer, because the page names the customer. */
export const ChargebackTable = ({ chargebacks, path }: { chargebacks: readonly AdminChargeback[]; path: string }) => (
  <DataTable
    columns={[
      {
        label: 'chargebacks.reason',
        cell: (row) => <RowLink href={`${path}/chargebacks/${row.id}`} text={chargebackReason(row)} />,
      },
      status,
      disputed,
      created,
    ]}
    empty="chargebacks.empty"
    keyOf={({ id }) => id}
    label={t('storefront.nav.chargebacks')}
    rows={chargebacks}
  />
)

export function OpenDisputes({ page }: { page: OpenDisputesPage }) {
  return (
    <>
      <Heading note={t('chargebacks.openText')}>{t('nav.disputes')}</Heading>
      <FilterTabs
        filter={page.filter}
        textOf={(status) => t(`chargebacks.statuses.${status}`)}
        url="/admin/chargebacks"
      />
      <DataTable
        columns={[
          {
            label: 'disputes.respondBy',
            cell: ({ url, respondBy }) => (
              <a className="row-link" href={url}>
                {respondBy ? <Moment at={respondBy} /> : t('chargebacks.noDeadline')}
              </a>
            ),
          },
          status,
          {
            label: 'storefronts.name',
            onPhone: 'bare',
            cell: ({ storefront, testmode }) => (
              <>
                <Name>{storefront}</Name>
                <span className="block text-soft">{t(`storefront.modes.${testmode ? 'test' : 'live'}`)}</span>
              </>
            ),
          },
          { label: 'subscriptions.customer', onPhone: 'bare', cell: ({ customer }) => <Name>{customer}</Name> },
          { label: 'chargebacks.reason', cell: chargebackReason },
          disputed,
        ]}
        empty={<EmptyList docs="admin-area" list={page} none="lists.none.chargebacks" text="chargebacks.noneOpen" />}
        keyOf={({ id }) => id}
        label={t('nav.disputes')}
        rows={page.rows}
      />
      <Pager {...page} />
    </>
  )
}
