import { expect, test } from 'vitest'
import { ruleProblem } from './rule-problem.ts'
import { ruleFinder } from './rule-sentence.ts'

const find = ruleFinder(['connection_refused', 'no_response', 'url_port'])

test.each([
  [ruleProblem('connection_refused'), { rule: 'connection_refused', values: {} }],
  [ruleProblem('no_response', { seconds: 2.5 }), { rule: 'no_response', values: { seconds: '2.5' } }],
  [ruleProblem('url_port', { blocked: '1719, 6000' }), { rule: 'url_port', values: { blocked: '1719, 6000' } }],
])('ruleFinder() finds the rule of the sentence "%s" and the values of its placeholders', (problem, found) => {
  expect(find(String(problem))).toEqual(found)
})

test.each([
  '',
  'The connection was refused',
  'The connection was refused. Try again.',
  'The certificate is not valid.',
])('ruleFinder() finds no rule for the sentence "%s"', (sentence) => {
  expect(find(sentence)).toBeNull()
})
