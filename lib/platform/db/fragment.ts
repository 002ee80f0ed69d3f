export class Fragment {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}
}

export function fragment(strings: TemplateStringsArray, ...values: readonly unknown[]): Fragment {
  return values.some((value) => value instanceof Fragment) ? flattened(strings, values) : new Fragment(strings, values)
}

/** SQL text, such as a name or a keyword. Never pass user input. */
export const rawFragment = (text: string): Fragment => new Fragment([text], [])

/** Writes a value into the SQL text, so that PostgreSQL plans for this value. Use this only for a few known values, never for user input. */
export const literal = (value: string): Fragment => rawFragment(`'${value.replaceAll("'", "''")}'`)

export const emptyFragment = rawFragment('')

export interface SqlStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

const texts = new WeakMap<object, string>()

export function sqlStatement(strings: TemplateStringsArray | Fragment, values: readonly unknown[]): SqlStatement {
  if (strings instanceof Fragment) return { text: numbered(strings.strings), values: strings.values }
  if (values.some((value) => value instanceof Fragment)) {
    const flat = flattened(strings, values)
    return { text: numbered(flat.strings), values: flat.values }
  }
  const text = texts.get(strings) ?? numbered(strings)
  texts.set(strings, text)
  return { text, values }
}

function flattened(strings: readonly string[], values: readonly unknown[]): Fragment {
  const texts = [strings[0] ?? '']
  const flat: unknown[] = []
  values.forEach((value, index) => {
    const after = strings[index + 1] ?? ''
    if (!(value instanceof Fragment)) {
      flat.push(value)
      texts.push(after)
      return
    }
    const [first = '', ...rest] = value.strings
    texts[texts.length - 1] += first
    texts.push(...rest)
    flat.push(...value.values)
    texts[texts.length - 1] += after
  })
  return new Fragment(texts, flat)
}

const numbered = (strings: readonly string[]): string =>
  strings.reduce((text, string, index) => `${text}$${index}${string}`)
