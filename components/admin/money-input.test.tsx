import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { parseTypedAmount } from '@/lib/kernel/typed-amount.ts'
import { MoneyInput } from './money-input.tsx'
import { RefundForm } from './refund.tsx'

vi.mock('./text.ts', async (original) => ({ ...(await original<object>()), adminLocale: () => 'de' }))

const eur = (value: string) => ({ value, currency: 'EUR' as const })

test('a form shows an amount in the reader’s notation, and accepts this notation and the notation of the API', () => {
  const html = renderToStaticMarkup(<MoneyInput defaultValue="237.16" label="Betrag" name="amount" />)
  expect(html).toContain('value="237,16"')
  for (const typed of ['237,16', '237.16']) expect(parseTypedAmount(typed, 'EUR')?.minor).toBe(23_716n)
})

test('the amount of a full refund is in the notation of the reader', () => {
  const form = { amounts: { line_1: '5.00' }, sum: '237.16' }
  const line = { id: 'line_1', description: 'Pro', quantity: 1, subtotal: eur('10.00'), left: eur('10.00') }
  const html = renderToStaticMarkup(<RefundForm form={form} left={eur('237.16')} lines={[line]} orderId="o" path="" />)
  expect(html).toMatch(/name="sum"[^>]*value="237,16"|value="237,16"[^>]*name="sum"/)
  expect(html).toContain('value="5,00"')
})

test('every field for an amount in the admin area is a MoneyInput', () => {
  const folder = path.join(process.cwd(), 'components/admin')
  const plain = readdirSync(folder).filter((name) =>
    /<Field\b[^>]*(?:inputMode="decimal"|name="(?:sum|amount|price[^"]*)")/.test(
      readFileSync(path.join(folder, name), 'utf8'),
    ),
  )
  expect(plain.filter((name) => !['money-input.tsx', 'money-input.test.tsx'].includes(name))).toEqual([])
})
