import { db } from '../../platform/db/db.ts'
import { send } from '../../testing/api.ts'
import { type Journey, testKillAtEachCommit } from '../../testing/kill-at-each-commit.ts'
import { aSale, type Sale } from '../../testing/money-back.ts'
import { type SaleOutcome, saleOutcome } from '../../testing/sale-outcome.ts'
import { runDueTasks, tokenOf } from '../../testing/shop.ts'
import { get } from '../../testing/subscription-scenario.ts'
import { invoiceUpdatePage } from './load-invoice-update.ts'
import { submitInvoiceUpdate } from './submit-invoice-update.ts'

type End = SaleOutcome & { readonly documents: string[]; readonly emails: string[] }

const journeys: Record<string, Journey<Sale, Partial<End>>> = {
  'a tax ID on an invoice of 100.00 and 19.00': {
    begin: async ({ key, orderId }) => {
      const { body } = await send(`POST /v1/orders/${orderId}/invoice-update-link`, { key })
      const token = tokenOf(body.href)
      const page = await invoiceUpdatePage(token, 'form')
      if (page?.state !== 'open') throw new Error(`the page is ${page?.state}`)
      return { token, form: new URLSearchParams({ ...page.form, version: page.version, taxId: 'DE1' }).toString() }
    },
    killed: async (_, given) => {
      const { token, form } = given as { token: string; form: string }
      await submitInvoiceUpdate(token, new URLSearchParams(form))
      await runDueTasks()
    },
    ends: {},
  },
}

testKillAtEachCommit(journeys, {
  begin: () => aSale({ price: '100.00', buyer: { country: 'DE' } }),
  endOf: async (sale): Promise<End> => ({
    ...(await saleOutcome(sale)),
    documents: (await get(sale.key, '/v1/orders')).data.map(
      ({ invoiceNumber, total }: { invoiceNumber: string; total: { value: string } }) =>
        `${invoiceNumber} ${total.value}`,
    ),
    emails: (await db().emails.findMany({ orderBy: { id: 'asc' } })).map(({ kind }) => kind),
  }),
  whole: (): End => ({
    refunds: ['refunded'],
    chargebacks: [],
    bank: ['refunded'],
    reversed: '0.00',
    refundable: '100.00',
    creditNotes: 1,
    events: ['refund.completed'],
    books: { merchant_balance: '-94.50', platform_fee: '-5.50', provider_clearing: '100.00' },
    documents: ['TEST-INV-2026-000002 100.00', 'TEST-CN-2026-000001 119.00', 'TEST-INV-2026-000001 119.00'],
    emails: ['receipt', 'invoice_corrected'],
  }),
  places: 3,
})
