import { expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { aSale } from '../../testing/money-back.ts'
import { backlogs, mostWaiting } from './backlog.ts'

it('the count of a backlog is exact up to mostWaiting, and a larger backlog counts as mostWaiting + 1', async () => {
  const { shop } = await aSale({ price: '1.00' })
  const { id } = await db().emails.findFirstOrThrow({ where: { storefront_id: shop.storefrontId } })
  const copyTo = async (from: number, to: number) => {
    await db().$executeRaw`
      INSERT INTO emails SELECT copy.* FROM emails e, generate_series(${from}::int, ${to}::int) n,
        LATERAL jsonb_populate_record(NULL::emails, to_jsonb(e) || jsonb_build_object('id', 'email_' || lpad(n::text, 22, '0'), 'status', 'queued', 'order_id', NULL)) copy
      WHERE e.id = ${id}`
    const all = await backlogs(db(), 'emails', 100)
    return all.find(({ storefrontId, testmode }) => storefrontId === shop.storefrontId && testmode)?.waiting
  }
  expect(await copyTo(1, mostWaiting)).toBe(mostWaiting)
  expect(await copyTo(mostWaiting + 1, mostWaiting + 5)).toBe(mostWaiting + 1)
})
