import type { LiveText } from '../live-text.ts'
import { type LiveSettings, newQuotes } from './quotes.ts'
import { showText, write } from './text-writer.ts'

/** The pause in typing before a quote is requested. */
const pauseMs = 300

/**
 * Updates a form's text to match the input. If a quote is pending when the buyer presses the button, the form is sent
 * after the page shows the new total. A second press has no effect. Returns a function that removes the listeners.
 */
export function followForm(form: HTMLFormElement, settings: LiveSettings): () => void {
  const stop = new AbortController()
  const listen = { signal: stop.signal }
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const button = form.querySelector<HTMLButtonElement>('button[data-sending]')
  const plainWords = button?.textContent
  let { text } = settings
  let required: HTMLInputElement[] = []
  let isSent = false

  const markRequired = () => {
    for (const field of required) field.required = false
    const named = text.required.map((name) => form.elements.namedItem(name))
    required = named.filter((field) => field instanceof HTMLInputElement)
    for (const field of required) field.required = true
  }
  const setSending = (isSending: boolean) => {
    if (!button) return
    button.disabled = isSending
    write(button, isSending ? button.dataset.sending : (text.confirm ?? plainWords))
  }
  const quotes = newQuotes({ ...settings, form, timeZone, signal: stop.signal }, (quoted) => {
    const before = text
    text = quoted
    showText(text)
    markRequired()
    announce(form, before, text)
    if (button?.disabled) setSending(true)
  })

  form.addEventListener('input', ({ target }) => quotes.ask(target instanceof HTMLInputElement ? pauseMs : 0), listen)
  // Replaces the prices that the form had when the page loaded with the prices that the buyer saw last. The server can
  // then detect a changed price.
  form.addEventListener(
    'formdata',
    ({ formData }) => {
      formData.set('timeZone', timeZone)
      if (text.seenPrices !== undefined) formData.set('seenPrices', text.seenPrices)
    },
    listen,
  )
  form.addEventListener(
    'submit',
    async (event) => {
      if (isSent) return event.preventDefault()
      setSending(true)
      if (!quotes.pending()) {
        isSent = true
        return
      }
      event.preventDefault()
      for (let pending = quotes.pending(); pending; pending = quotes.pending()) await pending
      form.requestSubmit()
    },
    listen,
  )
  window.addEventListener(
    'pageshow',
    ({ persisted }) => {
      if (!persisted) return
      isSent = false
      setSending(false)
      quotes.ask(0)
    },
    listen,
  )

  markRequired()
  // Requests a quote immediately, because the browser may have filled in or restored input before this script runs.
  quotes.ask(0)
  if (document.activeElement === document.body) document.getElementById('problems')?.focus()
  form.dataset.followed = ''
  return () => stop.abort()
}

/** Announces new text to a screen reader. Without new text, the last announcement stays. */
function announce(form: HTMLFormElement, before: LiveText, text: LiveText): void {
  const taxId = form.elements.namedItem('taxId')
  const isNew = taxId instanceof HTMLInputElement && taxId.value && text.taxId.text !== before.taxId.text
  if (isNew || text.changed !== before.changed)
    write(document.querySelector('[data-announced]'), [isNew ? text.taxId.text : '', text.changed].join(' ').trim())
}
