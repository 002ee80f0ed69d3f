// The baseline of the API routes: an HTTP server of Node.js that reads one row per request.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { answer } from './program.ts'

export interface Baseline {
  readonly databaseUrl: string
  readonly pool: number
}

async function serve({ databaseUrl, pool: max }: Baseline): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max })
  const server = createServer(async ({ url = '/' }, response) => {
    const { rows } = await pool.query('SELECT * FROM customers WHERE id = $1', [url.slice(1)])
    const body = JSON.stringify(rows[0] ?? null)
    response.writeHead(rows.length === 1 ? 200 : 404, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

answer(serve)
