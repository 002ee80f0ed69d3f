import { readiness } from '@/lib/platform/readiness.ts'

/** The process can do its work: database, migrations, tasks. 503 says what is missing. */
export async function GET(): Promise<Response> {
  const state = await readiness()
  return Response.json(state, { status: state.ready ? 200 : 503, headers: { 'Cache-Control': 'no-store' } })
}
