import { secondaryButton } from '@/components/ui/button.ts'
import {
  type AdminChargeback,
  type ChargebacksPage,
  type ChargebackToDecide,
  reasonText,
} from '@/lib/modules/chargebacks/page.ts'
import { StatusBadge } from './badges.tsx'
import { DataTable, Export, Pager } from './data-table.tsx'
import { RowLink } from './id.tsx'
import { EmptyList, ListTools } from './list-tools.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
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
      <ChargebackTable chargebacks={page.rows} list={page} path={path} />
      <Pager {...page} />
      <EndSubscriptions of={page.endSubscriptions} path={path} />
    </>
  )
}

/** The setting whether disputes end subscriptions. */
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

export const ChargebackTable = ({
  chargebacks,
  path,
  list,
}: {
  chargebacks: readonly AdminChargeback[]
  path: string
  /** The list with these disputes, on its own page. */
  list?: Pick<ChargebacksPage, 'dates' | 'clearUrl' | 'actionUrl'>
}) => (
  <DataTable
    columns={[
      {
        label: 'chargebacks.reason',
        cell: (row) => <RowLink href={`${path}/chargebacks/${row.id}`} text={chargebackReason(row)} />,
      },
      {
        label: 'status',
        onPhone: 'bare',
        cell: ({ status }) => <StatusBadge status={status} text={t(`chargebacks.statuses.${status}`)} />,
      },
      { label: 'chargebacks.disputed', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
      { label: 'created', isSorted: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
    ]}
    dates={list?.dates}
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
    rows={chargebacks}
  />
)

/** The chargebacks of all storefronts that wait for a decision. */
export function ChargebacksToDecide({ waiting }: { waiting: readonly ChargebackToDecide[] }) {
  return (
    <>
      <Heading note={t('chargebacks.toDecideText')}>{t('nav.disputes')}</Heading>
      <DataTable
        columns={[
          { label: 'chargebacks.reason', cell: (row) => <RowLink href={row.url} text={chargebackReason(row)} /> },
          { label: 'storefronts.name', cell: ({ storefront }) => storefront },
          { label: 'chargebacks.mode', cell: ({ testmode }) => t(`storefront.modes.${testmode ? 'test' : 'live'}`) },
          { label: 'chargebacks.disputed', isAmount: true, cell: ({ amount }) => <Money amount={amount} /> },
          { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
        ]}
        empty="chargebacks.nothingToDecide"
        keyOf={({ id }) => id}
        label={t('nav.disputes')}
        rows={waiting}
      />
      <div className="mt-4">
        <Export exportUrl="/admin/export/chargebacks" />
      </div>
    </>
  )
}
