import { expect, it } from 'vitest'
import { csvLine } from './csv.ts'

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
