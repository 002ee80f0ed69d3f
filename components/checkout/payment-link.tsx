import { useTranslations } from 'next-intl'
import { wholeNumber } from '@/components/format.ts'
import { Field } from '@/components/ui/field.tsx'
import { StatePage } from '@/components/ui/state-page.tsx'
import { TestBand } from '@/components/ui/test-band.tsx'
import type { PaymentLinkPage } from '@/lib/modules/payment-links/page.ts'
import { CheckoutForm } from './checkout-form.tsx'

type OpenLink = Extract<PaymentLinkPage, { state: 'open' }>

export function PaymentLink({ page }: { page: PaymentLinkPage }) {
  return (
    <>
      {page.testmode && <TestBand />}
      {page.state === 'open' ? (
        <div className="wide:min-h-dvh wide:bg-linear-to-r wide:from-50% wide:from-ground wide:to-50% wide:to-paper">
          <CheckoutForm
            alsoAsked={Object.fromEntries(page.quantities.map(({ name, quantity }) => [name, String(quantity)]))}
            isCancelable={false}
            ownFields={<OwnFields page={page} />}
            page={page}
          />
        </div>
      ) : (
        <ClosedLink page={page} />
      )}
    </>
  )
}

function OwnFields({ page: { quantities, formKey, locale } }: { page: OpenLink }) {
  const t = useTranslations('checkout.paymentLink')
  return (
    <>
      <input name="key" type="hidden" value={formKey} />
      {quantities.map(({ name, product, quantity, min, max }) => (
        <Field
          autoComplete="off"
          defaultValue={quantity}
          hint={t('range', { min: wholeNumber(min, locale), max: wholeNumber(max, locale) })}
          inputMode="numeric"
          key={name}
          label={quantities.length === 1 ? t('quantity') : t('quantityOf', { product })}
          max={max}
          min={min}
          name={name}
          required
          type="number"
        />
      ))}
    </>
  )
}

const icons = { closed: 'closed', unavailable: 'closed', suspended: 'closed', live_not_set_up: 'alert' } as const
const texts = {
  closed: 'paymentLink.closed',
  unavailable: 'paymentLink.unavailable',
  suspended: 'suspended',
  live_not_set_up: 'liveNotSetUp',
} as const

function ClosedLink({ page: { state, storefrontName: shop } }: { page: Exclude<PaymentLinkPage, OpenLink> }) {
  const t = useTranslations('checkout')
  return (
    <StatePage icon={icons[state]} shop={shop} title={t(`${texts[state]}.heading`)} tone="plain">
      <p>{t(`${texts[state]}.text`, { shop })}</p>
    </StatePage>
  )
}
