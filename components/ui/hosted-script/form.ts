import type { LiveText } from '../live-text.ts'
import type { NewQuotes } from './quotes.ts'
import type { TextWriter } from './text.ts'

/**
 * Keeps a form's text true to what is typed. A press of the button waits for a quote that is still on its way, so that
 * the total that is sent is always the one on the page; a second press does nothing.
 */
export function followForm(form: HTMLFormElement, { show, write }: TextWriter, newQuotes: NewQuotes): void {
  /** The pause in typing after which a quote is requested. */
  const pauseMs = 300
  const live = JSON.parse(form.dataset.live ?? '')
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  form.append(Object.assign(document.createElement('input'), { type: 'hidden', name: 'timeZone', value: timeZone }))
  const button = form.querySelector<HTMLButtonElement>('button[data-sending]')
  const plainWords = button?.textContent
  let text: LiveText = live.text
  let required: HTMLInputElement[] = []
  let isSent = false

  const mark = () => {
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
  const quotes = newQuotes(form, live, (answer) => {
    const before = text
    text = answer
    show(text)
    mark()
    const taxId = form.elements.namedItem('taxId')
    const isNew = taxId instanceof HTMLInputElement && taxId.value && text.taxId.text !== before.taxId.text
    // Where nothing is new, what was said last stays.
    if (isNew || text.changed !== before.changed)
      write(document.querySelector('[data-announced]'), [isNew ? text.taxId.text : '', text.changed].join(' ').trim())
    if (button?.disabled) setSending(true)
  })

  form.addEventListener('input', ({ target }) => quotes.ask(target instanceof HTMLInputElement ? pauseMs : 0))
  // Without this script the figures may lag behind what is typed: then no total is claimed to have been seen, and the
  // payment page shows the one that counts. With a trial it does not show all, and the form has the prices from the start.
  form.addEventListener('formdata', ({ formData }) => {
    if (text.seenPrices !== undefined) formData.set('seenPrices', text.seenPrices)
  })
  form.addEventListener('submit', async (event) => {
    if (isSent) return event.preventDefault()
    setSending(true)
    if (!quotes.pending()) {
      isSent = true
      return
    }
    event.preventDefault()
    for (let pending = quotes.pending(); pending; pending = quotes.pending()) await pending
    form.requestSubmit()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    isSent = false
    setSending(false)
    quotes.ask(0)
  })

  mark()
  // Input that was typed, filled in or restored by the browser before this script ran.
  quotes.ask(0)
  if (document.activeElement === document.body) document.getElementById('problems')?.focus()
  form.dataset.followed = ''
}
