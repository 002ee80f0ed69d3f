import { money } from '@/components/format.ts'
import { secondaryButton } from '@/components/ui/button.ts'
import { AreaField, Field, TickField } from '@/components/ui/field.tsx'
import { type ChargebackPage, evidenceKinds, evidenceLimits, explainedReason } from '@/lib/modules/chargebacks/page.ts'
import { StatusBadge } from './badges.tsx'
import { chargebackReason } from './chargebacks.tsx'
import { FormProblems } from './form-problems.tsx'
import { Id, NamedLink } from './id.tsx'
import { mentioned } from './mentioned.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { Taxes } from './taxes.tsx'
import { adminLocale, adminText as t } from './text.ts'

const done = {
  accepted: 'chargebacks.done.accepted',
  rejected: 'chargebacks.done.rejected',
  evidence: 'disputes.done.evidence',
  concede: 'disputes.done.concede',
} as const

export function Chargeback({ page, path, outcome }: { page: ChargebackPage; path: string; outcome: FormResult }) {
  const {
    chargeback: of,
    customer,
    invoiceNumber,
    creditNote,
    isWaiting,
    mayDecide,
    ifAccepted,
    formKey,
    answering,
  } = page
  const known = explainedReason(of.reason)
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {answering && (
        <FormProblems
          form="answer"
          labels={{
            statement: t('disputes.statement'),
            confirmed: t('disputes.concede'),
            ...Object.fromEntries(evidenceKinds.map((kind) => [kind, t(`disputes.kinds.${kind}`)])),
          }}
          problems={answering.problems}
        />
      )}
      <Heading note={<Id id={of.id} />}>{t('chargebacks.chargeback')}</Heading>
      <p className="mt-2 max-w-2xl text-lead">{moneyText(page)}</p>
      <Facts
        facts={[
          ['status', <StatusBadge key="status" status={of.status} text={t(`chargebacks.statuses.${of.status}`)} />],
          ['chargebacks.reason', chargebackReason(of)],
          ['disputes.respondBy', page.respondBy && <Moment at={page.respondBy} key="respondBy" />],
          ['disputes.answeredAt', page.answeredAt && <Moment at={page.answeredAt} key="answeredAt" />],
          ...mentioned(path, { order: { id: of.originalOrderId, name: invoiceNumber }, customer }),
          ['chargebacks.disputed', <Money amount={of.amount} key="amount" />],
          ['chargebacks.taken', <Money amount={of.total} key="total" />],
          ['orders.tax', <Taxes key="taxes" taxes={of.taxSummary} />],
          ['chargebacks.settlement', <Money amount={of.settlementAmount} key="settlement" />],
          [
            'chargebacks.creditNote',
            creditNote && (
              <NamedLink
                href={`${path}/orders/${creditNote.id}`}
                key="creditNote"
                kind={t('chargebacks.creditNote')}
                of={creditNote}
              />
            ),
          ],
          ['created', <Moment at={of.createdAt} key="created" />],
        ]}
      />
      <Section id="meaning" label="disputes.meaning">
        <p className="mt-2 max-w-2xl">{t(`disputes.reasons.${known}`)}</p>
      </Section>
      <Section id="next" label="disputes.nextHeading">
        <p className="mt-2 max-w-2xl">{nextText(page)}</p>
        {page.evidence.length > 0 && (
          <ul className="mt-2 text-note text-soft">
            {page.evidence.map(({ id, kind, type, size }) => (
              <li key={id}>
                {t('disputes.sent', {
                  kind: t(`disputes.kinds.${kind}`),
                  type: type.split('/')[1]?.toUpperCase() ?? type,
                  size: Math.ceil(size / 1000),
                })}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {answering && (
        <Section id="answer" label="disputes.answer">
          <EvidenceForm action={`${path}/chargebacks/${of.id}/answer/submit`} answering={answering} page={page} />
        </Section>
      )}
      {answering && (
        <Section id="concede" label="disputes.concede">
          <ConcedeForm action={`${path}/chargebacks/${of.id}/answer/submit`} answering={answering} page={page} />
        </Section>
      )}
      {isWaiting && (
        <Section id="decide" label="chargebacks.decide">
          <p className="mt-2 max-w-2xl text-soft">{t('chargebacks.decideText')}</p>
          {mayDecide ? (
            <form action={`${path}/chargebacks/${of.id}/submit`} className="mt-4 grid max-w-xl gap-4" method="post">
              <input name="key" type="hidden" value={formKey} />
              {(['accepted', 'rejected'] as const).map((decision) => (
                <p className="grid justify-items-start gap-1" key={decision}>
                  <button className={secondaryButton} name="intent" type="submit" value={decision}>
                    {decision === 'accepted' && ifAccepted
                      ? t('chargebacks.acceptAndDeduct', { total: money(ifAccepted, adminLocale()) })
                      : t(`chargebacks.decisions.${decision}`)}
                  </button>
                  <span className="text-note text-soft">{t(`chargebacks.decisionHints.${decision}`)}</span>
                </p>
              ))}
            </form>
          ) : (
            <p className="mt-2 text-soft">{t('chargebacks.staffDecides')}</p>
          )}
        </Section>
      )}
    </>
  )
}

function moneyText({ chargeback: { status, settlementAmount }, taken, fee }: ChargebackPage): string {
  const values = {
    deducted: money(settlementAmount, adminLocale()),
    taken: money(taken, adminLocale()),
    fee: money(fee, adminLocale()),
  }
  if (status === 'requires_amount_review' || status === 'rejected') return t('disputes.money.nothing')
  if (status === 'won') return t('disputes.money.won', values)
  return t(status === 'accepted' || status === 'lost' ? 'disputes.money.gone' : 'disputes.money.open', values)
}

function nextText({
  chargeback: { status },
  answer,
  isTryingAgain,
  answering,
  takesAnswers,
  isOverdue,
}: ChargebackPage): string {
  const late = answer === 'late' ? t('disputes.next.late') : ''
  if (status !== 'pending') return `${late} ${t(`disputes.next.${status}`)}`.trim()
  if (late) return late
  if (answer === 'concede' || answer === 'evidence')
    return t(isTryingAgain ? 'disputes.next.tryingAgain' : 'disputes.next.sending')
  if (answer === 'refused' || answer === 'unreadable') return t(`disputes.next.${answer}`)
  if (!takesAnswers) return t('disputes.next.elsewhere')
  if (isOverdue) return t('disputes.next.overdue')
  return t(answering ? 'disputes.next.pending' : 'disputes.next.others')
}

interface AnswerProps {
  action: string
  page: ChargebackPage
  answering: NonNullable<ChargebackPage['answering']>
}

const EvidenceForm = ({ action, page: { formKey }, answering: { statement, problems } }: AnswerProps) => (
  <form action={action} className="mt-4 grid max-w-xl gap-4" encType="multipart/form-data" method="post">
    <input name="key" type="hidden" value={formKey} />
    <AreaField
      defaultValue={statement}
      error={problems.statement}
      hint={t('disputes.statementHint')}
      label={t('disputes.statement')}
      maxLength={evidenceLimits.characters}
      name="statement"
    />
    {evidenceKinds.map((kind) => (
      <Field
        accept="application/pdf,image/jpeg,image/png"
        className="control py-2.5"
        error={problems[kind]}
        key={kind}
        label={t(`disputes.kinds.${kind}`)}
        name={kind}
        type="file"
      />
    ))}
    <p className="text-note text-soft">{t('disputes.filesHint')}</p>
    <p>
      <button className={secondaryButton} name="intent" type="submit" value="evidence">
        {t('disputes.send')}
      </button>
    </p>
  </form>
)

const ConcedeForm = ({ action, page: { formKey, taken }, answering: { problems } }: AnswerProps) => (
  <form action={action} className="mt-4 grid max-w-xl gap-4" encType="multipart/form-data" method="post">
    <input name="key" type="hidden" value={formKey} />
    <p className="text-note text-soft">{t('disputes.concedeHint', { taken: money(taken, adminLocale()) })}</p>
    <TickField
      error={problems.confirmed}
      label={t('disputes.concedeConfirm', { amount: money(taken, adminLocale()) })}
      name="confirmed"
    />
    <p>
      <button className={secondaryButton} name="intent" type="submit" value="concede">
        {t('disputes.concede')}
      </button>
    </p>
  </form>
)
