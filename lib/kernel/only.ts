/** The one element of a list. Throws if there is none, or more than one: then the caller is wrong. */
export function only<Element>(list: readonly Element[]): Element {
  const [first, ...others] = list
  if (first === undefined || others.length > 0) throw new Error(`one element was expected, not ${list.length}`)
  return first
}
