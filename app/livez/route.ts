/** The process answers. No database is asked. */
export const GET = (): Response => Response.json({ status: 'live' }, { headers: { 'Cache-Control': 'no-store' } })
