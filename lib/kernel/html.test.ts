import { expect, it } from 'vitest'
import { escapeHtml } from './html.ts'

it('escapeHtml() escapes angle brackets, quotation marks, and ampersands', () => {
  expect(escapeHtml(`<a href="x" title='y'>Q&A</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;Q&amp;A&lt;/a&gt;',
  )
  expect(escapeHtml('&amp;')).toBe('&amp;amp;')
  expect(escapeHtml('Łódź, 北京')).toBe('Łódź, 北京')
})
