import { money } from '@/components/format.ts'
import { linkButton, primaryButton, secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { RefundPage } from '@/lib/modules/refunds/page.ts'
import { CodeField } from './code-field.tsx'
import { FormProblems } from './form-problems.tsx'
import { Money } from './money.tsx'
import { MoneyInput } from './money-input.tsx'
import { Facts, type FormResult, FormResultNotice, Heading, Section } from './page-parts.tsx'
import { Taxes } from './taxes.tsx'
import { adminLocale, adminText as t } from './text.ts'

interface RefundFormProps {
  lines: RefundPage['lines']
  left: RefundPage['left']
  orderId: string
  path: string
  form?: Partial<RefundPage['form']>
  problems?: RefundPage['problems']
}

const amountField = (line: string) => `amount.${line}`
const lineText = ({ quantity, description }: Pick<RefundPage['lines'][number], 'quantity' | 'description'>) =>
  `${quantity} × ${description}`

/** This form opens a page that shows the total of the refund. Only that page has the button that creates the refund. */
export function RefundForm({ lines, left, orderId, path, form = {}, problems = {} }: RefundFormProps) {
  const { amounts = {}, sum = '', tax = 'included', reason = '' } = form
  const isByLine = Object.keys(amounts).length > 0
  return (
    <form action={`${path}/orders/${orderId}/refund`} className="mt-2 grid max-w-xl gap-4" method="get">
      <MoneyInput
        defaultValue={sum}
        error={problems.sum}
        hint={t('orders.sumHint', { left: money(left, adminLocale()) })}
        // The field also accepts a percentage such as 50%, so a phone must show the text keyboard. The decimal keyboard
        // of a phone has no percent sign.
        inputMode="text"
        label={t('orders.sum', { currency: left.currency })}
        name="sum"
      />
      <SelectField defaultValue={tax} label={t('orders.sumTax')} name="tax">
        <option value="included">{t('orders.taxIncluded')}</option>
        <option value="excluded">{t('orders.taxExcluded')}</option>
      </SelectField>
      <Field
        autoComplete="off"
        defaultValue={reason}
        error={problems.reason}
        hint={t('orders.refundReasonHint')}
        label={t('orders.refundReason')}
        maxLength={200}
        name="reason"
      />
      <details open={isByLine}>
        <summary className={linkButton}>{t('orders.byLine')}</summary>
        <div className="mt-2 grid gap-4">
          {lines.map(({ id, subtotal, left, ...line }) => (
            <MoneyInput
              defaultValue={amounts[id]}
              error={problems[id]}
              hint={t('orders.leftOf', { left: money(left, adminLocale()), subtotal: money(subtotal, adminLocale()) })}
              key={id}
              label={lineText(line)}
              name={amountField(id)}
            />
          ))}
        </div>
      </details>
      <p className="flex flex-wrap gap-3">
        <button className={primaryButton} type="submit">
          {t('orders.preview')}
        </button>
        <button className={secondaryButton} name="full" type="submit" value="yes">
          {t('orders.previewFull')}
        </button>
      </p>
    </form>
  )
}

export function RefundPreview({ page, path, outcome }: { page: RefundPage; path: string; outcome: FormResult }) {
  const { orderId, lines, left, form, problems, preview, arrival, needsCode, formKey } = page
  const { amounts, sum, tax, reason } = form
  const whole = Object.keys(amounts).length === 0 && sum === '' ? t('orders.noAmount') : problems.order
  return (
    <>
      <FormProblems
        form="refund"
        labels={{
          ...Object.fromEntries(lines.map((line) => [amountField(line.id), lineText(line)])),
          sum: t('orders.sum', { currency: left.currency }),
          reason: t('orders.refundReason'),
          code: t('secondFactor.code'),
        }}
        problems={{
          ...Object.fromEntries(lines.map(({ id }) => [amountField(id), problems[id]])),
          sum: problems.sum,
          reason: problems.reason,
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
        <RefundForm form={form} left={left} lines={lines} orderId={orderId} path={path} problems={problems} />
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
          {preview.lines.length > 1 && (
            <ul className="mt-3 text-note text-soft">
              {preview.lines.map(({ description, total }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a preview keep their order
                <li key={index}>
                  {description}: <Money amount={total} />
                </li>
              ))}
            </ul>
          )}
          <p className="mt-3 max-w-xl">{t(`orders.arrivals.${arrival}`)}</p>
          <form action={`${path}/orders/${orderId}/submit`} className="mt-4 grid max-w-xl gap-1" method="post">
            {Object.entries(amounts).map(([line, value]) => (
              <input key={line} name={`amount.${line}`} type="hidden" value={value} />
            ))}
            {sum !== '' && (
              <>
                <input name="sum" type="hidden" value={sum} />
                <input name="tax" type="hidden" value={tax} />
              </>
            )}
            <input name="reason" type="hidden" value={reason} />
            <input name="key" type="hidden" value={formKey} />
            {needsCode && <CodeField error={problems.code} hint={t('balance.codeHint')} />}
            <button className={primaryButton} name="intent" type="submit" value="refund">
              {t('orders.refundTotal', { total: money(preview.total, adminLocale()) })}
            </button>
            <p className="text-note text-soft">{t('orders.refundHint')}</p>
          </form>
        </Section>
      )}
    </>
  )
}
