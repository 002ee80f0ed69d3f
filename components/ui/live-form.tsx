'use client'

import {
  type ComponentProps,
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
import { FieldFold } from './field-fold.tsx'
import { FormLanguage } from './form-language.tsx'

/** The pause in typing after which a quote for a tax ID is requested. */
const pauseMs = 300
/** After this the form is sent without a fresh quote; the server then compares totals itself. */
const patienceMs = 8_000

/** The text of every form that depends on the input. The server writes it; the browser only puts it in place. */
export interface LiveText {
  taxId: { text: string; isGood: boolean }
  /** What the address is for, and whether it may be left out. */
  addressHint: string
  /** The address may not be folded away. */
  asksForAddress: boolean
  /** False where addresses have no postal code. */
  asksForPostalCode: boolean
  /** Fields that may not be left empty because of other input. */
  required: string[]
  /** Announced to a screen reader when it changes. */
  changed: string
  /** The value that the form sends back as the total that it shows. */
  seenTotal?: string
}

interface Live {
  text: LiveText
  /** A quote has been requested and is not there yet. */
  asking: boolean
  /** The form is on its way: the button cannot be pressed again. */
  sending: boolean
  update: (change: Partial<Omit<Live, 'update'>>) => void
}

const LiveContext = createContext<Live | null>(null)

/** The state of the surrounding page; its owner knows the type of the text. */
export function useLive<Text extends LiveText>(): Live & { text: Text } {
  const live = useContext(LiveContext)
  if (!live) throw new Error('Only inside LivePage')
  return live as Live & { text: Text }
}

/** Provides the text to everything inside that shows it. */
export function LivePage({ text, children }: { text: LiveText; children: ReactNode }) {
  const [state, setState] = useState({ text, asking: false, sending: false })
  const update = useCallback<Live['update']>((change) => setState((before) => ({ ...before, ...change })), [])
  const live = useMemo(() => ({ ...state, update }), [state, update])
  return (
    <LiveContext value={live}>
      {children}
      <p className="sr-only" role="status">
        {state.text.changed === text.changed ? '' : state.text.changed}
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
 * The form itself: plain, with a plain target. With JavaScript the text follows the fields that decide it, and a press
 * of the button waits for a quote that is still on its way, so that the `seenTotal` that is sent is always the one on
 * the page.
 */
export function LiveForm({ action, quoteUrl, asked, locale, className, children }: LiveFormProps) {
  const { text, update } = useLive()
  const [scripted, setScripted] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const latest = useRef<Question | null>(null)
  const deciding = useRef(Object.keys(asked)).current
  const lastQuery = useRef(queryOf(deciding, (name) => asked[name]))
  const sent = useRef(false)

  const follow = useCallback(
    (pause: number) => {
      if (!form.current) return
      const { elements } = form.current
      // A currency that is not offered at the moment is sent all the same: the response has the valid one.
      const query = queryOf(
        deciding,
        (name) => (elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null)?.value,
      )
      if (query === lastQuery.current) return
      lastQuery.current = query
      latest.current?.stop.abort()
      const stop = new AbortController()
      const question: Question = { open: true, stop, settled: Promise.resolve() }
      question.settled = ask(`${quoteUrl}?${query}&lang=${locale}`, pause, stop.signal).then((answer) => {
        if (stop.signal.aborted) return
        question.open = false
        // A failed request is repeated at the next change.
        if (!answer) lastQuery.current = ''
        // Before a form that waits for this is sent, the figure has to be on the page.
        flushSync(() => update(answer ? { text: answer, asking: false } : { asking: false }))
      })
      latest.current = question
      update({ asking: true })
    },
    [deciding, quoteUrl, locale, update],
  )

  useEffect(() => {
    setScripted(true)
    // Input that was typed, filled in or restored by the browser before this script ran.
    follow(0)
    if (document.activeElement === document.body) document.getElementById('problems')?.focus()
    const backAgain = (event: PageTransitionEvent) => {
      if (!event.persisted) return
      sent.current = false
      update({ sending: false })
      follow(0)
    }
    window.addEventListener('pageshow', backAgain)
    return () => window.removeEventListener('pageshow', backAgain)
  }, [follow, update])

  useEffect(() => {
    const mark = (required: boolean) => {
      for (const name of text.required) {
        const field = form.current?.elements.namedItem(name)
        if (field instanceof HTMLInputElement) field.required = required
      }
    }
    mark(true)
    return () => mark(false)
  }, [text.required])

  async function submit(event: FormEvent<HTMLFormElement>) {
    if (sent.current) {
      event.preventDefault()
      return
    }
    update({ sending: true })
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
      onInput={(event) => follow(event.target instanceof HTMLInputElement ? pauseMs : 0)}
      onSubmit={submit}
      ref={form}
    >
      {/* Without a script the figures may lag behind what is typed: then no total is claimed to have been seen, and the
          payment page shows the one that counts. */}
      {scripted && text.seenTotal !== undefined && <input name="seenTotal" type="hidden" value={text.seenTotal} />}
      <FormLanguage locale={locale} />
      {children}
    </form>
  )
}

interface LiveFormProps {
  action: string
  quoteUrl: string
  /** The fields that decide, each with the value for which the page's text was made. */
  asked: Readonly<Record<string, string>>
  locale: string
  className: string
  children: ReactNode
}

function queryOf(names: readonly string[], valueFor: (name: string) => string | undefined): string {
  return new URLSearchParams(names.map((name) => [name, (valueFor(name) ?? '').trim()])).toString()
}

/** The text for the input, or null if there is no response: the current text then stays, and the server decides. */
async function ask(url: string, pause: number, signal: AbortSignal): Promise<LiveText | null> {
  await new Promise((resolve) => setTimeout(resolve, pause))
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
    return answer.ok ? await answer.json() : null
  } catch {
    return null
  }
}

export function LiveTaxIdHint() {
  const { taxId } = useLive().text
  return <span className={taxId.isGood ? 'text-done' : undefined}>{taxId.text}</span>
}

/** The optional address, folded while nothing asks for it. */
export function LiveAddressFold(fold: Omit<ComponentProps<typeof FieldFold>, 'isNeeded'>) {
  return <FieldFold {...fold} isNeeded={useLive().text.asksForAddress} />
}

/** Hides the postal code where addresses have none, unless one is typed. */
export function LivePostalCode({ isFilled, className, children }: LivePostalCodeProps) {
  const { asksForPostalCode } = useLive().text
  const [filled, setFilled] = useState(isFilled)
  return (
    <div
      className={className}
      hidden={!asksForPostalCode && !filled}
      onInput={({ target }) => setFilled(target instanceof HTMLInputElement && target.value !== '')}
    >
      {children}
    </div>
  )
}

interface LivePostalCodeProps {
  isFilled: boolean
  className: string
  children: ReactNode
}

export function LiveAddressHint() {
  return useLive().text.addressHint
}
