import { afterAll, beforeAll, expect, it } from 'vitest'
import { config } from '@/lib/platform/config.ts'
import { db } from '@/lib/platform/db/db.ts'
import { brokenInvariants } from '@/lib/testing/invariants.ts'
import { aSale, type Sale } from '@/lib/testing/money-back.ts'
import { anOperator } from '@/lib/testing/operator.ts'
import { POST as exportList } from './(admin)/admin/(signed-in)/[mode]/[storefrontId]/export/[section]/route.ts'
import { POST as exportDocuments } from './(admin)/admin/(signed-in)/[mode]/[storefrontId]/export/tax-documents/[period]/route.ts'

let sale: Sale
let cookies: string | null = null
beforeAll(async () => {
  sale = await aSale({ price: '10.00' })
  ;({ cookies } = await anOperator('downloads@example.com'))
})
afterAll(async () => expect(await brokenInvariants()).toEqual({}))

const request = () =>
  new Request(`${config().publicBaseUrl}/export`, {
    method: 'POST',
    headers: { cookie: cookies ?? '', origin: config().publicBaseUrl, 'sec-fetch-site': 'same-origin' },
  })
const at = () => ({ mode: 'test', storefrontId: sale.shop.storefrontId })
const downloads = {
  'a list': () => exportList(request(), { params: Promise.resolve({ ...at(), section: 'orders' }) }),
  'the tax documents': () => exportDocuments(request(), { params: Promise.resolve({ ...at(), period: '2026-Q4' }) }),
}

it.each(Object.entries(downloads))(
  'if the rows of %s cannot be read, the response is 503 and not a broken file',
  async (_, download) => {
    expect((await download()).status).toBe(200)
    await db().$executeRaw`ALTER TABLE orders RENAME TO unreadable`
    try {
      expect((await download()).status).toBe(503)
    } finally {
      await db().$executeRaw`ALTER TABLE unreadable RENAME TO orders`
    }
    expect(await (await download()).text()).toContain(sale.orderId)
  },
)
