import { expect, it } from 'vitest'
import { element, text, xmlOf } from './xml.ts'

it.each([
  [text('a', 'b'), '<a>b</a>'],
  [text('a', '<&">', { c: '"d"' }), '<a c="&quot;d&quot;">&lt;&amp;&quot;&gt;</a>'],
  [element('a', { x: '1' }, [text('b', '1'), null, false, '', text('c', '2')]), '<a x="1"><b>1</b><c>2</c></a>'],
  [text('a', 'b\u0000\uD800c'), '<a>b\uFFFD\uFFFDc</a>'],
])('the XML tree %j is written as %s', (tree, xml) => {
  expect(xmlOf(tree)).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`)
})
