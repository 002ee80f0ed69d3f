import type { LiveText } from '../live-text.ts'

interface Quotes {
  /** Requests a quote after a pause, if a field that affects the quote has changed. */
  ask: (pauseMs: number) => void
  /** Null if no request is pending. The promise resolves when the request succeeds, fails, or is replaced. */
  pending: () => Promise<void> | null
}

export interface LiveSettings {
  quoteUrl: string
  locale: string
  /** The time zone and each field that affects the quote, with the value that the server used for the initial text. */
  asked: Readonly<Record<string, string>>
  text: LiveText
}

interface FollowedForm extends LiveSettings {
  form: HTMLFormElement
  timeZone: string
  signal: AbortSignal
}

/** After this time the form is sent without a new quote. The server then compares the prices that the buyer saw with the current prices. */
const patienceMs = 8_000

export function newQuotes(followed: FollowedForm, put: (text: LiveText) => void): Quotes {
  const { form, asked, timeZone, quoteUrl, locale, signal } = followed
  const queryOf = (valueFor: (name: string) => string | undefined) =>
    new URLSearchParams(Object.keys(asked).map((name) => [name, (valueFor(name) ?? '').trim()])).toString()
  const typed = (name: string) =>
    name === 'timeZone'
      ? timeZone
      : (form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null)?.value
  const isReleased = followPress(signal)
  let lastQuery = queryOf((name) => asked[name])
  let latest: { stop: AbortController; settled: Promise<void> } | null = null

  const ask = (pauseMs: number) => {
    // The query may contain a currency that is not offered for the new input. The response then contains the currency to use instead.
    const query = queryOf(typed)
    if (query === lastQuery || signal.aborted) return
    lastQuery = query
    latest?.stop.abort()
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal])
    const settled = textFrom(`${quoteUrl}?${query}&lang=${locale}`, pauseMs, stopped).then(async (text) => {
      await isReleased()
      if (stopped.aborted) return
      latest = null
      setAsking(false)
      // `text` is null after a failed request. In this case, the next input requests a quote again.
      if (text) put(text)
      else lastQuery = ''
    })
    latest = { stop, settled }
    setAsking(true)
  }
  return { ask, pending: () => latest?.settled ?? null }
}

const setAsking = (isAsking: boolean) => document.documentElement.toggleAttribute('data-asking', isAsking)

/**
 * Returns null if the server sends no quote. The page then keeps its text, and the server checks the prices that the
 * form sends.
 */
async function textFrom(url: string, pauseMs: number, signal: AbortSignal): Promise<LiveText | null> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

/**
 * Returns a function that waits until the buyer releases the pointer, because a new text could move the button during a
 * press. The function returns null if the pointer is not pressed.
 */
function followPress(signal: AbortSignal): () => Promise<unknown> | null {
  const press = new EventTarget()
  let isPressed = false
  addEventListener(
    'pointerdown',
    () => {
      isPressed = true
    },
    { signal },
  )
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(
      end,
      () => {
        isPressed = false
        // The click event follows the release of the pointer in the same task, so this code waits for the end of the
        // task.
        setTimeout(() => press.dispatchEvent(new Event('end')))
      },
      { signal },
    )
  return () => (isPressed ? new Promise((resolve) => press.addEventListener('end', resolve, { once: true })) : null)
}
