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
  INNGEST_LEASE_SECONDS: whole('must be a number of seconds from 5 to 3600', 5, 3600)
    .default(30)
    .describe('Seconds after which a task is handed over again if no run has started it.'),
  INNGEST_FALLBACK_SECONDS: whole('must be a number of seconds from 5 to 3600', 5, 3600)
    .default(20)
    .describe('Seconds without the Inngest server after which the processes run tasks themselves.'),
  INNGEST_FALLBACK: z
    .enum(['embedded', 'none'], 'must be "embedded" or "none"')
    .default('embedded')
    .describe(
      'While the Inngest server is unavailable: with `embedded`, the processes run tasks; with `none`, tasks wait.',
    ),
}

type Values = z.output<z.ZodObject<typeof inngestVariables>>

/** Returns the settings of Inngest. Returns null if no `INNGEST_` variable is set; tasks then run in this process. */
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
    /** Milliseconds after which a task is sent to Inngest again if no Inngest run has started it. */
    leaseMs: INNGEST_LEASE_SECONDS * 1000,
    /** Milliseconds of an Inngest outage after which this process runs tasks; null means never. */
    fallbackMs: INNGEST_FALLBACK === 'embedded' ? INNGEST_FALLBACK_SECONDS * 1000 : null,
  }
}
