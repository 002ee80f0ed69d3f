'use client'

import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon.tsx'
import { useLive } from '@/components/ui/live-form.tsx'
import type { QuoteText } from './quote-text.ts'

/** The parts of the checkout that follow the country, the tax ID and the currency. */

const useQuote = () => useLive<QuoteText>()

export function Total() {
  const { text, asking } = useQuote()
  return <span className={asking ? 'opacity-60 transition-opacity delay-200' : 'transition-opacity'}>{text.total}</span>
}

export function TotalLabel() {
  return useQuote().text.totalLabel
}

export function DueLabel() {
  return useQuote().text.dueLabel
}

export function Renewal({ className }: { className: string }) {
  const { renewal } = useQuote().text
  if (!renewal) return null
  return (
    <div className={className}>
      <p>{renewal.sentence}</p>
      {renewal.items.length > 0 && (
        <ul className="mt-1 list-disc ps-5">
          {renewal.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The lines; of many only the first ones, and the rest in a fold. */
export function Lines() {
  const { lines, moreLines } = useQuote().text
  if (moreLines === null) return <LineList lines={lines} />
  return (
    <>
      <LineList lines={lines.slice(0, moreLines.after)} />
      <details className="border-line border-t">
        <summary className="flex min-h-11 items-center gap-1 rounded-box font-medium text-accent">
          {moreLines.label}
          <Icon className="chevron size-5" name="chevron" />
        </summary>
        <LineList lines={lines.slice(moreLines.after)} />
      </details>
    </>
  )
}

function LineList({ lines }: { lines: QuoteText['lines'] }) {
  return (
    <ul className="divide-y divide-line">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same product may stand on two lines, and lines never move
        <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-3" key={index}>
          <span className="font-medium">{line.name}</span>
          <span className="text-end">{line.amount}</span>
          <span className="text-note text-soft">{line.unit}</span>
          <span className="text-end text-note text-soft">{line.note}</span>
          <span className="col-span-2 mt-1 whitespace-pre-line text-note text-soft">{line.description}</span>
        </li>
      ))}
    </ul>
  )
}

/** Subtotal and taxes, the total, and the tax inside it. */
export function Sums() {
  const { text } = useQuote()
  const row = ({ label, amount }: { label: string; amount: string }) => (
    <div className="flex justify-between gap-4 text-soft" key={label}>
      <dt>{label}</dt>
      <dd>{amount}</dd>
    </div>
  )
  return (
    <dl className="grid gap-2 text-note">
      {text.above.map(row)}
      <div className="flex justify-between gap-4 font-semibold text-body">
        <dt>{text.totalLabel}</dt>
        <dd>
          <Total />
        </dd>
      </div>
      {text.below.map(row)}
    </dl>
  )
}

/** The parts that belong to a payment method, shown and sent only while the order asks for one. */
export function IfMethodIsAskedFor({ children }: { children: ReactNode }) {
  const { asksForMethod } = useQuote().text
  return (
    <fieldset disabled={!asksForMethod} hidden={!asksForMethod}>
      {children}
    </fieldset>
  )
}

/** Shows the choice of currency only to buyers who have one and have something to pay. */
export function CurrencyChoice({ children }: { children: ReactNode }) {
  const { currencies, asksForMethod } = useQuote().text
  const offered = currencies.length > 1
  return (
    <fieldset disabled={!offered} hidden={!offered || !asksForMethod}>
      {children}
    </fieldset>
  )
}

/** The currencies that the buyer's country offers: they change with the country. */
export function CurrencyOptions() {
  return useQuote().text.currencies.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))
}

/** Asked of consumers in the EEA only. Not ticked, the right of withdrawal stays as it is. */
export function WithdrawalConsent({ isGiven }: { isGiven: boolean }) {
  const { withdrawal } = useQuote().text
  return (
    <fieldset disabled={withdrawal === null} hidden={withdrawal === null}>
      <label className="flex items-start gap-2 text-note">
        <input
          className="mt-0.5 size-5 shrink-0"
          defaultChecked={isGiven}
          name="beginAtOnce"
          type="checkbox"
          value="yes"
        />
        <span>{withdrawal}</span>
      </label>
    </fieldset>
  )
}

/** The information that the consent is about, for those whom it concerns. */
export function WithdrawalInformation({ children }: { children: ReactNode }) {
  return useQuote().text.withdrawal === null ? null : children
}

export function ConfirmButton({ className, payingText }: { className: string; payingText: string }) {
  const { text, sending } = useQuote()
  return (
    <button className={className} disabled={sending} type="submit">
      {sending ? payingText : text.confirm}
    </button>
  )
}
