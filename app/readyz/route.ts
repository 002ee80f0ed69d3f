import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'

/** Requests within a second share one result, so that frequent requests do not load the database. */
const newest = shared(1_000, readiness)

/**
 * Whether the process can work: database and migrations. 503 names the missing part. `degraded` is still 200: late
 * tasks and violated invariants are the same in every process, and taking all processes out of service would not repair
 * them.
 */
export async function GET(): Promise<Response> {
  const state = await newest()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
