/**
 * Makes the Tab key skip the fields of a closed fold (`details.field-fold`), and opens the fold when a field is filled
 * in. Returns a function that removes the listeners.
 */
export function foldFields(fold: HTMLDetailsElement): () => void {
  const fields = [...fold.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')]
  const isFilled = (field: Element) => field instanceof HTMLInputElement && field.value !== ''
  const skipWhileFolded = () => {
    for (const field of fields) field.tabIndex = fold.open ? 0 : -1
  }
  const unfold = ({ target }: Event) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) fold.open = true
  }
  // A browser that restores a page can fill in or focus a field before this script runs.
  if (fields.some((field) => isFilled(field) || field === document.activeElement)) fold.open = true
  skipWhileFolded()
  // Observes the `open` attribute, because the `toggle` event comes later and the buyer could press the Tab key before
  // the event.
  const observer = new MutationObserver(skipWhileFolded)
  observer.observe(fold, { attributeFilter: ['open'] })
  fold.addEventListener('focusin', unfold)
  fold.addEventListener('input', unfold)
  return () => {
    observer.disconnect()
    fold.removeEventListener('focusin', unfold)
    fold.removeEventListener('input', unfold)
  }
}
