/** Makes the Tab key skip the fields of a closed fold (`details.field-fold`), and opens it when a field is filled in. */
export function foldFields(): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('details.field-fold')) {
    const fields = [...fold.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')]
    const isFilled = (field: Element) => field instanceof HTMLInputElement && field.value !== ''
    const passByWhileFolded = () => {
      for (const field of fields) field.tabIndex = fold.open ? 0 : -1
    }
    const unfold = ({ target }: Event) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) fold.open = true
    }
    // Filled in or focused before this script ran, or by a browser that restores a page.
    if (fields.some((field) => isFilled(field) || field === document.activeElement)) fold.open = true
    passByWhileFolded()
    // The event `toggle` comes in a task of its own, and a quick Tab key before it.
    new MutationObserver(passByWhileFolded).observe(fold, { attributeFilter: ['open'] })
    fold.addEventListener('focusin', unfold)
    fold.addEventListener('input', unfold)
  }
}
