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
import { FormLanguage } from './form-language.tsx'

/** The pause in typing after which a tax ID is asked about. */
const pauseMs = 300
/** After this the form goes without a fresh answer; the server then compares totals itself. */
const patienceMs = 8_000

/** What every form says in words that depend on what is typed. The server words it; the browser only puts it in place. */
export interface LiveText {
  taxId: { text: string; isGood: boolean }
  /** What the address is for, and whether it may be left out. */
  addressHint: string
  /** Fields that may not be left empty because of what is typed elsewhere. */
  required: string[]
  /** Said to a screen reader when it changes. */
  changed: string
  /** What the form sends back as the total that it shows. */
  seenTotal?: string
}

interface Live {
  text: LiveText
  /** An answer has been asked for and is not there yet. */
  asking: boolean
  /** The form is on its way: the button cannot be pressed again. */
  sending: boolean
  update: (change: Partial<Omit<Live, 'update'>>) => void
}

const LiveContext = createContext<Live | null>(null)

/** The state of the page around; its owner knows which words it holds. */
export function useLive<Text extends LiveText>(): Live & { text: Text } {
  const live = useContext(LiveContext)
  if (!live) throw new Error('Only inside LivePage')
  return live as Live & { text: Text }
}

/** Holds the words for everything inside that shows them. */
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
 * The form itself: plain, with a plain target. With JavaScript the words follow the fields that decide them, and a press of
 * the button waits for an answer that is still on its way, so that what is sent as `seenTotal` is always what stood on the
 * page.
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
      // A currency that is not offered at the moment is asked for all the same: the answer says what holds.
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
        // What was not answered is asked again at the next change.
        if (!answer) lastQuery.current = ''
        // Before a form that waits for this goes on, the figure has to stand on the page.
        flushSync(() => update(answer ? { text: answer, asking: false } : { asking: false }))
      })
      latest.current = question
      update({ asking: true })
    },
    [deciding, quoteUrl, locale, update],
  )

  useEffect(() => {
    setScripted(true)
    // What was typed, filled in or restored by the browser before this script ran.
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
  /** The fields that decide, each with the value that the words on the page were made for. */
  asked: Readonly<Record<string, string>>
  locale: string
  className: string
  children: ReactNode
}

function queryOf(names: readonly string[], valueFor: (name: string) => string | undefined): string {
  return new URLSearchParams(names.map((name) => [name, (valueFor(name) ?? '').trim()])).toString()
}

/** The words for what is typed, or null when none came: what stands there then stays, and the server has the last word. */
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

export function LiveAddressHint() {
  return useLive().text.addressHint
}
