import { expect, it } from 'vitest'
import { statementSpan } from './statement-span.ts'

it.each([
  ['SELECT * FROM orders WHERE id = $1', 'SELECT orders'],
  ['\n    INSERT INTO tasks (id) SELECT $1', 'INSERT tasks'],
  ['UPDATE "customers" AS target SET name = $1', 'UPDATE customers'],
  ['DELETE FROM rate_limits WHERE arrival < now()', 'DELETE rate_limits'],
  ['WITH old AS (SELECT id FROM events LIMIT 1) SELECT count(*) FROM old', 'WITH events'],
  ['SELECT clock_timestamp()', 'SELECT'],
  ["SELECT 'ada@example.com'", 'SELECT'],
  ['SELECT now() FROM generate_series(1, 2)', 'SELECT'],
  ['BEGIN', 'BEGIN'],
])('the span of %j is named %s', (text, name) => {
  expect(statementSpan(text).name).toBe(name)
  expect(JSON.stringify(statementSpan(text))).not.toContain('ada')
})
