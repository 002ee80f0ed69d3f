import { useTranslations } from 'next-intl'
import { FieldError } from '@/components/ui/field.tsx'
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { unavailableMethods } from '@/lib/modules/checkouts/page.ts'
import { type PaymentMethod, paymentMethods } from '@/lib/modules/payments/page.ts'

const icons: Readonly<Record<PaymentMethod | (typeof unavailableMethods)[number], IconName>> = {
  creditcard: 'card',
  ideal: 'phone',
  bancontact: 'twoCards',
  paypal: 'wallet',
  directdebit: 'bank',
  banktransfer: 'transfer',
  paybybank: 'bank',
}

interface Choice {
  chosen: string
  error: string | undefined
  testmode: boolean
  /** Something renews: state which methods renew by direct debit. */
  recurring: boolean
  /** All of them by default. */
  methods?: readonly PaymentMethod[]
  /** The current method, offered first as `keep`. */
  keep?: { name: string; icon: IconName } | null
  /** False where nothing is to be charged: then none need be chosen. */
  required?: boolean
}

/** The methods as one group of native radio buttons. */
export function PaymentMethods({
  chosen,
  error,
  testmode,
  recurring,
  methods = paymentMethods,
  keep,
  required = true,
}: Choice) {
  const t = useTranslations()
  const remark: Partial<Record<PaymentMethod, string>> = {
    ...(recurring && {
      ideal: t('checkout.payment.renewsBySepa'),
      bancontact: t('checkout.payment.renewsBySepa'),
    }),
    directdebit: t('checkout.payment.takesDays'),
  }
  return (
    <fieldset aria-describedby={error && 'paymentMethod-error'} id="paymentMethod" tabIndex={-1}>
      <legend className="font-semibold text-lead">{t('checkout.payment.heading')}</legend>
      {error && <FieldError id="paymentMethod-error">{error}</FieldError>}
      <ul className="mt-2 overflow-hidden rounded-box border border-field">
        {keep && (
          <Method checked={chosen === 'keep'} icon={keep.icon} method="keep" name={keep.name} required={required} />
        )}
        {methods.map((method) => (
          <Method
            checked={chosen === method}
            icon={icons[method]}
            key={method}
            method={method}
            name={t(`common.methods.${method}`)}
            remark={remark[method]}
            required={required}
          />
        ))}
        {testmode && <UnavailableMethods />}
      </ul>
    </fieldset>
  )
}

/** Listed in test mode: disabled, with the reason beside them. */
function UnavailableMethods() {
  const t = useTranslations()
  return (
    <li className="flex flex-wrap gap-x-5 gap-y-1 border-line border-t bg-ground px-4 py-2 text-note text-soft">
      {unavailableMethods.map((method) => (
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
  required?: boolean
  method: string
  name: string
  icon: IconName
  remark?: string | undefined
  checked?: boolean
}

function Method({ method, name, icon, remark, checked, required }: MethodProps) {
  const nameId = `method-${method}-name`
  const remarkId = remark && `method-${method}-remark`
  return (
    <li className="not-first:border-line not-first:border-t has-checked:bg-tint">
      <label className="flex min-h-12 cursor-pointer items-center gap-3 px-4 py-2">
        <input
          aria-describedby={remarkId}
          aria-labelledby={nameId}
          className="size-4.5 shrink-0 accent-accent"
          defaultChecked={checked}
          name="paymentMethod"
          required={required}
          type="radio"
          value={method}
        />
        <span className="min-w-0 grow">
          <span id={nameId}>{name}</span>
          {remark && (
            <span className="block text-note text-soft" id={remarkId}>
              {remark}
            </span>
          )}
        </span>
        <Icon className="size-6 shrink-0 text-soft" name={icon} />
      </label>
    </li>
  )
}
