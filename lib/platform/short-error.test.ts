import { expect, it } from 'vitest'
import { problemText } from './short-error.ts'

const refused = new Error('connect ECONNREFUSED 127.0.0.1:1')

it.each([
  [new TypeError('fetch failed', { cause: refused }), 'fetch failed (connect ECONNREFUSED 127.0.0.1:1)'],
  [
    new TypeError('fetch failed', { cause: new AggregateError([refused, new Error('another')]) }),
    'fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
  ],
  [new Error('it answers 502'), 'it answers 502'],
  [new Error('a', { cause: new Error('b', { cause: refused }) }), 'a (connect ECONNREFUSED 127.0.0.1:1)'],
  [new Error('a', { cause: 'a word' }), 'a'],
  ['a word', 'unknown error'],
])(
  'problemText() returns a description of %s without the name of the error, with the innermost cause if the error has a cause',
  (error, said) => {
    expect(problemText(error)).toBe(said)
  },
)
