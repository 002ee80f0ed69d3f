/** The one element of a list. Throws for an empty list and for several elements: then the caller is wrong. */
export function only<Element>(list: readonly Element[]): Element {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one element was expected, not ${list.length}`)
  return first
}
