import type { LiveText } from '../live-text.ts'

/** Writes the texts to the elements that the attributes of `live.tsx` mark. */
export function showText(text: LiveText): void {
  const at = (element: HTMLElement, attribute: string) => valueAt(text, element.dataset[attribute])
  for (const one of each('text')) write(one, at(one, 'text'))
  for (const one of each('each')) writeEach(one, (at(one, 'each') as unknown[] | undefined) ?? [])
  for (const one of each('on')) one.toggleAttribute('data-is-on', Boolean(at(one, 'on')))
  for (const one of each<HTMLFieldSetElement>('enabled')) one.disabled = !at(one, 'enabled')
  for (const one of each('shown')) one.hidden = !at(one, 'shown') && !('orFilled' in one.dataset && isFilled(one))
  for (const one of each<HTMLDetailsElement>('opened'))
    if (one.dataset.opened?.split(' ').some((path) => valueAt(text, path))) one.open = true
  for (const one of each<HTMLSelectElement>('options'))
    offerOptions(one, at(one, 'options') as { code: string; name: string }[], valueAt(text, one.name))
  for (const one of each('offered')) offerRows(one, at(one, 'offered') as string[], valueAt(text, 'proposedMethod'))
}

export function write(element: Element | null, words: unknown): void {
  const written = words === null || words === undefined ? '' : String(words)
  if (element && element.textContent !== written) element.textContent = written
}

const each = <Found extends HTMLElement>(attribute: string, within: ParentNode = document) => [
  ...within.querySelectorAll<Found>(`[data-${attribute}]`),
]

const valueAt = (text: unknown, path = ''): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], text)

const isFilled = (element: HTMLElement) => [...element.querySelectorAll('input')].some(({ value }) => value !== '')

/** Shows one element per value. The hidden first child is the template of new elements. */
function writeEach(list: HTMLElement, values: readonly unknown[]): void {
  const [model, ...items] = [...list.children] as HTMLElement[]
  values.forEach((value, index) => {
    const item = items[index] ?? (model?.cloneNode(true) as HTMLElement)
    item.hidden = false
    if (!items[index]) list.append(item)
    const parts = each('item', item)
    if (parts.length === 0) write(item, value)
    for (const part of parts) write(part, valueAt(value, part.dataset.item))
  })
  for (const item of items.slice(values.length)) item.remove()
}

/** Keeps the chosen method if it is offered, so that the choice does not change unnoticed. */
function offerRows(list: HTMLElement, keys: readonly string[], proposed: unknown): void {
  const rows = each('key', list)
  const offered = keys.flatMap((key) => rows.find((row) => row.dataset.key === key) ?? [])
  if (offered.some((row, index) => row !== rows[index])) {
    const focused = list.querySelector<HTMLElement>(':focus')
    list.prepend(...offered)
    // An element that moves loses the focus, so it gets the focus again.
    focused?.focus({ preventScroll: true })
  }
  for (const row of rows) {
    row.hidden = !offered.includes(row)
    for (const radio of row.querySelectorAll('input')) {
      radio.disabled = row.hidden
      if (row.hidden) radio.checked = false
    }
  }
  const radios = [...list.querySelectorAll<HTMLInputElement>('input:enabled')]
  const first = radios.find(({ value }) => value === proposed)
  if (first && !radios.some(({ checked }) => checked)) first.checked = true
}

function offerOptions(
  select: HTMLSelectElement,
  offered: readonly { code: string; name: string }[],
  other: unknown,
): void {
  const chosen = offered.some(({ code }) => code === select.value) ? select.value : other
  select.replaceChildren(...offered.map(({ code, name }) => new Option(name, code, false, code === chosen)))
}
