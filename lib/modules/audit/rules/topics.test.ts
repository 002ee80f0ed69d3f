import { expect, test } from 'vitest'
import { actionsOf, auditTopics } from './topics.ts'

test('each topic has patterns of the beginnings of its actions', () => {
  expect(actionsOf('bank')).toEqual(['payout\\_account.%', 'payout.%'])
  for (const topic of auditTopics) for (const pattern of actionsOf(topic)) expect(pattern).toMatch(/^[a-z\\_]+\.%$/)
})

test('no action belongs to two topics', () => {
  const all = auditTopics.flatMap(actionsOf)
  expect(new Set(all).size).toBe(all.length)
})
