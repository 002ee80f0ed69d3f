import { expect, it } from 'vitest'
import { byteOrderMark, csvHeader, csvLine, csvRows, csvTable, withByteOrderMark } from './csv.ts'

it.each([
  [['a', 1, null, ''], 'a,1,,\r\n'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
  [['-12.00', '12.5', -3], '-12.00,12.5,-3\r\n'],
  [['=1+1', '+49 30', '-a', '@x', '\tx', '-1-1'], "'=1+1,'+49 30,'-a,'@x,'\tx,'-1-1\r\n"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"\r\n'],
  [['Ada;=1+1', 'a\t-1', 'a|@x'], "Ada;'=1+1,a\t'-1,a|'@x\r\n"],
  [['＝1+1', '＋1', '－1', '＠SUM', '﹦1'], "'＝1+1,'＋1,'－1,'＠SUM,'﹦1\r\n"],
  [['a\n=1+1', 'a\r\n =1', 'a\r=1'], '"a\n\'=1+1","a\r\n\' =1","a\r\'=1"\r\n'],
  [['a;"=1+1"', "a; '=1"], '"a;\'""=1+1""",a;\' \'=1\r\n'],
  [['a; b', 'x=1', 'a-b', '50 %;', 'a,=1'], 'a; b,x=1,a-b,50 %;,"a,=1"\r\n'],
  [['Łódź', '東京', "O'Neill"], "Łódź,東京,O'Neill\r\n"],
  [[], '\r\n'],
])('csvLine() writes the cells %j so that a spreadsheet reads no cell as a formula', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

const rows: readonly { readonly a: number; readonly b: string | null }[] = [
  { a: 1, b: null },
  { a: 2, b: 'x,y' },
]

it('each cell of a CSV table is below the name of its field, in any order of the names', () => {
  expect(csvTable(rows, ['a', 'b'])).toBe('a,b\r\n1,\r\n2,"x,y"\r\n')
  expect(csvTable(rows, ['b', 'a'])).toBe('b,a\r\n,1\r\n"x,y",2\r\n')
})

it('a list of CSV field names that lacks a field or contains an unknown field does not compile', () => {
  // @ts-expect-error The field `b` is missing.
  csvTable(rows, ['a'])
  // @ts-expect-error The rows have no field `c`.
  csvTable(rows, ['a', 'b', 'c'])
})

it('a CSV table without rows consists of the header line', () => {
  expect(csvTable(rows.slice(0, 0), ['a', 'b'])).toBe('a,b\r\n')
})

it('each cell of a CSV list is below the name of its column', () => {
  const columns = { b: ({ b }: (typeof rows)[number]) => b, twice: ({ a }: (typeof rows)[number]) => 2 * a }
  expect(csvHeader(columns) + csvRows(rows, columns)).toBe('b,twice\r\n,2\r\n"x,y",4\r\n')
})

function cellsAt(separator: string, line: string): string[] {
  const cells: string[] = []
  const end = `(?:${separator}|\\r?\\n|\\r|$)`
  const quoted = new RegExp(`^"((?:[^"]|"")*)"([^${separator}\\r\\n]*)${end}`)
  const plain = new RegExp(`^([^${separator}\\r\\n]*)()${end}`)
  for (let rest = line; rest !== ''; ) {
    const [whole = '', inner = '', after = ''] = quoted.exec(rest) ?? plain.exec(rest) ?? []
    cells.push(inner.replaceAll('""', '"') + after)
    rest = rest.slice(whole.length || 1)
  }
  return cells
}

it.each([
  ['a comma', ','],
  ['a semicolon', ';'],
  ['a tab', '\t'],
  ['a bar', '\\|'],
])('a spreadsheet that splits cells at %s reads no cell of a CSV line as a formula', (_, separator) => {
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
  const cells = signs.flatMap((sign) =>
    ['', 'Ada;', 'a\n', 'a;"', 'a\t', 'a";', 'a|', 'a\r\n', ' '].map((before) => `${before}${sign}1+1`),
  )
  for (const cell of cells)
    for (const read of cellsAt(separator, csvLine(['first', cell, 'last'])))
      expect([cell, read]).not.toEqual([cell, expect.stringMatching(/^[\s"]*[=+\-@＝＋－＠]/)])
})

it('a CSV file begins with one byte order mark unless it is empty', async () => {
  const all = async (...parts: string[]) => {
    let text = ''
    const each = async function* () {
      yield* parts
    }
    for await (const part of withByteOrderMark(each())) text += part
    return text
  }
  expect([await all('', 'a\r\n', 'b\r\n'), await all('')]).toEqual([`${byteOrderMark}a\r\nb\r\n`, ''])
})
