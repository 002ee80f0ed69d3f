import { useTranslations } from 'next-intl'
import { Notice } from '@/components/ui/notice.tsx'
import type { PaymentNotice as PaymentNoticeView } from '@/lib/modules/checkouts/page.ts'

/** Says why the payment provider returned the buyer to this page, and what the buyer can do. */
export function PaymentNotice({ notice, takesFocus }: { notice: PaymentNoticeView; takesFocus: boolean }) {
  const t = useTranslations()
  const words = notice.isVerification ? verification : payment
  if (notice.kind === 'declined')
    return (
      <Notice takesFocus={takesFocus} title={t(words.declined)} tone="wrong">
        <p>{t(`failureReasons.${notice.reason}.advice`)}</p>
        <p>{t(words.declinedAfter)}</p>
      </Notice>
    )
  const isCanceled = notice.kind === 'payment_canceled'
  return (
    <Notice takesFocus={takesFocus} title={t(isCanceled ? words.canceled : words.expired)} tone="plain">
      <p>{t(isCanceled ? words.canceledText : words.expiredText)}</p>
    </Notice>
  )
}

const payment = {
  declined: 'checkout.notice.declined',
  declinedAfter: 'checkout.notice.declinedAfter',
  canceled: 'checkout.notice.paymentCanceled',
  canceledText: 'checkout.notice.paymentCanceledText',
  expired: 'checkout.notice.paymentExpired',
  expiredText: 'checkout.notice.paymentExpiredText',
} as const

const verification = {
  declined: 'checkout.notice.methodDeclined',
  declinedAfter: 'checkout.notice.methodDeclinedAfter',
  canceled: 'checkout.notice.verificationCanceled',
  canceledText: 'checkout.notice.verificationText',
  expired: 'checkout.notice.verificationExpired',
  expiredText: 'checkout.notice.verificationText',
} as const
