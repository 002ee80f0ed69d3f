import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'

/** All requests within a second share one result, so that frequent requests do not load the database. */
const newest = shared(1_000, readiness)

/**
 * A 503 response names the missing part. The state `degraded` has status 200: late tasks and violated invariants affect every process alike, so taking
 * processes out of service would not help.
 */
export async function GET(): Promise<Response> {
  const state = await newest()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
