import { expect, it } from 'vitest'
import { db } from './db.ts'

it('a foreign key check uses the index, even if the table had only a few pages at its last ANALYZE', async () => {
  await db().$transaction(async (sql) => {
    await sql.$executeRaw`CREATE TEMPORARY TABLE parents ON COMMIT DROP AS
      SELECT n AS id, repeat('x', 400) AS filling FROM generate_series(1, 60) AS n`
    await sql.$executeRaw`ALTER TABLE parents ADD PRIMARY KEY (id)`
    await sql.$executeRaw`ANALYZE parents`
    const plan = await sql.$queryRaw<{ 'QUERY PLAN': string }[]>`
      EXPLAIN SELECT 1 FROM ONLY parents WHERE id = 7 FOR KEY SHARE`
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('Index Scan')
  })
})
