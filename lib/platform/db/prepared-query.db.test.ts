import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '../config.ts'
import { query } from './prepared-query.ts'
import { typeParser } from './types.ts'

let client: pg.Client
const received: string[] = []

beforeAll(async () => {
  client = new pg.Client({
    connectionString: config().databaseUrl,
    pipeline: true,
    types: { getTypeParser: typeParser },
  } as pg.ClientConfig)
  await client.connect()
  for (const message of ['parseComplete', 'rowDescription', 'noData'])
    (client as unknown as { connection: NodeJS.EventEmitter }).connection.on(message, () => received.push(message))
  await client.query('CREATE TEMPORARY TABLE things (id text, amount int8, taken_at timestamptz, more json)')
})
afterAll(() => client.end())

async function messagesOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; messages: string[] }> {
  received.length = 0
  const result = await work()
  return { result, messages: [...received] }
}

const insert = (id: string, amount: bigint | null) =>
  query(client, { name: 'insert', text: 'INSERT INTO things VALUES ($1, $2)', values: [id, amount] })
const find = (id: string) =>
  query(client, { name: 'find', text: 'SELECT * FROM things WHERE id = $1', values: [id] }).then(({ rows }) => rows)

describe('a named statement', () => {
  it('is described once, and reads every row alike afterwards', async () => {
    const inserted = await messagesOf(() => insert('a', 2n ** 60n))
    expect(inserted).toMatchObject({ result: { rowCount: 1, rows: [] }, messages: ['parseComplete', 'noData'] })
    expect(await messagesOf(() => insert('b', null))).toMatchObject({ result: { rowCount: 1 }, messages: [] })
    await client.query(`UPDATE things SET taken_at = '2026-11-25T08:00:00.5Z', more = '{"a": [1]}' WHERE id = 'b'`)
    const a = { id: 'a', amount: 2n ** 60n, taken_at: null, more: null }
    const b = { id: 'b', amount: null, taken_at: new Date('2026-11-25T08:00:00.5Z'), more: { a: [1] } }
    expect(await messagesOf(() => find('a'))).toEqual({ result: [a], messages: ['parseComplete', 'rowDescription'] })
    for (const [id, rows] of [
      ['b', [b]],
      ['a', [a]],
      ['c', []],
    ] as const)
      expect(await messagesOf(() => find(id))).toEqual({ result: rows, messages: [] })
  })

  it('is described each time while no answer has come', async () => {
    const text = 'SELECT $1::int AS number'
    const { result, messages } = await messagesOf(() =>
      Promise.all([1, 2, 3].map((number) => query(client, { name: 'early', text, values: [number] }))),
    )
    expect(result.map(({ rows }) => rows)).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]])
    expect(messages).toEqual(['parseComplete', 'rowDescription', 'rowDescription', 'rowDescription'])
  })

  it('fails alone, before it is described and afterwards', async () => {
    const divide = (by: number) => query(client, { name: 'divide', text: 'SELECT 6 / $1::int AS part', values: [by] })
    const divided = [0, 3, 0, 2].map((by) =>
      divide(by).then(
        ({ rows }) => rows[0].part,
        ({ code }) => code,
      ),
    )
    expect(await Promise.all(divided)).toEqual(['22012', 2, '22012', 3])
    expect(await messagesOf(() => divide(6))).toMatchObject({ result: { rows: [{ part: 1 }] }, messages: [] })
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
  })

  it('is refused by PostgreSQL when its rows have another shape, and never read wrongly', async () => {
    await find('a')
    await client.query('ALTER TABLE things ADD COLUMN late text')
    await expect(find('a')).rejects.toMatchObject({ message: 'cached plan must not change result type' })
  })
})

describe('a value that cannot be read', () => {
  it('fails the query, and the next one has the connection', async () => {
    const text = `SELECT x::json FROM (VALUES ('1'), ('2')) AS v (x)`
    const broken = new pg.Client({
      connectionString: config().databaseUrl,
      types: { getTypeParser: () => (value: string) => (value === '1' ? 1 : JSON.parse('{')) },
    } as pg.ClientConfig)
    await broken.connect()
    for (const name of ['unreadable', undefined])
      await expect(query(broken, { name, text, values: [] })).rejects.toThrow(SyntaxError)
    await broken.query('SELECT')
    await broken.end()
  })
})

describe('a statement without a name', () => {
  it('is described each time', async () => {
    const ask = () => query(client, { name: undefined, text: 'SELECT $1::text AS said', values: ['yes'] })
    for (const _ of [1, 2])
      expect(await messagesOf(ask)).toMatchObject({
        result: { rows: [{ said: 'yes' }] },
        messages: ['parseComplete', 'rowDescription'],
      })
  })
})
