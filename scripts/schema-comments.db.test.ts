import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** A rule of the database that only migrations can express. A comment in prisma/schema.prisma names each rule. */
interface Rule {
  /** Table, kind, and name, such as `orders CHECK orders_status`. A function has no table. */
  readonly rule: string
  readonly values: readonly string[] | null
}

const constraints = `
  SELECT conrelid::regclass
      || CASE contype WHEN 'c' THEN ' CHECK ' WHEN 'x' THEN ' EXCLUDE ' ELSE ' DEFERRABLE ' END || conname AS rule,
    CASE contype WHEN 'c' THEN pg_get_constraintdef(oid) END AS definition
  FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
    AND (contype IN ('c', 'x') OR (contype <> 't' AND condeferrable))`
const triggers = `
  SELECT tgrelid::regclass || ' TRIGGER ' || tgname AS rule, NULL AS definition FROM pg_trigger WHERE NOT tgisinternal`
const functions = `
  SELECT 'FUNCTION ' || proname AS rule, NULL AS definition
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND NOT EXISTS (
    SELECT 1 FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')`
const indexes = `
  SELECT indrelid::regclass || ' INDEX ' || indexrelid::regclass AS rule, NULL AS definition
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid AND relnamespace = current_schema()::regnamespace
  WHERE (indpred IS NOT NULL OR indexprs IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype = 'x')`

const schema = readFileSync('prisma/schema.prisma', 'utf8')
const database = new pg.Client({ connectionString: process.env.DATABASE_URL })
let rules: Rule[]

beforeAll(async () => {
  await database.connect()
  rules = await readRules()
})
afterAll(() => database.end())

async function readRules(): Promise<Rule[]> {
  const all = [constraints, triggers, functions, indexes].join(' UNION ALL ')
  const { rows } = await database.query<{ rule: string; definition: string | null }>(all)
  return rows.map(({ rule, definition }) => ({ rule, values: valuesOf(definition ?? '') }))
}

function valuesOf(definition: string): string[] | null {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[([^\]]*)\]\)\)\)$/.exec(definition)?.[1]
  return list === undefined ? null : [...list.matchAll(/'([\w/]+)'::text/g)].map(([, value = '']) => value)
}

interface Mention {
  readonly rule: string
  readonly comment: string
}

function mentionsIn(text: string): Mention[] {
  const models = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)]
  return models.flatMap(([, model = '', body = '']) => {
    const joined = body.replaceAll(/\n +\/\/ (?!(?:CHECK|EXCLUDE|TRIGGER|FUNCTION|INDEX|DEFERRABLE) )/g, ' ')
    const comments = joined.split('\n').map((line) => line.slice(line.indexOf('//') + 2).trim())
    return comments.flatMap((comment) =>
      [...comment.matchAll(/\b(CHECK|EXCLUDE|TRIGGER|FUNCTION|INDEX|DEFERRABLE) (\w+)/g)].map(([, kind, name]) => ({
        rule: kind === 'FUNCTION' ? `FUNCTION ${name}` : `${model} ${kind} ${name}`,
        comment,
      })),
    )
  })
}

const mentions = mentionsIn(schema)

describe('the comments of prisma/schema.prisma', () => {
  it('the comments of each model in prisma/schema.prisma name each database rule exactly once', () => {
    expect(rules.length).toBeGreaterThan(60)
    expect(mentions.map(({ rule }) => rule).sort()).toEqual(rules.map(({ rule }) => rule).sort())
  })

  it('comments of prisma/schema.prisma list the values that a CHECK allows', () => {
    const closed = rules.filter(({ values }) => values !== null)
    expect(closed.length).toBeGreaterThan(10)
    for (const { rule, values } of closed)
      expect(mentions.find((mention) => mention.rule === rule)?.comment, rule).toMatch(
        new RegExp(`(?:^|: )${values?.join(', ')}(?: \\(CHECK|$)`),
      )
  })

  it('the comment check finds a rule without a comment and a comment without a rule', async () => {
    await database.query('BEGIN')
    await database.query(`
      ALTER TABLE tasks ADD CONSTRAINT tasks_attempts CHECK (attempts >= 0);
      CREATE INDEX tasks_named ON tasks (lower(name));
      ALTER TABLE orders DROP CONSTRAINT orders_verification;
      DROP TRIGGER ledger_is_append_only ON ledger_entries`)
    const changed = (await readRules()).map(({ rule }) => rule)
    await database.query('ROLLBACK')
    const named = mentions.map(({ rule }) => rule)
    expect(changed.filter((rule) => !named.includes(rule)).sort()).toEqual([
      'tasks CHECK tasks_attempts',
      'tasks INDEX tasks_named',
    ])
    expect(named.filter((rule) => !changed.includes(rule)).sort()).toEqual([
      'ledger_entries TRIGGER ledger_is_append_only',
      'orders CHECK orders_verification',
    ])
  })
})
