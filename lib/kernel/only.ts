/** Throws for an empty list and for several elements, since both are bugs of the caller. */
export function only<Element>(list: readonly Element[]): Element {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one element was expected, not ${list.length}`)
  return first
}
