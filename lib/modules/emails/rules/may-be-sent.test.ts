import { expect, it } from 'vitest'
import { mayBeSent } from './may-be-sent.ts'

const named = ['dev@example.com', 'example.org']

it.each([
  ['dev@example.com', true],
  ['ada@example.org', true],
  ['ada@example.com', false],
  ['dev+1@example.com', false],
  ['ada@mail.example.org', false],
  ['ada@notexample.org', false],
  ['example.org@example.com', false],
])('a test-mode email to %s may be sent: %s', (to, expected) => {
  expect(mayBeSent(to, { testmode: true, testMailTo: named })).toBe(expected)
  expect(mayBeSent(to, { testmode: true, testMailTo: [] })).toBe(false)
  expect(mayBeSent(to, { testmode: false, testMailTo: [] })).toBe(true)
})
