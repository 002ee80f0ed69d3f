import type { ReactNode } from 'react'
import { secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { PayoutAccountPage } from '@/lib/modules/payouts/page.ts'
import { CodeField } from './code-field.tsx'
import { FormProblems } from './form-problems.tsx'
import { Moment } from './moment.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const done = { changed: 'balance.bankAccount.done.changed', stopped: 'balance.bankAccount.done.stopped' } as const

export function PayoutAccount({ page, path, outcome }: { page: PayoutAccountPage; path: string; outcome: FormResult }) {
  const { current, pending, coolingDays, mayChange, formKey } = page
  const action = `${path}/balance/account/submit`
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      {mayChange && (
        <FormProblems
          form="change"
          labels={{
            holder: t('balance.bankAccount.holder'),
            iban: t('balance.bankAccount.iban'),
            bic: t('balance.bankAccount.bic'),
            code: t('secondFactor.code'),
          }}
          problems={page.problems}
        />
      )}
      <Heading note={<a href={`${path}/balance`}>{t('storefront.nav.balance')}</a>}>
        {t('balance.bankAccount.heading')}
      </Heading>
      <p className="mt-2 max-w-2xl text-soft">{t('balance.bankAccount.text', { days: coolingDays })}</p>
      <Section id="current" label="balance.bankAccount.current">
        {current ? <Account account={current} /> : <p className="mt-4">{t('balance.bankAccount.none')}</p>}
      </Section>
      {pending && (
        <Section id="pending" label="balance.bankAccount.pending">
          <Account account={pending} from={<Moment at={pending.validFrom} />} />
          {mayChange && (
            <form action={action} className="mt-4" method="post">
              <input name="key" type="hidden" value={formKey} />
              <p className="mb-2 text-soft">{t('balance.bankAccount.stopText')}</p>
              <button className={secondaryButton} name="intent" type="submit" value="stop">
                {t('balance.bankAccount.stop')}
              </button>
            </form>
          )}
        </Section>
      )}
      {mayChange && (
        <Section id="change" label="balance.bankAccount.change">
          <ChangeForm action={action} page={page} />
        </Section>
      )}
    </>
  )
}

type Shown = NonNullable<PayoutAccountPage['current']>

const Account = ({ account, from }: { account: Shown; from?: ReactNode }) => (
  <Facts
    facts={[
      ['balance.bankAccount.holder', account.holder],
      ['balance.bankAccount.iban', account.iban],
      ['balance.bankAccount.bic', account.bic],
      ['balance.bankAccount.from', from],
    ]}
  />
)

function ChangeForm({ action, page }: { action: string; page: PayoutAccountPage }) {
  const { typed, problems, formKey } = page
  return (
    <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
      <input name="key" type="hidden" value={formKey} />
      <Field
        autoComplete="off"
        defaultValue={typed.holder ?? ''}
        error={problems.holder}
        hint={t('balance.bankAccount.holderHint')}
        label={t('balance.bankAccount.holder')}
        maxLength={100}
        name="holder"
        required
      />
      <Field
        autoComplete="off"
        defaultValue={typed.iban ?? ''}
        error={problems.iban}
        label={t('balance.bankAccount.iban')}
        maxLength={50}
        name="iban"
        required
      />
      <Field
        autoComplete="off"
        defaultValue={typed.bic ?? ''}
        error={problems.bic}
        hint={t('balance.bankAccount.bicHint')}
        label={t('balance.bankAccount.bic')}
        maxLength={20}
        name="bic"
      />
      <CodeField error={problems.code} hint={t('balance.bankAccount.codeHint')} />
      <p>
        <button className={secondaryButton} name="intent" type="submit" value="change">
          {t('balance.bankAccount.save')}
        </button>
      </p>
    </form>
  )
}
