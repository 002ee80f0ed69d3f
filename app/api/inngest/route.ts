import { tasks } from '@/lib/server/jobs.ts'

/** An Inngest server registers and runs the app's functions here. */
export const GET = tasks.handler
export const POST = tasks.handler
export const PUT = tasks.handler
