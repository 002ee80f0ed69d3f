import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { FieldError } from '@/components/ui/field.tsx'
import { MethodMark } from '@/components/ui/method-mark.tsx'
import { onceOnlyMethods, type PaymentMethod, paymentMethods, testMethods } from '@/lib/modules/payments/page.ts'

type PaymentMethodsProps = Omit<RowProps, 'method'> & {
  chosen: string
  error: string | undefined
  testmode: boolean
}

/** The methods of the buyer's country. Each other method is hidden until the buyer selects a country that offers the method. */
export function OfferedMethods({ chosen, offered, proposed, error, testmode, ...row }: PaymentMethodsProps & Offered) {
  const checked = offered.find((method) => method === chosen) ?? proposed
  // Test mode and orders with a subscription exclude methods without a mandate, which cannot pay for a subscription.
  // Test mode lists these methods separately.
  const possible = testmode || row.recurring ? testMethods : paymentMethods
  const others = possible.filter((method) => !offered.includes(method))
  return (
    <MethodsField error={error}>
      <ul className={methodList} data-offered="methods">
        {[...offered, ...others].map((method) => (
          <MethodRow
            checked={method === checked}
            isOffered={offered.includes(method)}
            key={method}
            method={method}
            {...row}
          />
        ))}
        {testmode && <UnavailableMethods />}
      </ul>
    </MethodsField>
  )
}

interface Offered {
  /** At least one method, in display order. */
  offered: readonly PaymentMethod[]
  /** Null while the country is unknown. */
  proposed: PaymentMethod | null
}

interface Replacements {
  methods: readonly PaymentMethod[]
  /** The current payment method. The form offers it first, with the value `keep`. */
  keep: { name: string; method: PaymentMethod | null } | null
}

/** The methods that can replace the current method. No method other than `keep` is preselected. */
export function ReplacementMethods({
  chosen,
  error,
  testmode,
  methods,
  keep,
  ...row
}: PaymentMethodsProps & Replacements) {
  return (
    <MethodsField error={error}>
      <ul className={methodList}>
        {keep && (
          <Method checked={chosen === 'keep'} name={keep.name} required={row.required} value="keep">
            {keep.method && <MethodMark method={keep.method} />}
          </Method>
        )}
        {methods.map((method) => (
          <MethodRow checked={chosen === method} key={method} method={method} {...row} />
        ))}
        {testmode && <UnavailableMethods />}
      </ul>
    </MethodsField>
  )
}

const methodList = 'mt-2 overflow-hidden rounded-box border border-field'

function MethodsField({ error, children }: { error: string | undefined; children: ReactNode }) {
  const t = useTranslations('checkout.payment')
  return (
    <fieldset aria-describedby={error && 'paymentMethod-error'} id="paymentMethod" tabIndex={-1}>
      <legend className="font-semibold text-lead">{t('heading')}</legend>
      {error && <FieldError id="paymentMethod-error">{error}</FieldError>}
      {children}
    </fieldset>
  )
}

interface RowProps {
  method: PaymentMethod
  /** True for an order with a subscription. The text then states which methods renew by direct debit. */
  recurring: boolean
  /** False if nothing will be charged. */
  required: boolean
}

interface MethodRowProps extends RowProps {
  checked: boolean
  isOffered?: boolean
}

function MethodRow({ method, recurring, required, checked, isOffered = true }: MethodRowProps) {
  const t = useTranslations()
  const becomesDebit = recurring && (method === 'ideal' || method === 'bancontact')
  const remark = method === 'directdebit' ? 'checkout.payment.takesDays' : 'checkout.payment.renewsBySepa'
  return (
    <Method
      checked={checked}
      isOffered={isOffered}
      name={t(`common.methods.${method}`)}
      remark={becomesDebit || method === 'directdebit' ? t(remark) : undefined}
      required={required}
      value={method}
    >
      <MethodMark method={method} />
    </Method>
  )
}

/** The methods that cannot pay for a subscription. Test mode lists them as disabled, with the reason. */
function UnavailableMethods() {
  const t = useTranslations()
  return (
    <li className="flex flex-wrap gap-x-5 gap-y-1 border-line border-t bg-ground px-4 py-2 text-note text-soft wide:gap-y-0 wide:py-1">
      {onceOnlyMethods.map((method) => (
        <label className="flex min-h-6 cursor-not-allowed items-center gap-2" key={method}>
          <input
            aria-describedby="method-unavailable"
            className="size-4.5 shrink-0"
            disabled
            name="paymentMethod"
            type="radio"
            value={method}
          />
          {t(`common.methods.${method}`)}
        </label>
      ))}
      <span className="min-h-6" id="method-unavailable">
        {t('checkout.payment.notInTestMode')}
      </span>
    </li>
  )
}

interface MethodProps {
  value: string
  name: string
  remark?: string | undefined
  checked: boolean
  required: boolean
  isOffered?: boolean
  children: ReactNode
}

function Method({ value, name, remark, checked, required, isOffered = true, children }: MethodProps) {
  const nameId = `method-${value}-name`
  const remarkId = remark && `method-${value}-remark`
  return (
    <li className="not-first:border-line not-first:border-t has-checked:bg-tint" data-key={value} hidden={!isOffered}>
      <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-1 wide:min-h-10">
        <input
          aria-describedby={remarkId}
          aria-labelledby={nameId}
          className="size-4.5 shrink-0 accent-accent"
          defaultChecked={checked}
          disabled={!isOffered}
          name="paymentMethod"
          required={required}
          type="radio"
          value={value}
        />
        <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-3">
          <span id={nameId}>{name}</span>
          {remark && (
            <span className="method-remark text-note text-soft" id={remarkId}>
              {remark}
            </span>
          )}
        </span>
        {children}
      </label>
    </li>
  )
}
