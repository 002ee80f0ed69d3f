import type { LiveText } from '../live-text.ts'

/** The quotes of a form: one is on its way at a time, and a newer question replaces it. */
interface Quotes {
  /** Asks for the text, after a pause, if the fields that decide it have changed. */
  ask: (pauseMs: number) => void
  /** Null while none is on its way. It resolves when that one is there, is given up or is replaced. */
  pending: () => Promise<void> | null
}

export type NewQuotes = (form: HTMLFormElement, live: LiveSettings, put: (text: LiveText) => void) => Quotes

/** What a form says about itself in `data-live`. */
export interface LiveSettings {
  quoteUrl: string
  locale: string
  /** The fields that decide, and the time zone, each with the value for which the page's text was made. */
  asked: Readonly<Record<string, string>>
  text: LiveText
}

export const newQuotes: NewQuotes = (form, { quoteUrl, locale, asked }, put) => {
  /** After this the form is sent without a fresh quote; the server then compares totals itself. */
  const patienceMs = 8_000
  const queryOf = (valueFor: (name: string) => string | undefined) =>
    new URLSearchParams(Object.keys(asked).map((name) => [name, (valueFor(name) ?? '').trim()])).toString()
  const typed = (name: string) => (form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null)?.value
  let lastQuery = queryOf((name) => asked[name])
  let latest: { stop: AbortController; settled: Promise<void> } | null = null

  /** The text for the input, or null if there is no response: the current text then stays, and the server decides. */
  const textFor = async (query: string, pauseMs: number, signal: AbortSignal): Promise<LiveText | null> => {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    try {
      const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
      const answer = await fetch(`${quoteUrl}?${query}&lang=${locale}`, { signal: patience })
      return answer.ok ? await answer.json() : null
    } catch {
      return null
    }
  }
  let isPressed = false
  const press = new EventTarget()
  addEventListener('pointerdown', () => {
    isPressed = true
  })
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(end, () => {
      isPressed = false
      // The click comes after it, in the same task.
      setTimeout(() => press.dispatchEvent(new Event('end')))
    })
  /** A text that moves the button from under a finger would make it miss: it waits until the finger is lifted. */
  const released = () =>
    isPressed ? new Promise((resolve) => press.addEventListener('end', resolve, { once: true })) : null

  const setAsking = (isAsking: boolean) => document.documentElement.toggleAttribute('data-asking', isAsking)

  const ask = (pauseMs: number) => {
    // A currency that is not offered at the moment is sent all the same: the response has the valid one.
    const query = queryOf(typed)
    if (query === lastQuery) return
    lastQuery = query
    latest?.stop.abort()
    const stop = new AbortController()
    const settled = textFor(query, pauseMs, stop.signal).then(async (text) => {
      await released()
      if (stop.signal.aborted) return
      latest = null
      setAsking(false)
      // A failed request is repeated at the next change.
      if (text) put(text)
      else lastQuery = ''
    })
    latest = { stop, settled }
    setAsking(true)
  }
  return { ask, pending: () => latest?.settled ?? null }
}
