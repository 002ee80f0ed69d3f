/** Calls within `freshForMs` milliseconds of real time share a result. Failures are not shared. */
export function shared<T>(freshForMs: number, look: () => Promise<T>): () => Promise<T> {
  let newest: { readonly at: number; readonly answer: Promise<T> } | undefined
  return () => {
    if (newest && performance.now() - newest.at < freshForMs) return newest.answer
    const asked = { at: performance.now(), answer: look() }
    newest = asked
    asked.answer.catch(() => {
      if (newest === asked) newest = undefined
    })
    return asked.answer
  }
}
