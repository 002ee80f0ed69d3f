import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { day, money, wholeNumber } from '@/components/format.ts'
import { LocalDay } from '@/components/ui/local-time.tsx'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { Receipt as ReceiptView } from '@/lib/modules/checkouts/page.ts'

interface ReceiptProps {
  receipt: ReceiptView
  shop: string
  seller: string
  locale: Locale
  /** Additional rows after the items and before the next charge. */
  children?: ReactNode
}

export function Receipt({ receipt, shop, seller, locale, children }: ReceiptProps) {
  const t = useTranslations('checkout')
  const portal = useTranslations('portal')
  const { items, nextCharges, orderNumber } = receipt
  const counted = (name: string, quantity: number) =>
    quantity === 1 ? name : t('receipt.quantity', { quantity: wholeNumber(quantity, locale), name })
  return (
    <dl className="mt-2 grid gap-x-4 border-line border-t pt-2 hand:grid-cols-[fit-content(40%)_minmax(0,1fr)]">
      <ReceiptRow label={t('receipt.items')}>
        <ul className="grid gap-1">
          {items.map(({ name, quantity, total }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines can have the same product, and lines keep their order
            <li className="flex flex-wrap justify-between gap-x-4" key={index}>
              <span className="min-w-0 grow basis-32">{counted(name, quantity)}</span>
              {/* The text for a trial may be long, so it can wrap on its own line. */}
              <span className={total ? 'ms-auto shrink-0' : 'ms-auto min-w-0'}>
                {total ? money(total, locale) : t('receipt.trial')}
              </span>
            </li>
          ))}
        </ul>
      </ReceiptRow>
      {orderNumber && <ReceiptRow label={t('receipt.order')}>{orderNumber}</ReceiptRow>}
      {children}
      {receipt.statementName && <ReceiptRow label={t('receipt.statement')}>{receipt.statementName}</ReceiptRow>}
      {nextCharges.length > 0 && (
        <ReceiptRow label={t('receipt.nextCharge')}>
          {nextCharges.map(({ name, quantity, total, at }, index) => {
            const figures = {
              total: money(total, locale),
              date: () => <LocalDay locale={locale} moment={at} timeZone={receipt.timeZone} />,
            }
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two subscriptions can have the same name, and subscriptions keep their order
              <p key={index}>
                {nextCharges.length === 1
                  ? t.rich('receipt.nextChargeOn', figures)
                  : t.rich('receipt.nextChargeOf', { ...figures, name: counted(name, quantity) })}
              </p>
            )
          })}
        </ReceiptRow>
      )}
      {receipt.withdrawal && (
        <ReceiptRow isText label={t('withdrawal.heading')}>
          <WithdrawalNote
            hasTrial={items.some(({ total }) => total === null)}
            locale={locale}
            seller={seller}
            withdrawal={receipt.withdrawal}
          />
        </ReceiptRow>
      )}
      {receipt.cancelable && (
        <ReceiptRow isText label={t('receipt.cancel')}>
          {receipt.cancelable === 'once_paid' && t('receipt.cancelOncePaid', { shop })}
          {receipt.cancelable === 'now' && (
            <>
              {t('about.howToCancel', { shop })} <a href={receipt.cancelUrl}>{portal('signIn.cancel.open')}</a>
            </>
          )}
        </ReceiptRow>
      )}
    </dl>
  )
}

interface WithdrawalNoteProps {
  withdrawal: NonNullable<ReceiptView['withdrawal']>
  seller: string
  locale: Locale
  hasTrial: boolean
}

/**
 * States that the buyer agreed to an immediate start of the supply. If the buyer can still withdraw, states the
 * deadline, with a link to the withdrawal form.
 */
function WithdrawalNote({ withdrawal, seller, locale, hasTrial }: WithdrawalNoteProps) {
  const t = useTranslations()
  const { kind, beginsAtOnce, until, url } = withdrawal
  const begun = [t(`checkout.withdrawal.begun.${kind}`), ...(hasTrial ? [t('checkout.withdrawal.trial')] : [])].join(
    ' ',
  )
  if (beginsAtOnce && kind === 'digital_content') return begun
  return (
    <>
      {beginsAtOnce && `${begun} `}
      {t('checkout.withdrawal.lasts', { date: day(until, locale), seller })} <a href={url}>{t('withdrawal.open')}</a>
    </>
  )
}

interface RowProps {
  label: string
  /** True for a paragraph, which needs the whole width below its label. */
  isText?: boolean
  children: ReactNode
}

export function ReceiptRow({ label, isText = false, children }: RowProps) {
  return (
    <>
      <dt className={`pt-2 text-soft ${isText ? 'hand:col-span-2' : ''}`}>{label}</dt>
      <dd className={`min-w-0 ${isText ? 'hand:col-span-2' : 'hand:pt-2'}`}>{children}</dd>
    </>
  )
}
