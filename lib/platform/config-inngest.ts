import { z } from 'zod'
import { isWebAddress, text, webAddress, whole } from './config-values.ts'

export const inngestVariables = {
  INNGEST_EVENT_KEY: text(255)
    .optional()
    .describe(
      'The event key of an Inngest server that runs tasks. If no `INNGEST_*` variable is set, the ' +
        'processes run tasks themselves.',
    ),
  INNGEST_SIGNING_KEY: text(255).optional().describe('The key that signs the calls of the Inngest server.'),
  INNGEST_BASE_URL: webAddress('must be the http or https address of an Inngest server')
    .optional()
    .describe('The address of the Inngest server, if you host the server yourself.'),
  INNGEST_DEV: z
    .string()
    .refine(
      (value) => /^([01]|true|false)$/.test(value) || isWebAddress(value),
      'must be 1, 0, or the address of an Inngest development server',
    )
    .optional()
    .describe('Development only. `1`, or the address of an Inngest development server.'),
  INNGEST_LEASE_SECONDS: whole('must be seconds from 5 to 3600', 5, 3600)
    .default(30)
    .describe('Seconds that a task waits for its run before the task is handed over again.'),
  INNGEST_FALLBACK_SECONDS: whole('must be seconds from 5 to 3600', 5, 3600)
    .default(20)
    .describe('Seconds without the Inngest server after which the processes run tasks themselves.'),
  INNGEST_FALLBACK: z
    .enum(['embedded', 'none'], 'must be "embedded" or "none"')
    .default('embedded')
    .describe('`none`: tasks wait for the Inngest server while it is away.'),
}

type Values = z.output<z.ZodObject<typeof inngestVariables>>

/** Null unless one of its variables is set; then tasks run in this process. */
export function inngestOf(value: Values) {
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL, INNGEST_DEV } = value
  const { INNGEST_LEASE_SECONDS, INNGEST_FALLBACK, INNGEST_FALLBACK_SECONDS } = value
  const dev = INNGEST_DEV !== undefined && !/^(0|false)$/.test(INNGEST_DEV)
  if (!INNGEST_EVENT_KEY && !INNGEST_SIGNING_KEY && !INNGEST_BASE_URL && !dev) return null
  return {
    eventKey: INNGEST_EVENT_KEY ?? null,
    signingKey: INNGEST_SIGNING_KEY ?? null,
    baseUrl: INNGEST_BASE_URL ?? (INNGEST_DEV && isWebAddress(INNGEST_DEV) ? INNGEST_DEV : null),
    dev,
    /** How long a task waits for its run before it is handed over again. */
    leaseMs: INNGEST_LEASE_SECONDS * 1000,
    /** After how long without the server this process runs tasks itself; null for never. */
    fallbackMs: INNGEST_FALLBACK === 'embedded' ? INNGEST_FALLBACK_SECONDS * 1000 : null,
  }
}
