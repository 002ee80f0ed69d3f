import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, expect, it } from 'vitest'
import { GET } from '@/app/(hosted)/invoices/[token]/pdf/route.ts'
import { listEmails } from '../../modules/emails/operations.ts'
import { stopDrawing } from '../../modules/invoices/draw-documents.ts'
import { invoiceView } from '../../modules/invoices/load-invoice.ts'
import { invoicePath } from '../../modules/orders/resource.ts'
import { cancelAtOnce, returnedDebit } from '../../testing/owed-sale.ts'
import { tokenOf } from '../../testing/shop.ts'
import { drainTasks, get } from '../../testing/subscription-scenario.ts'

afterAll(stopDrawing)

async function pdfText(token: string): Promise<string> {
  const reply = await GET(new Request(`http://billhook.test/invoices/${token}/pdf`), {
    params: Promise.resolve({ token }),
  })
  const file = await getDocument({ data: new Uint8Array(await reply.arrayBuffer()), verbosity: 0 }).promise
  const { items } = await (await file.getPage(1)).getTextContent()
  return items
    .map((item) => ('str' in item ? item.str : ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

it('the page, the PDF, and the API of a write-off’s credit note state the returned direct debit as the reason', async () => {
  const sale = await returnedDebit()
  await cancelAtOnce(sale)
  await drainTasks()
  const [creditNote] = (await get(sale.key, '/v1/orders')).data
  expect(creditNote).toMatchObject({
    creditedOrderId: sale.orderId,
    lines: [{ description: expect.stringMatching(/ \(Written off\)$/) }],
  })
  const token = tokenOf(invoicePath(creditNote.id))
  const document = (await invoiceView(token))?.document
  const reason = 'Direct debit returned, invoice not paid'
  const settlement = 'The bank returned the direct debit, and the invoice was not paid. Nothing is due.'
  expect(document?.facts).toContainEqual({ label: 'Reason', value: reason })
  expect(document?.closing).toEqual([settlement])
  expect(document?.lines).toMatchObject([{ description: expect.stringMatching(/ \(Not paid\)$/) }])
  const printed = await pdfText(token)
  for (const words of [reason, settlement, '(Not paid)']) expect(printed).toContain(words)
  expect(printed).not.toMatch(/chargeback/i)
  const [email] = (await listEmails(sale.shop.storefrontId)).filter(({ kind }) => kind === 'refund')
  expect(email?.text.replaceAll(/\s+/g, ' ')).toContain('Your bank returned the direct debit of €119.00')
})
