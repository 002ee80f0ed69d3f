'use client'

import { useLive } from '@/components/ui/live-form.tsx'
import type { BillingUpdateText } from './billing-update-text.ts'

/** The parts of the billing-update page that follow the country and the tax ID. */

const useBilling = () => useLive<BillingUpdateText>()

export function NextChargeFigure() {
  const { text, asking } = useBilling()
  if (!text.nextCharge) return null
  const { label, total } = text.nextCharge
  return <Figure isOld={asking} label={label} total={total} />
}

/** The one figure beside the form. `isOld`: another is on its way. */
export function Figure({ label, total, isOld = false }: { label: string; total: string; isOld?: boolean }) {
  return (
    <dl className="mt-4 wide:mt-8">
      <dt className="text-soft">{label}</dt>
      <dd className="font-semibold text-title tracking-tight wide:text-total">
        <span className={isOld ? 'opacity-60 transition-opacity delay-200' : 'transition-opacity'}>{total}</span>
      </dd>
    </dl>
  )
}

export function NextChargeSentence() {
  const { nextCharge } = useBilling().text
  return nextCharge && <p>{nextCharge.sentence}</p>
}
