import { linkButton, primaryButton } from '@/components/ui/button.ts'
import type { PayoutFilesPage } from '@/lib/modules/payouts/page.ts'
import { CodeField } from './code-field.tsx'
import { DataTable, Export } from './data-table.tsx'
import { FormProblems } from './form-problems.tsx'
import { RowLink } from './id.tsx'
import { Moment } from './moment.tsx'
import { Money } from './money.tsx'
import { type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

const action = '/admin/payout-files/submit'

const done = {
  made: 'payoutFiles.done.made',
  madeBefore: 'payoutFiles.done.madeBefore',
  paid: 'payoutFiles.done.paid',
  paidPart: 'payoutFiles.done.paidPart',
} as const

const stateOf = (counts: Readonly<Record<'open' | 'paid' | 'failed', number>>): string =>
  (['open', 'paid', 'failed'] as const)
    .filter((state) => counts[state] > 0)
    .map((state) => t(`payoutFiles.${state === 'paid' ? 'marked' : state}`, { count: counts[state] }))
    .join(', ')

export function PayoutFiles({ page, outcome }: { page: PayoutFilesPage; outcome: FormResult }) {
  const { waiting, count, suspended, files, problems, formKey } = page
  return (
    <>
      <FormResultNotice {...outcome} texts={done} />
      <FormProblems form="code" labels={{ code: t('secondFactor.code') }} problems={problems} />
      <Heading note={t('payoutFiles.text')}>{t('nav.payout-files')}</Heading>
      <Section id="waiting" label="payoutFiles.waiting">
        <DataTable
          columns={[
            { label: 'storefronts.name', cell: ({ storefront, url }) => <RowLink href={url} text={storefront} /> },
            {
              label: 'balance.amount',
              isAmount: true,
              onPhone: 'corner',
              cell: (row) => <Money amount={row.amount} />,
            },
            { label: 'created', onPhone: 'bare', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          ]}
          empty="payoutFiles.nothing"
          keyOf={({ id }) => id}
          label={t('payoutFiles.waiting')}
          rows={waiting}
        />
        {count > waiting.length && (
          <p className="mt-2 text-note text-soft">{t('payoutFiles.more', { shown: waiting.length })}</p>
        )}
        {suspended > 0 && (
          <p className="mt-2 text-note text-soft">{t('payoutFiles.suspended', { count: suspended })}</p>
        )}
        {waiting.length > 0 && (
          <form action={action} className="mt-4 grid max-w-xl gap-4" method="post">
            <input name="key" type="hidden" value={formKey} />
            <CodeField error={problems.code} hint={t('balance.codeHint')} />
            <p>
              <button className={primaryButton} name="intent" type="submit" value="make">
                {t('payoutFiles.make')}
              </button>
            </p>
          </form>
        )}
      </Section>
      <Section id="files" label="payoutFiles.files">
        <DataTable
          columns={[
            { label: 'payoutFiles.reference', cell: ({ reference }) => reference },
            { label: 'payoutFiles.payouts', isAmount: true, cell: (row) => row.count },
            { label: 'balance.sum', isAmount: true, onPhone: 'corner', cell: ({ total }) => <Money amount={total} /> },
            { label: 'created', onPhone: 'bare', cell: ({ createdAt }) => <Moment at={createdAt} /> },
            { label: 'status', cell: ({ open, paid, failed }) => stateOf({ open, paid, failed }) },
            {
              label: 'action',
              onPhone: 'bare',
              cell: ({ id, open, downloadUrl }) => (
                <>
                  <Export exportUrl={downloadUrl ?? undefined} text="payoutFiles.download" />
                  {open > 0 && (
                    <form action={action} method="post">
                      <input name="key" type="hidden" value={formKey} />
                      <input name="id" type="hidden" value={id} />
                      <button className={linkButton} name="intent" type="submit" value="paid">
                        {t('payoutFiles.paid')}
                      </button>
                    </form>
                  )}
                </>
              ),
            },
          ]}
          empty="payoutFiles.noFiles"
          keyOf={({ id }) => id}
          label={t('payoutFiles.files')}
          rows={files}
        />
      </Section>
    </>
  )
}
