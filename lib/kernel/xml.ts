export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string | readonly Element[]
}

export const element = (
  name: string,
  attributes: Element['attributes'],
  content: readonly (Element | false | null | '')[],
): Element => ({ name, attributes, content: content.filter((each): each is Element => Boolean(each)) })

export const text = (name: string, content: string, attributes: Element['attributes'] = {}): Element => ({
  name,
  attributes,
  content,
})

function written({ name, attributes, content }: Element): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  const inner = typeof content === 'string' ? escaped(content) : content.map(written).join('')
  return `<${name}${given.join('')}>${inner}</${name}>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Replaces lone surrogates and other characters that XML 1.0 does not allow. */
const escaped = (value: string): string =>
  value
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? '')

export const xmlOf = (root: Element): string => `<?xml version="1.0" encoding="UTF-8"?>\n${written(root)}\n`
