import { money, weekdayName } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import { StatTile } from '@/components/ui/stat-tile.tsx'
import {
  type BalanceParts,
  nameOfSchedule,
  type PaidRow,
  type PayoutsPage,
  schedules,
} from '@/lib/modules/payouts/page.ts'
import { CodeField } from './code-field.tsx'
import { type Column, DataTable, Pager } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { Moves, Status } from './payout.tsx'
import { adminLocale, adminText as t } from './text.ts'

const done = {
  paidOut: 'balance.done.paidOut',
  requested: 'balance.done.requested',
  bookedBefore: 'balance.done.bookedBefore',
  confirm: 'balance.done.confirm',
  return: 'balance.done.return',
  cancel: 'balance.done.cancel',
  schedule: 'payouts.schedule.done',
} as const

interface Props {
  page: PayoutsPage
  path: string
  outcome: FormResult
}

export function Payouts({ page, path, outcome }: Props) {
  const { parts, request, list, scheduleKey } = page
  const action = `${path}/payouts/submit`
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {request && (
        <FormProblems
          form="payout"
          labels={{
            amount: t('balance.amount'),
            currency: t('balance.currency'),
            reference: t('balance.reference'),
            code: t('secondFactor.code'),
          }}
          problems={request.problems}
        />
      )}
      <Heading>{t('balance.payouts.heading')}</Heading>
      {parts.map((each) => (
        <Parts key={each.currency} page={page} parts={each} />
      ))}
      {request && <RequestForm action={action} page={page} path={path} request={request} />}
      <Section id="schedule" label="payouts.schedule.heading">
        <Schedule action={action} formKey={scheduleKey} page={page} />
      </Section>
      <Section id="payouts" label="balance.payouts.heading">
        <PayoutTable action={action} path={path} rows={list.rows} />
        <Pager {...list} />
      </Section>
    </>
  )
}

function Parts({ parts, page }: { parts: BalanceParts; page: PayoutsPage }) {
  const { available, held, reserve, disputed, balance, currency } = parts
  const { holdDays, reserveDays, next } = page
  const isNext = currency === 'EUR'
  return (
    <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] gap-3">
      <StatTile
        label={t('payouts.available')}
        note={t('payouts.ofBalance', { amount: money(balance, adminLocale()) })}
        value={<Money amount={available} />}
      />
      <StatTile
        label={t('payouts.held')}
        note={holdDays > 0 && t('payouts.heldNote', { days: holdDays })}
        value={<Money amount={held} />}
      />
      <StatTile
        label={t('payouts.reserve')}
        note={reserveDays > 0 && t('payouts.reserveNote', { days: reserveDays })}
        value={<Money amount={reserve} />}
      />
      {disputed.value !== '0.00' && (
        <StatTile label={t('payouts.disputed')} note={t('payouts.disputedNote')} value={<Money amount={disputed} />} />
      )}
      {isNext && (
        <StatTile
          label={t('payouts.next')}
          note={
            next ? t('payouts.estimate', { amount: money(next.estimate, adminLocale()) }) : t('payouts.nextManualNote')
          }
          value={next ? <Moment at={next.at} /> : t('payouts.schedule.manual')}
        />
      )}
    </div>
  )
}

interface RequestFormProps {
  action: string
  path: string
  page: PayoutsPage
  request: NonNullable<PayoutsPage['request']>
}

/**
 * Requests a payout by bank file. Staff can also book a manual transfer, whose unique reference prevents a second
 * booking of the same transfer.
 */
function RequestForm({ action, path, page, request }: RequestFormProps) {
  const { amount, reference, problems, formKey, mayBook } = request
  return (
    <Section id="payout" label="balance.payout">
      <Recipient account={page.account} path={path} />
      <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
        <input name="key" type="hidden" value={formKey} />
        <MoneyInput
          defaultValue={amount}
          error={problems.amount}
          hint={t('balance.amountHint')}
          label={mayBook ? t('balance.amount') : t('payouts.amountIn', { currency: 'EUR' })}
          name="amount"
          required
        />
        {mayBook && (
          <>
            <SelectField error={problems.currency} label={t('balance.currency')} name="currency">
              {page.parts.map(({ currency }) => (
                <option key={currency}>{currency}</option>
              ))}
            </SelectField>
            <Field
              autoComplete="off"
              defaultValue={reference}
              error={problems.reference}
              hint={t('balance.referenceHint')}
              label={t('balance.reference')}
              maxLength={100}
              name="reference"
              required
            />
          </>
        )}
        <CodeField error={problems.code} hint={t('balance.codeHint')} />
        <p className="flex flex-wrap gap-4">
          <button className={secondaryButton} name="intent" type="submit" value="request">
            {t(mayBook ? 'balance.request' : 'balance.payout')}
          </button>
          {mayBook && (
            <button className={secondaryButton} name="intent" type="submit" value="book">
              {t('balance.book')}
            </button>
          )}
        </p>
      </form>
    </Section>
  )
}

const Recipient = ({ account: { current, pending }, path }: { account: PayoutsPage['account']; path: string }) => (
  <p className="mt-2 max-w-2xl text-soft">
    {current
      ? t('payouts.goesTo', { iban: current.iban })
      : t(pending ? 'payouts.waitsForAccount' : 'balance.bankAccount.none')}{' '}
    <a href={`${path}/balance/account`}>{t('balance.bankAccount.link')}</a>
  </p>
)

/** Returns a text such as `Weekly: Monday` or `Monthly: day 15`. */
function scheduleText(schedule: PayoutsPage['schedule']): string {
  if (!schedule) return t('payouts.schedule.manual')
  if (schedule.every === 'month') return t('payouts.schedule.month', { day: schedule.day })
  return t('payouts.schedule.week', { day: weekdayName(schedule.day, adminLocale()) })
}

interface ScheduleProps {
  action: string
  page: PayoutsPage
  /** Null if the reader's role may not change the payout schedule. */
  formKey: string | null
}

function Schedule({ action, page: { schedule }, formKey }: ScheduleProps) {
  if (formKey === null) return <p className="mt-2">{scheduleText(schedule)}</p>
  return (
    <form action={action} className="mt-4 grid max-w-xl justify-items-start gap-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      <SelectField
        defaultValue={nameOfSchedule(schedule)}
        hint={t('payouts.schedule.text')}
        label={t('payouts.schedule.label')}
        name="schedule"
      >
        {[null, ...schedules].map((each) => (
          <option key={nameOfSchedule(each)} value={nameOfSchedule(each)}>
            {scheduleText(each)}
          </option>
        ))}
      </SelectField>
      <button className={secondaryButton} name="intent" type="submit" value="schedule">
        {t('payouts.schedule.save')}
      </button>
    </form>
  )
}

function PayoutTable({ rows, action, path }: { rows: readonly PaidRow[]; action: string; path: string }) {
  const columns: [Column<PaidRow>, ...Column<PaidRow>[]] = [
    {
      label: 'balance.amount',
      cell: ({ id, amount }) => <RowLink href={`${path}/payouts/${id}`} text={money(amount, adminLocale())} />,
    },
    { label: 'balance.payouts.what', onPhone: 'bare', cell: (row) => <Status row={row} /> },
    { label: 'balance.payouts.way', cell: ({ byHand }) => t(`balance.payouts.${byHand ? 'byHand' : 'byFile'}`) },
    { label: 'balance.reference', cell: ({ reference }) => reference },
    { label: 'created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  ]
  if (rows.some(({ moves }) => moves.length > 0))
    columns.push({ label: 'balance.payouts.mark', cell: (row) => <Moves action={action} row={row} /> })
  return (
    <DataTable
      columns={columns}
      empty="balance.payouts.empty"
      keyOf={({ id }) => id}
      label={t('balance.payouts.heading')}
      rows={rows}
    />
  )
}
