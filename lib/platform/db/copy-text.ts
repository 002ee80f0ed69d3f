const meanings: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

export const valuesOf = (row: string): (string | null)[] =>
  row
    .split('\t')
    .map((field) => (field === '\\N' ? null : field.replaceAll(/\\(.)/gs, (_, letter) => meanings[letter] ?? letter)))

export const copyRow = (values: readonly (string | null)[]): string =>
  `${values.map((value) => (value === null ? '\\N' : value.replaceAll(/[\\\n\r\t]/g, escaped))).join('\t')}\n`

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (character: string): string => escapes[character] ?? character
