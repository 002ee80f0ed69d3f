import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type RuleValue, ruleIssue, ruleOf, ruleProblem } from './rule-problem.ts'
import { ruleTexts } from './rule-texts.ts'

describe('a violated rule', () => {
  test.each<[RuleValue, string]>([
    [5, 'Must be at least 5.'],
    ['5', 'Must be at least 5.'],
    [{ decimal: '0.10' }, 'Must be at least 0.10.'],
    [{ day: '2026-11-23' }, 'Must be at least 2026-11-23.'],
    [{ value: '1.00', currency: 'EUR' }, 'Must be at least 1.00 EUR.'],
    [new Date('2026-11-23T10:00:00.500Z'), 'Must be at least 2026-11-23T10:00:00Z.'],
    [ruleProblem('day'), `Must be at least ${ruleTexts.day}.`],
    [
      [ruleProblem('amount_disputed', { amount: '1' }), ruleProblem('amount_disputed', { amount: '2' })],
      'Must be at least 1 is disputed, 2 is disputed.',
    ],
  ])('the API message of a violated rule contains the limit %j', (least, sentence) => {
    expect(String(ruleProblem('at_least', { least }))).toBe(sentence)
  })

  test('a problem can have an API message that differs from the message of its rule', () => {
    expect(String(ruleProblem('at_most', { most: 1000 }, 'At most {most}, please.'))).toBe('At most 1000, please.')
  })

  test('a schema issue contains the violated rule and its limits', () => {
    const shape = z.string().refine((value) => value === 'a', ruleOf('characters_at_most', { most: 1 }))
    const [issue] = shape.safeParse('b').error?.issues ?? []
    expect(issue?.message).toBe('Must have at most 1 characters.')
    expect(issue).toMatchObject({ params: { violated: { rule: 'characters_at_most', values: { most: 1 } } } })
    expect(ruleIssue(ruleProblem('day'), ['from'])).toMatchObject({ message: ruleTexts.day, path: ['from'] })
  })
})
