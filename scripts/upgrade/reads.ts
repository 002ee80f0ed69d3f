import { spawnSync } from 'node:child_process'
import pg from 'pg'
import type { Dump, Reads } from './dump.ts'

const lists = [
  'subscription-plans',
  'one-off-products',
  'customers',
  'checkouts',
  'orders',
  'subscriptions',
  'refunds',
  'chargebacks',
  'payment-links',
]

/** Links are not compared, because they contain the service URL and tokens, whose encoding may change. */
const withoutLinks = (_: string, value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => !/^(?:links|paging|nextPage|hasMore)$/.test(name)))
    : value

const figures = `SELECT day::text, currency, opening_mrr::text, closing_mrr::text, closing_subscribers
  FROM daily_figures ORDER BY day, currency, storefront_id, testmode`

export const environmentOf = (databaseUrl: string, { secretKey }: Pick<Dump, 'secretKey'>) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: secretKey,
  RATE_LIMIT_TEST: '0',
})

type Installation = Pick<Dump, 'secretKey' | 'storefrontId' | 'testKey'>

export function commandOn(databaseUrl: string, dump: Pick<Dump, 'secretKey'>, ...args: string[]): unknown {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/cli.mjs', ...args, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, ...environmentOf(databaseUrl, dump) },
  })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

/** @param baseUrl the URL of a `web` process, which changes no record */
export async function readAll(baseUrl: string, databaseUrl: string, dump: Installation): Promise<Reads> {
  const reads: Record<string, unknown> = {}
  for (const list of lists) {
    const all: unknown[] = []
    let next: string | null = `/v1/${list}?limit=100`
    while (next) {
      const response: Response = await fetch(new URL(next, baseUrl), {
        headers: { authorization: `Bearer ${dump.testKey}` },
      })
      if (!response.ok) throw new Error(`${next}: ${response.status} ${await response.text()}`)
      const { data, links } = (await response.json()) as { data: unknown[]; links: { next: { href: string } | null } }
      all.push(...data)
      const following = links.next?.href
      next = following ? new URL(following).pathname + new URL(following).search : null
    }
    reads[list] = JSON.parse(JSON.stringify(all, withoutLinks))
  }
  const onTest = ['--storefront', dump.storefrontId, '--mode', 'test']
  reads.balance = commandOn(databaseUrl, dump, 'ledger', 'balance', ...onTest)
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  reads.figures = (await client.query(figures)).rows
  await client.end()
  return reads
}
