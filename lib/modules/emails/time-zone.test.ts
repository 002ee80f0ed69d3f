import { expect, it } from 'vitest'
import { read } from '../../testing/email-text.ts'
import { compose } from './compose.ts'
import { emailExamples } from './examples.ts'
import type { EmailContent } from './rules/email.ts'

const nextCharge = { total: { value: '12.10', currency: 'EUR' }, at: '2026-12-22T23:30:00Z' } as const
const { subscription, ...notice } = emailExamples.trial_ending
const late = { ...subscription, nextCharge, trialUntil: nextCharge.at }

const emails: readonly (readonly [EmailContent, readonly string[]])[] = [
  [{ ...notice, subscription: late, nextCharge }, ['23 December 2026']],
  [{ ...emailExamples.subscription_confirmation, subscriptions: [late] }, ['Free until: 23 December 2026']],
  [{ ...emailExamples.cancellation, endsAt: nextCharge.at }, ['23 December 2026 at 00:30 CET']],
  [{ ...emailExamples.payment_failed, nextAttemptAt: nextCharge.at }, ['23 December 2026']],
  [{ ...emailExamples.payment_method_needed, endsAt: nextCharge.at }, ['23 December 2026 at 00:30 CET']],
  [{ ...emailExamples.billing_updated, changedAt: nextCharge.at }, ['23 December 2026 at 00:30 CET']],
  [{ ...emailExamples.email_changed, changedAt: nextCharge.at }, ['23 December 2026 at 00:30 CET']],
  [{ ...emailExamples.withdrawal_received, declaredAt: nextCharge.at }, ['23 December 2026 at 00:30 CET']],
]

it.each(emails.map(([content, dates]) => [content.kind, content, dates] as const))(
  'the dates in the email %s are in the customer’s time zone, or in UTC if the zone is unknown',
  async (_, content, dates) => {
    const known = await compose({ ...content, timeZone: 'Europe/Warsaw' } as EmailContent, 'en', false)
    for (const date of dates) expect(read(known.text)).toContain(date)
    for (const timeZone of [null, undefined]) {
      const unknown = await compose({ ...content, timeZone } as EmailContent, 'en', false)
      expect(read(unknown.text)).toContain('22 December 2026')
      expect(read(unknown.text)).not.toContain('23 December 2026')
    }
  },
)
