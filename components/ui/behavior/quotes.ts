import type { LiveText } from '../live-text.ts'

/** The quotes of a form: at most one request is pending, and a newer one replaces it. */
interface Quotes {
  /** Requests the text after a pause, if the fields that decide it have changed. */
  ask: (pauseMs: number) => void
  /** Null without a pending request. Resolves when the request succeeds, fails, or is replaced. */
  pending: () => Promise<void> | null
}

/** The settings that the server passes to the script. */
export interface LiveSettings {
  quoteUrl: string
  locale: string
  /** The deciding fields and the time zone, each with the value for which the server wrote the page's text. */
  asked: Readonly<Record<string, string>>
  text: LiveText
}

interface FollowedForm extends LiveSettings {
  form: HTMLFormElement
  timeZone: string
  /** Aborts when the script stops. */
  signal: AbortSignal
}

/** After this time the form is sent without a fresh quote, and the server compares the totals. */
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
    // A currency that is not offered now is still sent: the response has the valid currency.
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
      // A failed request is repeated at the next change.
      if (text) put(text)
      else lastQuery = ''
    })
    latest = { stop, settled }
    setAsking(true)
  }
  return { ask, pending: () => latest?.settled ?? null }
}

const setAsking = (isAsking: boolean) => document.documentElement.toggleAttribute('data-asking', isAsking)

/** Null without a response: then the current text stays, and the server decides. */
async function textFrom(url: string, pauseMs: number, signal: AbortSignal): Promise<LiveText | null> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) })
    return response.ok ? await response.json() : null
  } catch {
    return null
  }
}

/** Waits until no finger is down, because a text that moves the button would make the finger miss it. */
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
        // The click follows in the same task.
        setTimeout(() => press.dispatchEvent(new Event('end')))
      },
      { signal },
    )
  return () => (isPressed ? new Promise((resolve) => press.addEventListener('end', resolve, { once: true })) : null)
}
