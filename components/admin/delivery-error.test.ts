import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { type Rule, ruleProblem } from '@/lib/kernel/rule-problem.ts'
import { ruleTexts } from '@/lib/kernel/rule-texts.ts'
import { errorText } from './delivery-error.ts'

vi.mock('./text.ts', () => ({ adminText: (key: string, values: object = {}) => JSON.stringify({ key, ...values }) }))

/**
 * The source files of the code that sends a delivery. Each file contains names of rules that a delivery attempt can
 * violate.
 */
const sources = ['platform/outbound/outbound-http', 'platform/outbound/public-address', 'modules/webhooks/secrets']
const reported = sources.flatMap((file) => {
  const code = readFileSync(`lib/${file}.ts`, 'utf8')
  return [...code.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].flatMap(([, word = '']) =>
    Object.hasOwn(ruleTexts, word) ? [word as Rule] : [],
  )
})

describe('the error of a delivery attempt', () => {
  test('the tests of delivery errors cover more than ten rules of the code that sends deliveries', () => {
    expect(reported.length).toBeGreaterThan(10)
    expect(reported).toContain('secret_unreadable')
  })

  test.each([...new Set(reported)])(
    'the delivery error for a broken rule %s is shown in the language of the reader',
    (rule) => {
      const values = { seconds: 2.5, most: 20, blocked: '1719, 6000' }
      const shown = JSON.parse(errorText(String(ruleProblem(rule, values))))
      expect(shown.key).toBe(`rules.${rule}`)
      expect(shown).toEqual(expect.objectContaining(rule === 'no_response' ? { seconds: '2.5' } : {}))
    },
  )

  test('a stored delivery error that matches no rule is shown unchanged, in English', () => {
    expect(errorText('The receiver is on the moon.')).toBe('The receiver is on the moon.')
  })
})
