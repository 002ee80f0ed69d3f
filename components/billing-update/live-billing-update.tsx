import { dimmed } from '@/components/ui/live.tsx'
import type { BillingUpdateText } from './billing-update-text.ts'

/** The parts of the billing-update page that follow the country and the tax ID, by the attributes of `ui/live.tsx`. */

interface Live {
  text: BillingUpdateText
}

export function NextChargeFigure({ text: { nextCharge } }: Live) {
  return (
    <dl className={figure.list} data-shown="nextCharge" hidden={nextCharge === null}>
      <dt className={figure.label} data-text="nextCharge.label">
        {nextCharge?.label}
      </dt>
      <dd className={figure.total}>
        <span className={dimmed} data-text="nextCharge.total">
          {nextCharge?.total}
        </span>
      </dd>
    </dl>
  )
}

/** The one figure beside the form. */
export function Figure({ label, total }: { label: string; total: string }) {
  return (
    <dl className={figure.list}>
      <dt className={figure.label}>{label}</dt>
      <dd className={figure.total}>{total}</dd>
    </dl>
  )
}

const figure = {
  list: 'mt-4 wide:mt-8',
  label: 'text-soft',
  total: 'font-semibold text-title tracking-tight wide:text-total',
}

export function NextChargeSentence({ text: { nextCharge } }: Live) {
  return (
    <p data-shown="nextCharge" data-text="nextCharge.sentence" hidden={nextCharge === null}>
      {nextCharge?.sentence}
    </p>
  )
}
