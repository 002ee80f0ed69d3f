import { describe, expect, it } from 'vitest'
import { mostOfNote, noteText } from './note.ts'

describe('the text of a note', () => {
  it.each([
    [' First\r\nSecond\rThird ', 'First\nSecond\nThird'],
    ['x'.repeat(mostOfNote), 'x'.repeat(mostOfNote)],
    [`${'x'.repeat(mostOfNote - 2)}\r\ny`, `${'x'.repeat(mostOfNote - 2)}\ny`],
  ])('the customer note %j is stored as %j', (typed, stored) => expect(noteText(typed)).toBe(stored))

  it.each([
    ['an empty text', '\u200b\n', 'Must not be empty.'],
    ['a text of more than 2,000 characters', 'x'.repeat(mostOfNote + 1), 'Must have at most 2000 characters.'],
    ['a text with a NUL', 'a\u0000', 'Must not contain control characters.'],
  ])('a customer note with %s is refused', (_, typed, sentence) => {
    expect(() => noteText(typed)).toThrow(expect.objectContaining({ on: { text: [sentence] } }))
  })
})
