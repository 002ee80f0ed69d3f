import { expect, test } from 'vitest'
import { actionsOf, auditTopics } from './topics.ts'

test('each audit topic has LIKE patterns that end with a period and a percent sign', () => {
  expect(actionsOf('bank')).toEqual(['payout\\_account.%', 'payout.%'])
  for (const topic of auditTopics) for (const pattern of actionsOf(topic)) expect(pattern).toMatch(/^[a-z\\_]+\.%$/)
})

test('no prefix of action names belongs to two audit topics', () => {
  const all = auditTopics.flatMap(actionsOf)
  expect(new Set(all).size).toBe(all.length)
})
