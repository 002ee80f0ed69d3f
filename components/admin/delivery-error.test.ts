import { readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { type Rule, ruleProblem } from '@/lib/kernel/rule-problem.ts'
import { ruleTexts } from '@/lib/kernel/rule-texts.ts'
import { unopenedSecret } from '@/lib/modules/webhooks/secrets.ts'
import { errorText } from './delivery-error.ts'

vi.mock('./text.ts', () => ({ adminText: (key: string, values: object = {}) => JSON.stringify({ key, ...values }) }))

/** The names of the rules that the source code of `lib/platform/outbound` mentions. */
const reported = ['outbound-http', 'public-address'].flatMap((file) => {
  const code = readFileSync(`lib/platform/outbound/${file}.ts`, 'utf8')
  return [...code.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)].flatMap(([, word = '']) =>
    Object.hasOwn(ruleTexts, word) ? [word as Rule] : [],
  )
})

describe('the error of a delivery attempt', () => {
  test('the code for outgoing requests contains the names of more than ten rules', () => {
    expect(reported.length).toBeGreaterThan(10)
  })

  test.each([...new Set(reported)])(
    'the stored sentence of the rule %s is shown in the language of the reader',
    (rule) => {
      const values = { seconds: 2.5, most: 20, blocked: '1719, 6000' }
      const shown = JSON.parse(errorText(String(ruleProblem(rule, values))))
      expect(shown.key).toBe(`rules.${rule}`)
      expect(shown).toEqual(expect.objectContaining(rule === 'no_response' ? { seconds: '2.5' } : {}))
    },
  )

  test('the text for an unreadable secret refers to the page of the endpoint', () => {
    expect(errorText(unopenedSecret)).toBe('{"key":"deliveries.unreadableSecret"}')
  })

  test('an unknown sentence stays in English', () => {
    expect(errorText('The receiver is on the moon.')).toBe('The receiver is on the moon.')
  })
})
