import { setTimeout as pause } from 'node:timers/promises'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tenant } from '../clock/clock.ts'
import type { RequestContext } from '../jobs/transact.ts'
import { claimKey, fingerprint, identityOf, releaseKey, storedAnswer, whileRenewed } from './idempotency.ts'

/** The maximum number of milliseconds to wait for a previous submission. No form takes longer, even if it pings an endpoint or waits for a test clock. */
const mostWaitMs = 30_000
const askAgainMs = 200

/**
 * Claims the key of a form submission. If a previous submission is in progress, waits for its response, because the
 * browser shows only the response to the last click.
 */
async function claimOrWait(request: Parameters<typeof claimKey>[0]): ReturnType<typeof claimKey> {
  const end = Date.now() + mostWaitMs
  for (;;) {
    try {
      return await claimKey(request)
    } catch (error) {
      const isRunning = error instanceof Refusal && error.code === 'idempotency_in_progress'
      if (!isRunning || Date.now() >= end) throw error
      await pause(askAgainMs)
    }
  }
}

interface SentForm<Result, Word extends string | null> {
  readonly tenant: Tenant
  readonly path: string
  /** Identifies the sender and one rendering of the form. */
  readonly key: string
  readonly content: unknown
  /** The text that is stored for a result, so that a second click shows the same result. */
  readonly word: (result: Result) => Word
}

/** Runs the operation of a form once. After a refusal, the same form can be submitted again. */
export async function oncePerForm<Result, Word extends string | null>(
  { tenant, path, key, content, word }: SentForm<Result, Word>,
  operation: (context: RequestContext) => Promise<Result>,
): Promise<Word> {
  const method = 'POST'
  const sent = fingerprint(method, path, new TextEncoder().encode(JSON.stringify(content)))
  const claim = await claimOrWait({ tenant, method, route: path, key, fingerprint: sent })
  if (!('claim' in claim)) return claim.body as Word
  try {
    const context: RequestContext = {
      ...tenant,
      requestIdentity: identityOf(claim),
      answer: async (_, result) => storedAnswer(claim, { status: 200, body: word(result as Result) }),
    }
    return word(await whileRenewed(claim, () => operation(context)))
  } catch (error) {
    await releaseKey(claim)
    throw error
  }
}
