import type { Bench } from './context.ts'
import { connected } from './copies.ts'

/** Commits one row per transaction, repeatedly, over the pool's number of connections: the limit of the disk and the driver. */
export async function commitsPerSecond({ installation, pool }: Bench, seconds: number): Promise<number> {
  const { databaseUrl } = installation
  return connected(databaseUrl, async (client) => {
    await client.query('CREATE TABLE bench_commits (id bigserial PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())')
    const until = performance.now() + seconds * 1000
    const worker = () =>
      connected(databaseUrl, async (own) => {
        let count = 0
        for (; performance.now() < until; count++) await own.query('INSERT INTO bench_commits DEFAULT VALUES')
        return count
      })
    const counts = await Promise.all(Array.from({ length: pool }, worker))
    await client.query('DROP TABLE bench_commits')
    return counts.reduce((all, count) => all + count, 0) / seconds
  })
}
