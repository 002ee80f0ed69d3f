import { tasks } from '@/lib/server/jobs.ts'

/** Where an Inngest server registers and runs the app's functions. */
export const GET = tasks.handler
export const POST = tasks.handler
export const PUT = tasks.handler
