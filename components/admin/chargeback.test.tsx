import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { ChargebackPage } from '@/lib/modules/chargebacks/page.ts'
import { Chargeback } from './chargeback.tsx'

const eur = (value: string) => ({ value, currency: 'EUR' as const })
const page = {
  chargeback: {
    id: 'chargeback_1',
    status: 'pending',
    reason: 'fraud',
    amount: eur('78.65'),
    total: eur('78.65'),
    settlementAmount: eur('93.65'),
    taxSummary: [],
    orderId: null,
    originalOrderId: 'order_1',
    createdAt: '2026-12-01T00:00:00Z',
  },
  invoiceNumber: 'INV-1',
  customer: null,
  isWaiting: false,
  mayDecide: false,
  ifAccepted: null,
  formKey: 'key',
  taken: eur('78.65'),
  fee: eur('15.00'),
  respondBy: null,
  isOverdue: false,
  answer: null,
  isTryingAgain: false,
  answeredAt: null,
  evidence: [],
  answering: { statement: '', problems: {} },
  takesAnswers: true,
} as unknown as ChargebackPage

const html = (given: Partial<ChargebackPage>) =>
  renderToStaticMarkup(<Chargeback outcome={{ done: null, failed: null }} page={{ ...page, ...given }} path="" />)

describe('the page of a dispute', () => {
  test('the form to accept a dispute is separate from the evidence form, and has a checkbox with the lost amount', () => {
    const [evidence = '', concede = ''] = [...html({}).matchAll(/<form.*?<\/form>/gs)].map(([form]) => form)
    expect(evidence).toContain('value="evidence"')
    expect(evidence).not.toContain('value="concede"')
    expect(concede).toMatch(/<input[^>]*name="confirmed"[^>]*>/)
    expect(concede).toMatch(/<input[^>]*required=""[^>]*>/)
    expect(concede).toContain('I accept the loss of €78.65.')
  })

  test('if the confirmation checkbox is not checked, the error is shown beside the checkbox and at the top of the page', () => {
    const shown = html({ answering: { statement: '', problems: { confirmed: 'Must be ticked.' } } })
    expect(shown.split('Must be ticked.')).toHaveLength(3)
    expect(shown).toContain('href="#confirmed"')
  })

  test.each<[string, Partial<ChargebackPage>, string]>([
    ['is on its way', { answer: 'evidence' }, 'being sent to the payment provider'],
    ['fails to be sent', { answer: 'concede', isTryingAgain: true }, 'not send your response yet. We will try again.'],
    [
      'could not be decrypted',
      { answer: 'unreadable' },
      'was not sent to the payment provider, because it could not be decrypted',
    ],
    ['came too late', { answer: 'late' }, 'Your response was not sent'],
    [
      'came too late, after a decision',
      { answer: 'late', chargeback: { ...page.chargeback, status: 'won' } },
      'already answered or decided. The bank decided in our favor.',
    ],
  ])('the page of a dispute says that the merchant’s response %s', (_, given, text) => {
    expect(html({ ...given, answering: null })).toContain(text)
  })
})
