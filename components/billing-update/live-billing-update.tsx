import { muted } from '@/components/ui/live.tsx'
import type { BillingUpdateText } from './billing-update-text.ts'

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
        <span className={muted} data-text="nextCharge.total">
          {nextCharge?.total}
        </span>
      </dd>
    </dl>
  )
}

export function ToPayFigure({ label, text }: Live & { label: string }) {
  return (
    <dl className={figure.list}>
      <dt className={figure.label}>{label}</dt>
      <dd className={figure.total}>
        <span className={muted} data-text="toPay">
          {text.toPay}
        </span>
      </dd>
    </dl>
  )
}

export function WaitingSentence({ text: { waiting } }: Live) {
  return (
    <p data-shown="waiting" data-text="waiting" hidden={waiting === null}>
      {waiting}
    </p>
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
