import { beforeAll, expect, it } from 'vitest'
import { db } from '../../platform/db/db.ts'
import { configure } from '../../testing/configure.ts'
import { aReceiver } from '../../testing/receiver.ts'
import { aShop, type Shop } from '../../testing/shop.ts'
import { deliverWebhook } from '../events/tasks.ts'
import { transact } from '../events/transact.ts'
import { register } from './operations.ts'
import { findNext } from './queue.ts'

/** All queries use one connection, so that the connection's statistics count the rows that `findNext` reads. */

configure({ DATABASE_POOL: '1' })

const fewWaiting = 60
const manyWaiting = 600
const most = 10

async function anEndpoint(): Promise<{ shop: Shop; endpointId: string }> {
  const shop = await aShop()
  const receiver = await aReceiver()
  const { id } = await register(shop.scope, { url: receiver.url, secret: 'whsec_0123456789' })
  await receiver.close()
  return { shop, endpointId: id }
}

const emit = ({ shop }: { shop: Shop }, count: number) =>
  transact(shop.scope, (tx) =>
    tx.emitAll(Array.from({ length: count }, (_, n) => ({ name: 'order.paid', object: { id: `order ${n}` } }))),
  )

interface RowsRead {
  readonly tasks: number
  readonly deliveries: number
  readonly events: number
}

const rowsRead = ({ shop, endpointId }: { shop: Shop; endpointId: string }): Promise<RowsRead> =>
  db().$transaction(async (sql) => {
    // PostgreSQL's counters can include reads of earlier transactions that this connection has not reported yet. The
    // test therefore compares the counters before and after the query.
    const read = async () => {
      const rows = await sql.$queryRaw<{ relname: keyof RowsRead; rows: number }[]>`
        SELECT relname, (idx_tup_fetch + seq_tup_read)::int AS rows FROM pg_stat_xact_user_tables`
      return (table: keyof RowsRead) => rows.find(({ relname }) => relname === table)?.rows ?? 0
    }
    const before = await read()
    const { unstarted, retries } = await findNext(sql, shop.scope, endpointId, {
      most,
      withBody: false,
      isStopped: false,
    })
    expect({ unstarted: unstarted.length, retries: retries.length }).toEqual({ unstarted: most, retries: most })
    const after = await read()
    const of = (table: keyof RowsRead) => after(table) - before(table)
    return { tasks: of('tasks'), deliveries: of('deliveries'), events: of('events') }
  })

async function attemptHalf(endpointId: string, waiting: number): Promise<void> {
  await db().$executeRaw`
    UPDATE deliveries SET started_at = now(), first_answered_at = now(), next_attempt_at = now(), attempts = 1
    WHERE endpoint_id = ${endpointId} AND id IN (
      SELECT id FROM deliveries WHERE endpoint_id = ${endpointId} ORDER BY id LIMIT ${waiting / 2}::int)`
}

beforeAll(async () => {
  const { shop, endpointId } = await anEndpoint()
  await emit({ shop }, manyWaiting)
  await db().$executeRaw`UPDATE deliveries SET status = 'delivered' WHERE endpoint_id = ${endpointId}`
  await db().tasks.deleteMany({ where: { name: deliverWebhook.name } })
})

const cases = {
  'after an ANALYZE of empty tables': async (waiting: number) => {
    const endpoint = await anEndpoint()
    await db().$executeRaw`ANALYZE tasks, deliveries, events`
    await emit(endpoint, waiting)
    return endpoint
  },
  'with a query plan from a time with few rows': async (waiting: number) => {
    const endpoint = await anEndpoint()
    await emit(endpoint, 2)
    await db().$executeRaw`ANALYZE tasks, deliveries, events`
    const { shop, endpointId } = endpoint
    // PostgreSQL can reuse a query plan after five executions, so the query runs seven times.
    for (let n = 0; n < 7; n++)
      await findNext(db(), shop.scope, endpointId, { most, withBody: false, isStopped: false })
    await emit(endpoint, waiting)
    return endpoint
  },
}

it.each(Object.entries(cases))(
  '%s, the query for the next webhook deliveries reads a fixed number of rows, however many deliveries wait',
  async (_name, make) => {
    const found = 2 * most
    for (const waiting of [fewWaiting, manyWaiting]) {
      const endpoint = await make(waiting)
      await attemptHalf(endpoint.endpointId, waiting)
      expect(await rowsRead(endpoint)).toEqual({ tasks: found + most, deliveries: found, events: found })
    }
  },
)
