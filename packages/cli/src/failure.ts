import { BillhookError } from '@billhook/sdk'

/** docs/merchants/command-line.md lists these exit codes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  /** The API key is missing, rejected, or of the wrong mode. */
  key: 3,
  unreachable: 4,
} as const

interface Facts {
  readonly code: string
  readonly exitCode?: number
  readonly why?: string | undefined
  readonly next?: string | undefined
}

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

export const isTemporary = (error: unknown): error is BillhookError =>
  error instanceof BillhookError &&
  (error.status === null || error.status === 408 || error.status === 429 || error.status >= 500)

const whyOf = (error: Error): string | undefined => {
  const cause = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : error.cause
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  return cause.message || code || undefined
}

const nextSteps: Readonly<Record<string, string>> = {
  clock_busy: 'Wait until the other advance ends. `billhook clock show` prints the time on the test clock.',
  portal_not_eligible: 'Choose a customer with a paid order: billhook open portal --customer ID',
}

/** Converts a `BillhookError` to a `CommandFailure`. Returns all other errors unchanged. */
export function described(error: unknown, url: string): unknown {
  if (!(error instanceof BillhookError)) return error
  const { status, code, message, requestId } = error
  const facts = { code, why: requestId ? `The code is ${code}. The request is ${requestId}.` : undefined }
  if (status === null)
    return new CommandFailure(`The service at ${url} does not respond.`, {
      code,
      exitCode: exitCodes.unreachable,
      why: whyOf(error) ?? message,
      next: 'Start the service (`npm start`), or log in to another service: billhook login',
    })
  if (code === 'unexpected_response')
    return new CommandFailure(`The address ${url} does not belong to a Billhook service.`, {
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
