/**
 * The answer of `look`, shared by all who ask within `freshForMs` of real time: who asks more often hears the same again, and it
 * costs nothing more. A failure is not told again: the next one who asks looks anew.
 */
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
