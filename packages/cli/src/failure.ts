import { BillhookError } from '@billhook/sdk'

/** The exit codes. The guide lists them. */
export const exitCodes = {
  done: 0,
  /** The service refused the request, or a step failed. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no API key, or the service does not accept it. */
  key: 3,
  /** The service does not respond. */
  unreachable: 4,
} as const

interface Facts {
  readonly code: string
  readonly exitCode?: number
  readonly why?: string | undefined
  /** What the reader can do next. */
  readonly next?: string | undefined
}

/** A failure with a sentence for the reader. Any other error is a bug. */
export class CommandFailure extends Error {
  readonly code: string
  readonly exitCode: number
  readonly why: string | null
  readonly next: string | null

  constructor(message: string, { code, exitCode = exitCodes.failed, why, next }: Facts) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.why = why ?? null
    this.next = next ?? null
  }
}

export const wrongUsage = (message: string, next?: string): CommandFailure =>
  new CommandFailure(message, { code: 'usage', exitCode: exitCodes.usage, next })

/** Whether a later attempt of the request can succeed. */
export const isTemporary = (error: unknown): error is BillhookError =>
  error instanceof BillhookError &&
  (error.status === null || error.status === 408 || error.status === 429 || error.status >= 500)

const whyOf = (error: Error): string | undefined => {
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : error.cause
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  return cause.message || code || undefined
}

/** What the reader can do after an error of the API. */
const nextSteps: Readonly<Record<string, string>> = {
  clock_busy: 'Wait until the other advance ends. `billhook clock show` prints the time on the clock.',
  portal_not_eligible: 'Name a customer with a paid order: billhook open portal --customer ID',
}

/** Describes an error of the SDK. Another error is returned unchanged. */
export function described(error: unknown, url: string): unknown {
  if (!(error instanceof BillhookError)) return error
  const { status, code, message, requestId } = error
  const facts = { code, why: requestId ? `The code is ${code}. The request is ${requestId}.` : undefined }
  if (status === null)
    return new CommandFailure(`The service at ${url} does not respond.`, {
      code,
      exitCode: exitCodes.unreachable,
      why: whyOf(error) ?? message,
      next: 'Start the service (`npm start`), or name another one: billhook login',
    })
  if (code === 'unexpected_response')
    return new CommandFailure(`The address ${url} is not that of a Billhook service.`, {
      code,
      exitCode: exitCodes.unreachable,
      why: `The response has the status ${status}.`,
      next: 'Check the address: billhook login',
    })
  if (status === 401 || status === 403)
    return new CommandFailure(status === 401 ? 'The service does not accept the API key.' : message, {
      ...facts,
      exitCode: exitCodes.key,
      next: 'Create a key in the admin area (Developers, API keys), and log in: billhook login',
    })
  return new CommandFailure(message, { ...facts, next: nextSteps[code] })
}
