import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon.tsx'
import { muted } from '@/components/ui/live.tsx'
import type { QuoteText } from './quote-text.ts'

interface Live {
  text: QuoteText
}

export function Total({ text }: Live) {
  return (
    <span className={muted} data-text="total">
      {text.total}
    </span>
  )
}

export function TotalLabel({ text }: Live) {
  return <span data-text="totalLabel">{text.totalLabel}</span>
}

export function DueLabel({ text }: Live) {
  return <span data-text="dueLabel">{text.dueLabel}</span>
}

interface RenewalProps extends Live {
  className: string
  /** Whether the renewal text says that its amounts exclude tax. False near the button, where the label of the total already says so. */
  saysBeforeTax?: boolean
}

export function Renewal({ text: { renewal }, className, saysBeforeTax = false }: RenewalProps) {
  const items = renewal?.items ?? []
  return (
    <div className={className} data-shown="renewal" hidden={renewal === null}>
      <p>
        {saysBeforeTax && <span data-text="renewal.beforeTax">{renewal?.beforeTax}</span>}{' '}
        <span data-text="renewal.sentence">{renewal?.sentence}</span>
      </p>
      <ul
        className="mt-1 list-disc ps-5"
        data-each="renewal.items"
        data-shown="renewal.items.length"
        hidden={items.length === 0}
      >
        <li hidden />
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}

export function Lines({ text: { lines, moreLines } }: Live) {
  return (
    <>
      <LineList lines={lines} path="lines" />
      {moreLines && (
        <details className="border-line border-t">
          <summary className="flex min-h-11 items-center gap-1 rounded-box font-medium text-accent">
            {moreLines.label}
            <Icon className="chevron size-5" name="chevron" />
          </summary>
          <LineList lines={moreLines.lines} path="moreLines.lines" />
        </details>
      )}
    </>
  )
}

/**
 * The names of the ordered items, repeated near the button, because on a phone the full lines are collapsed and far
 * from the button.
 */
export function OrderedLines({ text: { lines, moreLines }, className }: Live & { className: string }) {
  const line = (key: number, each?: QuoteText['lines'][number]) => (
    <li className="flex flex-wrap justify-between gap-x-4" hidden={!each} key={key}>
      <span className="min-w-0 grow basis-32">
        <span data-item="name">{each?.name}</span>{' '}
        <span className="text-soft" data-item="unit">
          {each?.unit}
        </span>
      </span>
      <span className="ms-auto" data-item="amount">
        {each?.amount}
      </span>
    </li>
  )
  return (
    <div className={`grid gap-1 text-note ${className}`}>
      <ul className="grid gap-1" data-each="lines">
        {line(-1)}
        {lines.map((each, index) => line(index, each))}
      </ul>
      {moreLines && <p className="text-soft">{moreLines.label}</p>}
    </div>
  )
}

function LineList({ lines, path }: { lines: QuoteText['lines']; path: string }) {
  return (
    <ul className="divide-y divide-line" data-each={path}>
      <Line isModel />
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines can have the same product, and lines keep their order
        <Line key={index} line={line} />
      ))}
    </ul>
  )
}

function Line({ line, isModel = false }: { line?: QuoteText['lines'][number]; isModel?: boolean }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_fit-content(60%)] gap-x-4 py-3" hidden={isModel}>
      <span className="font-medium" data-item="name">
        {line?.name}
      </span>
      <span className="text-end" data-item="amount">
        {line?.amount}
      </span>
      <span className="text-note text-soft" data-item="unit">
        {line?.unit}
      </span>
      <span className="text-end text-note text-soft" data-item="note">
        {line?.note}
      </span>
      <span className="col-span-2 mt-1 whitespace-pre-line text-note text-soft" data-item="description">
        {line?.description}
      </span>
    </li>
  )
}

export function Sums({ text }: Live) {
  return (
    <div className="grid gap-2 text-note">
      <SumList path="above" rows={text.above} />
      <dl className="flex justify-between gap-4 font-semibold text-body">
        <dt>
          <TotalLabel text={text} />
        </dt>
        <dd>
          <Total text={text} />
        </dd>
      </dl>
      <SumList path="below" rows={text.below} />
    </div>
  )
}

function SumList({ rows, path }: { rows: QuoteText['above']; path: string }) {
  const row = (key: string, sum?: QuoteText['above'][number]) => (
    <div className="flex justify-between gap-4 text-soft" hidden={!sum} key={key}>
      <dt data-item="label">{sum?.label}</dt>
      <dd data-item="amount">{sum?.amount}</dd>
    </div>
  )
  return (
    <dl className="grid gap-2" data-each={path} data-shown={`${path}.length`} hidden={rows.length === 0}>
      {row('model')}
      {rows.map((sum) => row(sum.label, sum))}
    </dl>
  )
}

/** Shows its children, and sends their fields, only if the order needs a payment method. */
export function IfMethodIsAskedFor({ text: { asksForMethod }, children }: Live & { children: ReactNode }) {
  return (
    <fieldset data-enabled="asksForMethod" data-shown="asksForMethod" disabled={!asksForMethod} hidden={!asksForMethod}>
      {children}
    </fieldset>
  )
}

/** Shown only if several currencies are offered and the order needs a payment method. */
export function CurrencyChoice({ text: { currencies, asksForMethod }, children }: Live & { children: ReactNode }) {
  const isOffered = currencies.length > 1
  return (
    <div data-shown="asksForMethod" hidden={!asksForMethod}>
      <fieldset data-enabled="currencies.1" data-shown="currencies.1" disabled={!isOffered} hidden={!isOffered}>
        {children}
      </fieldset>
    </div>
  )
}

/** Shown only to consumers in the EEA. A buyer who does not check the box keeps the right of withdrawal. */
export function WithdrawalConsent({ text: { withdrawal }, isGiven }: Live & { isGiven: boolean }) {
  const isAsked = withdrawal !== null
  return (
    <fieldset data-enabled="withdrawal" data-shown="withdrawal" disabled={!isAsked} hidden={!isAsked}>
      <label className="flex items-start gap-2 text-note">
        <input
          className="mt-0.5 size-5 shrink-0"
          defaultChecked={isGiven}
          name="beginAtOnce"
          type="checkbox"
          value="yes"
        />
        <span data-text="withdrawal">{withdrawal}</span>
      </label>
    </fieldset>
  )
}

export function WithdrawalInformation({ text: { withdrawal }, children }: Live & { children: ReactNode }) {
  return (
    <div data-shown="withdrawal" hidden={withdrawal === null}>
      {children}
    </div>
  )
}

export function ConfirmButton({ text, className, payingText }: Live & { className: string; payingText: string }) {
  return (
    <button className={className} data-sending={payingText} data-text="confirm" type="submit">
      {text.confirm}
    </button>
  )
}
