import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type RefusalCode, refusals } from '@/lib/kernel/refusal.ts'
import { requiredReasons } from '@/lib/modules/emails/rules/required.ts'
import { deliverWebhook } from '@/lib/modules/events/tasks.ts'
import { invariants } from '@/lib/modules/invariants/queries/index.ts'
import { adminActions } from '@/lib/modules/operators/rules/admin-actions.ts'
import { jobs } from '@/lib/server/jobs.ts'
import en from '@/messages/admin/en.json'
import { actionText } from './audit-action.tsx'
import { invariantOf, invariantText, subjectText } from './invariant-text.ts'
import { jobText } from './job-name.tsx'
import { refusalText } from './refusal-text.ts'

test('the admin messages and the email rules state the same reasons why an email kind is required', () => {
  expect(en.emailKinds.reasons).toEqual(requiredReasons)
})

test('every action of the audit log has a label', () => {
  const lists = ['export.list', 'export.staff_list']
  const actions = Object.keys(adminActions).filter((action) => !lists.includes(action))
  const exported = ['orders', 'refunds', 'balance', 'storefronts', 'reviews', 'work', 'audit'].map(
    (list) => `export.${list}`,
  )
  expect([...actions, ...exported].filter((action) => actionText(action) === action)).toEqual([])
  expect(actionText('member.create')).toBe('Member log-in created')
  expect(actionText('export.orders')).toBe('Export: Orders')
  expect(actionText('plan.create')).toBe('plan.create')
})

test('every refusal has an admin message, except the refusals that only the API returns', () => {
  const ofApi = [
    ...['malformed_json', 'not_an_object', 'unauthenticated', 'test_mode_only', 'insufficient_scope'],
    ...['portal_not_eligible', 'endpoint_not_found', 'method_not_allowed', 'idempotency_answer_lost'],
    ...['body_too_large', 'unsupported_media_type'],
  ]
  const codes = Object.keys(refusals) as RefusalCode[]
  expect(codes.filter((code) => !Object.hasOwn(en.refusals, code)).sort()).toEqual([...ofApi].sort())
  expect(refusalText('refund_not_cancelable')).toBe(refusals.refund_not_cancelable.message)
  expect(refusalText('malformed_json')).toBe(refusals.malformed_json.message)
})

test('the admin messages contain the name of every invariant, and no other invariant name', () => {
  const sentences = [...new Set(invariants.map(({ name }) => name))].sort()
  expect(Object.keys(en.invariants.names).sort()).toEqual(sentences)
  for (const sentence of sentences) expect(invariantText(sentence)).toBe(sentence)
  for (const { of } of invariants) expect(subjectText(of)).toMatch(/^[A-Z]\d*: /)
  expect(invariantOf('I1 no order is negative')).toBe('I1: no order is negative')
  expect(invariantOf('a text without a group')).toBe('a text without a group')
})

test('the admin messages contain the name of every background job, and no other job name', () => {
  const ids = [...jobs, deliverWebhook].map(({ name }) => name)
  const named = Object.entries(en.work.jobs).flatMap(([group, names]) =>
    Object.keys(names).map((name) => `${group}.${name}`),
  )
  expect(named.sort()).toEqual([...new Set(ids)].sort())
  expect(ids.filter((id) => jobText(id) === id)).toEqual([])
  expect(jobText('email.of_an_older_version')).toBe('email.of_an_older_version')
})

test('no component of the admin area translates a text at import time, before the language of the request is known', () => {
  const folder = path.join(process.cwd(), 'components/admin')
  const early = readdirSync(folder).filter((name) => {
    const source = readFileSync(path.join(folder, name), 'utf8')
    return (
      !name.includes('.test.') &&
      /^(?:export )?const \w+(?:: [^=\n]+)? = (?:\{\n(?: {2}.*\n)*? {2}\S+: )?t\(/m.test(source)
    )
  })
  expect(early).toEqual([])
})
