'use client'

import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { QuoteText } from './quote-text.ts'

/** The pause in typing after which a tax ID is asked about. */
const pauseMs = 300
/** After this the form goes without a fresh quote; the server then compares totals itself. */
const patienceMs = 8_000

interface Live {
  text: QuoteText
  /** A quote has been asked for and is not there yet. */
  asking: boolean
  /** The form is on its way: the button cannot be pressed again. */
  paying: boolean
  update: (change: Partial<Omit<Live, 'update'>>) => void
}

const LiveContext = createContext<Live | null>(null)

function useLive(): Live {
  const live = useContext(LiveContext)
  if (!live) throw new Error('Only inside LiveQuote')
  return live
}

/** Holds the order's figures for everything inside that shows them. */
export function LiveQuote({ text, children }: { text: QuoteText; children: ReactNode }) {
  const [state, setState] = useState({ text, asking: false, paying: false })
  const update = useCallback<Live['update']>((change) => setState((before) => ({ ...before, ...change })), [])
  const live = useMemo(() => ({ ...state, update }), [state, update])
  return (
    <LiveContext value={live}>
      {children}
      <p className="sr-only" role="status">
        {state.text.seenTotal === text.seenTotal ? '' : state.text.changed}
      </p>
    </LiveContext>
  )
}

interface Question {
  open: boolean
  stop: AbortController
  settled: Promise<void>
}

/**
 * The form itself: plain, with a plain target. With JavaScript the figures follow the country, the tax ID and the
 * currency, and a press of the button waits for a figure that is still on its way, so that what is sent as `seenTotal`
 * is always what stood on the page.
 */
export function LiveForm({ action, quoteUrl, asked, locale, className, children }: LiveFormProps) {
  const { text, update } = useLive()
  const [scripted, setScripted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef<Question | null>(null)
  const lastQuery = useRef(queryOf((name) => asked[name]))
  const sent = useRef(false)

  const follow = useCallback(
    (pause: number) => {
      if (!form.current) return
      const { elements } = form.current
      // A currency that is not offered at the moment is asked for all the same: the answer says what holds.
      const query = queryOf((name) => (elements.namedItem(name) as HTMLInputElement | HTMLSelectElement).value)
      if (query === lastQuery.current) return
      lastQuery.current = query
      latest.current?.stop.abort()
      const stop = new AbortController()
      const question: Question = { open: true, stop, settled: Promise.resolve() }
      question.settled = ask(`${quoteUrl}?${query}&lang=${locale}`, pause, stop.signal).then((answer) => {
        if (stop.signal.aborted) return
        question.open = false
        // Before a form that waits for this goes on, the figure has to stand on the page.
        flushSync(() => update(answer ? { text: answer, asking: false } : { asking: false }))
      })
      latest.current = question
      update({ asking: true })
    },
    [quoteUrl, locale, update],
  )

  useEffect(() => {
    setScripted(true)
    // What was typed, filled in or restored by the browser before this script ran.
    follow(0)
    if (document.activeElement === document.body) document.getElementById('problems')?.focus()
    const backAgain = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      sent.current = false
      update({ paying: false })
      follow(0)
    }
    window.addEventListener('pageshow', backAgain)
    return () => window.removeEventListener('pageshow', backAgain)
  }, [follow, update])

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (sent.current) {
      event.preventDefault()
      return
    }
    update({ paying: true })
    if (!latest.current?.open) {
      sent.current = true
      return
    }
    event.preventDefault()
    const target = event.currentTarget
    while (latest.current.open) await latest.current.settled
    target.requestSubmit()
  }

  return (
    <form
      action={action}
      className={className}
      method="post"
      noValidate
      onFocus={openFold}
      onInput={(event) => follow(event.target instanceof HTMLInputElement ? pauseMs : 0)}
      onSubmit={submit}
      ref={form}
    >
      {/* Without a script the figures may lag behind what is typed: then no total is claimed to have been seen, and the
          payment page shows the one that counts. */}
      {scripted && <input name="seenTotal" type="hidden" value={text.seenTotal} />}
      {children}
    </form>
  )
}

interface LiveFormProps {
  action: string
  quoteUrl: string
  /** What the figures on the page were made for. */
  asked: Record<(typeof decisive)[number], string>
  locale: string
  className: string
  children: ReactNode
}

const decisive = ['country', 'taxId', 'currency'] as const

function queryOf(valueFor: (name: (typeof decisive)[number]) => string): string {
  return new URLSearchParams(decisive.map((name) => [name, valueFor(name).trim()])).toString()
}

/** The words for a quote, or null when none came: the figures then stay, and the server has the last word. */
async function ask(url: string, pause: number, signal: AbortSignal): Promise<QuoteText | null> {
  await new Promise((resolve) => setTimeout(resolve, pause))
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}

/** A folded field that gets the focus unfolds what it is in. */
function openFold({ target }: { target: EventTarget }) {
  if (target instanceof HTMLInputElement) target.closest('details')?.setAttribute('open', '')
}

export function Total() {
  const { text, asking } = useLive()
  return <span className={asking ? 'opacity-60 transition-opacity delay-200' : 'transition-opacity'}>{text.total}</span>
}

export function Renewal({ className }: { className: string }) {
  const { renewal } = useLive().text
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

export function Lines() {
  return (
    <ul className="divide-y divide-line">
      {useLive().text.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same product may stand on two lines, and lines never move
        <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-4" key={index}>
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
export function Sums({ totalLabel }: { totalLabel: string }) {
  const { text } = useLive()
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
        <dt>{totalLabel}</dt>
        <dd>
          <Total />
        </dd>
      </div>
      {text.below.map(row)}
    </dl>
  )
}

export function TaxIdHint() {
  const { taxId } = useLive().text
  return <span className={taxId.state === 'accepted' ? 'text-done' : undefined}>{taxId.text}</span>
}

/** Shows the choice of currency only to whom it is offered. */
export function CurrencyChoice({ children }: { children: ReactNode }) {
  const offered = useLive().text.currencies.length > 1
  return (
    <fieldset disabled={!offered} hidden={!offered}>
      {children}
    </fieldset>
  )
}

/** What the buyer's country offers: it changes with the country. */
export function CurrencyOptions() {
  return useLive().text.currencies.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))
}

export function ConfirmButton({ className, payingText }: { className: string; payingText: string }) {
  const { text, paying } = useLive()
  return (
    <button className={className} disabled={paying} type="submit">
      {paying ? payingText : text.confirm}
    </button>
  )
}
