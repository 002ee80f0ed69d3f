import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { RefundPage } from '@/lib/modules/refunds/page.ts'
import { RefundPreview } from './refund.tsx'

const eur = (value: string) => ({ value, currency: 'EUR' as const })
const page: RefundPage = {
  orderId: 'order_1',
  left: eur('10.00'),
  form: { amounts: { line_1: '5.00' }, sum: '', tax: 'included', reason: '' },
  arrival: 'card',
  problems: {},
  needsCode: false,
  formKey: 'key',
  lines: [{ id: 'line_1', description: 'Pro', quantity: 1, subtotal: eur('10.00'), left: eur('10.00') }],
  preview: { subtotal: eur('5.00'), taxes: [], total: eur('5.00'), lines: [] },
}

const focused = (html: string) => [...html.matchAll(/<section[^>]* autofocus=""[^>]*>/gi)].map(([tag]) => tag)

test('the preview of a refund takes the focus, unless the form has a problem', () => {
  const shown = (problems: RefundPage['problems']) =>
    renderToStaticMarkup(<RefundPreview outcome={{ done: null, failed: null }} page={{ ...page, problems }} path="" />)
  expect(focused(shown({}))).toEqual([expect.stringMatching(/aria-labelledby="preview".* tabindex="-1"/i)])
  expect(focused(shown({ code: 'Wrong.' }))[0]).toContain('id="problems"')
})
