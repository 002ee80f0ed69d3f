import { shared } from '@/lib/platform/shared.ts'
import { readiness } from '@/lib/server/readiness.ts'

/** Requests within a second share one result, so that frequent requests cost the database nothing more. */
const newest = shared(1_000, readiness)

/**
 * Whether the process can do its work: database, migrations. 503 states what is missing. `degraded` is still 200: late
 * tasks and the violations that a check found are the same in every process, and taking all of them out of service would
 * not repair them.
 */
export async function GET(): Promise<Response> {
  const state = await newest()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
