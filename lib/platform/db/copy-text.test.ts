import { expect, it } from 'vitest'
import { copyRow, valuesOf } from './copy-text.ts'

it.each([
  [['a', null, ''], 'a\t\\N\t\n'],
  [['\\N', '\\.', 'back\\slash'], '\\\\N\t\\\\.\tback\\\\slash\n'],
  [['two\nlines', 'tab\there', 'return\r'], 'two\\nlines\ttab\\there\treturn\\r\n'],
  [['{"a": "\\u00fc\\n"}', 'Zoë ✓', '\\x00ff'], '{"a": "\\\\u00fc\\\\n"}\tZoë ✓\t\\\\x00ff\n'],
  [[null], '\\N\n'],
])('copyRow writes %j as %j, and valuesOf reads the original value back', (values, text) => {
  expect(copyRow(values)).toBe(text)
  expect(valuesOf(text.slice(0, -1))).toEqual(values)
})

it('valuesOf decodes every escape of the COPY text format', () => {
  expect(valuesOf('\\b\\f\\v\\n\\r\\t\\\\')).toEqual(['\b\f\v\n\r\t\\'])
})
