import { money } from '@/components/format.ts'
import { primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field } from '@/components/ui/field.tsx'
import type { RefundPage } from '@/lib/modules/refunds/page.ts'
import { CodeField } from './code-field.tsx'
import { FormProblems } from './form-problems.tsx'
import { Money } from './money.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { Taxes } from './taxes.tsx'
import { adminText as t } from './text.ts'

interface RefundFormProps {
  lines: RefundPage['lines']
  orderId: string
  path: string
  amounts?: RefundPage['amounts']
  problems?: RefundPage['problems']
}

const amountField = (line: string) => `amount.${line}`
const lineText = ({ quantity, description }: Pick<RefundPage['lines'][number], 'quantity' | 'description'>) =>
  `${quantity} × ${description}`

/**
 * The form for a refund: amounts before tax, by line. The next page shows the total, and only that page creates the
 * refund.
 */
export function RefundForm({ lines, orderId, path, amounts = {}, problems = {} }: RefundFormProps) {
  return (
    <form action={`${path}/orders/${orderId}/refund`} className="mt-2 grid max-w-xl gap-4" method="get">
      {lines.map(({ id, subtotal, left, ...line }) => (
        <Field
          autoComplete="off"
          defaultValue={amounts[id]}
          error={problems[id]}
          hint={t('orders.leftOf', { left: `${left.value} ${left.currency}`, subtotal: subtotal.value })}
          inputMode="decimal"
          key={id}
          label={lineText(line)}
          maxLength={20}
          name={amountField(id)}
        />
      ))}
      <p>
        <button className={secondaryButton} type="submit">
          {t('orders.preview')}
        </button>
      </p>
    </form>
  )
}

/** The preview of a refund: the amount for the buyer, or the problems. */
export function RefundPreview({ page, path, outcome }: { page: RefundPage; path: string; outcome: FormResult }) {
  const { orderId, lines, amounts, problems, preview, needsCode, formKey } = page
  const whole = Object.keys(amounts).length === 0 ? t('orders.noAmount') : problems.order
  return (
    <>
      <FormProblems
        form="refund"
        labels={{
          ...Object.fromEntries(lines.map((line) => [amountField(line.id), lineText(line)])),
          code: t('secondFactor.code'),
        }}
        problems={{
          ...Object.fromEntries(lines.map(({ id }) => [amountField(id), problems[id]])),
          code: problems.code,
          order: whole,
        }}
      />
      <FormResultNotice {...outcome} texts={{}} />
      <p>
        <a href={`${path}/orders/${orderId}`}>{t('orders.back')}</a>
      </p>
      <Heading>{t('orders.refund')}</Heading>
      <div id="refund">
        <RefundForm amounts={amounts} lines={lines} orderId={orderId} path={path} problems={problems} />
      </div>
      {preview && (
        <Section id="preview" isAskedFor label="orders.returned">
          <Facts
            facts={[
              ['orders.subtotal', <Money amount={preview.subtotal} key="subtotal" />],
              ['orders.tax', <Taxes key="tax" taxes={preview.taxes} />],
              ['orders.total', <Money amount={preview.total} key="total" />],
            ]}
          />
          <form action={`${path}/orders/${orderId}/submit`} className="mt-4 grid max-w-xl gap-1" method="post">
            {Object.entries(amounts).map(([line, value]) => (
              <input key={line} name={`amount.${line}`} type="hidden" value={value} />
            ))}
            <input name="key" type="hidden" value={formKey} />
            {needsCode && <CodeField error={problems.code} hint={t('balance.codeHint')} />}
            <button className={primaryButton} name="intent" type="submit" value="refund">
              {t('orders.refundTotal', { total: money(preview.total, 'en') })}
            </button>
            <p className="text-note text-soft">{t('orders.refundHint')}</p>
          </form>
        </Section>
      )}
    </>
  )
}
