export function groupBy<Element, Key>(
  elements: Iterable<Element>,
  keyOf: (element: Element) => Key,
): ReadonlyMap<Key, readonly Element[]> {
  const groups = new Map<Key, Element[]>()
  for (const element of elements) {
    const group = groups.get(keyOf(element))
    if (group) group.push(element)
    else groups.set(keyOf(element), [element])
  }
  return groups
}
