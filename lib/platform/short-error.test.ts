import { expect, it } from 'vitest'
import { shortErrorWithCause } from './short-error.ts'

const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')

it.each([
  [new TypeError('fetch failed', { cause: refused }), 'TypeError: fetch failed (connect ECONNREFUSED 127.0.0.1:1)'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([refused, new Error('another')]) }),
    'TypeError: fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
  ],
  [new Error('it answers 502'), 'Error: it answers 502'],
  [new Error('a', { cause: new Error('b', { cause: refused }) }), 'Error: a (connect ECONNREFUSED 127.0.0.1:1)'],
  [new Error('a', { cause: 'a word' }), 'Error: a'],
  ['a word', 'unknown error'],
])(
  'shortErrorWithCause() returns a short description of %s, with the innermost cause if the error has a cause',
  (error, said) => {
    expect(shortErrorWithCause(error)).toBe(said)
  },
)
