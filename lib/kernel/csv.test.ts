import { expect, it } from 'vitest'
import { csvLine, csvTable } from './csv.ts'

it.each([
  [['a', 1, null, ''], 'a,1,,\r\n'],
  [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
  [['-12.00', '12.5', -3], '-12.00,12.5,-3\r\n'],
  [['=1+1', '+49 30', '-a', '@x', '\tx', '-1-1'], "'=1+1,'+49 30,'-a,'@x,'\tx,'-1-1\r\n"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"\r\n'],
  [['Łódź', '東京', "O'Neill"], "Łódź,東京,O'Neill\r\n"],
  [[], '\r\n'],
])('%j', (cells, line) => {
  expect(csvLine(cells)).toBe(line)
})

it('a table has the names of its cells in the first line', () => {
  expect(
    csvTable([
      { a: 1, b: null },
      { a: 2, b: 'x,y' },
    ]),
  ).toBe('a,b\r\n1,\r\n2,"x,y"\r\n')
  expect(csvTable([], ['a', 'b'])).toBe('a,b\r\n')
  expect(csvTable([])).toBe('\r\n')
})
