import { secondaryButton } from '@/components/ui/button.ts'
import { Field, SelectField } from '@/components/ui/field.tsx'
import type { PaymentBehaviorForm } from '@/lib/modules/subscriptions/page.ts'
import { Section } from './page-parts.tsx'
import { adminText as t } from './text.ts'

export const PaymentBehavior = ({ form, url }: { form: PaymentBehaviorForm | null; url: string }) =>
  form && (
    <Section id="payment-behavior" label="paymentBehavior.heading">
      <p className="mt-2 max-w-2xl text-soft">{t('paymentBehavior.text')}</p>
      <form action={url} className="mt-3 grid max-w-xl gap-4" method="post">
        <input name="key" type="hidden" value={form.formKey} />
        <SelectField
          defaultValue={form.chosen}
          error={form.problems.failureReason}
          label={t('paymentBehavior.outcome')}
          name="behavior"
        >
          <option value="paid">{t('paymentBehavior.paid')}</option>
          {form.reasons.map((reason) => (
            <option key={reason} value={reason}>
              {t('paymentBehavior.failed', { reason: t(`attempts.reasons.${reason}`) })}
            </option>
          ))}
        </SelectField>
        <Field
          autoComplete="off"
          defaultValue={form.times}
          error={form.problems.times}
          hint={t('paymentBehavior.timesHint')}
          inputMode="numeric"
          label={t('paymentBehavior.times')}
          maxLength={10}
          name="times"
        />
        <p>
          <button className={secondaryButton} name="intent" type="submit" value="payment-behavior">
            {t('paymentBehavior.save')}
          </button>
        </p>
      </form>
    </Section>
  )
