/** Returns the only element of a list. Throws unless the list has exactly one element. */
export function only<Element>(list: readonly Element[]): Element {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one element was expected, not ${list.length}`)
  return first
}
