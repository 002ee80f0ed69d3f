import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { day, money, wholeNumber } from '@/components/format.ts'
import { LocalDay } from '@/components/ui/local-time.tsx'
import type { Locale } from '@/lib/kernel/locale.ts'
import type { Receipt as ReceiptView } from '@/lib/modules/checkouts/page.ts'

interface ReceiptProps {
  receipt: ReceiptView
  shop: string
  /** The name of the company that sells. */
  seller: string
  locale: Locale
  /** Rows between the items and the next charge. */
  children?: ReactNode
}

/** The purchased items, the next charge, and how to cancel, after every kind of sale. */
export function Receipt({ receipt, shop, seller, locale, children }: ReceiptProps) {
  const t = useTranslations('checkout')
  const portal = useTranslations('portal')
  const { items, nextCharges, orderNumber } = receipt
  const counted = (name: string, quantity: number) =>
    quantity === 1 ? name : t('receipt.quantity', { quantity: wholeNumber(quantity, locale), name })
  return (
    <dl className="mt-2 grid gap-x-6 border-line border-t pt-2 hand:grid-cols-[fit-content(35%)_minmax(0,1fr)]">
      <ReceiptRow label={t('receipt.items')}>
        <ul className="grid gap-1">
          {items.map(({ name, quantity, total }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same product may stand on two lines, and lines never move
            <li className="flex flex-wrap justify-between gap-x-4" key={index}>
              <span className="min-w-0 grow basis-32">{counted(name, quantity)}</span>
              {/* This text may be longer than the name. Then it stands on its own line, where it can break. */}
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
            const figures = { total: money(total, locale), date: () => <LocalDay locale={locale} moment={at} /> }
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: two subscriptions may have the same name, and none moves
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
        <ReceiptRow label={t('withdrawal.heading')}>
          <WithdrawalNote
            hasTrial={items.some(({ total }) => total === null)}
            locale={locale}
            seller={seller}
            withdrawal={receipt.withdrawal}
          />
        </ReceiptRow>
      )}
      {receipt.cancelable && (
        <ReceiptRow label={t('receipt.cancel')}>
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

/** The confirmation of the consent; or the deadline of the right of withdrawal, with a link to use it. */
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

export function ReceiptRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="pt-2 text-soft">{label}</dt>
      <dd className="min-w-0 hand:pt-2">{children}</dd>
    </>
  )
}
