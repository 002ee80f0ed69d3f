import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { EmailPage } from '@/lib/modules/emails/page.ts'
import { Email } from './emails.tsx'

const page: EmailPage = {
  id: 'mail_1',
  kind: 'receipt',
  to: 'anna@example.com',
  locale: 'de',
  status: 'queued',
  createdAt: '2026-11-22T10:00:00Z',
  isResend: false,
  returned: null,
  subject: 'Your receipt',
  text: 'Thank you.',
  outcome: 'queued',
  lastError: null,
  order: null,
  subscription: null,
  customer: null,
  mayResend: false,
  suppressed: [],
  formKey: 'key',
}
const shown = (lastError: string | null) =>
  renderToStaticMarkup(<Email outcome={{ done: null, failed: null }} page={{ ...page, lastError }} path="" />)

test('the page of an email that waits shows the error of the last attempt, if there is an error', () => {
  expect(shown(null)).not.toContain('Last error')
  expect(shown('Error: no font')).toMatch(/<dt[^>]*>Last error<\/dt><dd[^>]*>Error: no font<\/dd>/)
})
