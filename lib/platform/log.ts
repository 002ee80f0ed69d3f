import pino from 'pino'
import { traceContext } from './tracing.ts'

// The server's bundle and the pages' bundle are two module graphs in one process.
const shared = globalThis as typeof globalThis & { billhookLogSink?: ((line: string) => void) | undefined }

const standardError = pino.destination(2)

/** Lines are written first, so that a collector gets exactly the lines of the log, with the same omissions. */
const destination: pino.DestinationStream = {
  write(line) {
    standardError.write(line)
    shared.billhookLogSink?.(line)
  },
}

/** JSON lines on standard error. They never contain keys, tokens, URLs with tokens, bodies, or what a person typed. */
export const log = pino(
  {
    // Empty counts as not set, as in the configuration.
    level: process.env.LOG_LEVEL || 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Adds the trace, so that a collector finds the lines of a trace.
    mixin: () => {
      const [, traceId, spanId] = traceContext()?.split('-') ?? []
      return traceId === undefined ? {} : { traceId, spanId }
    },
    redact: [
      'authorization',
      'secret',
      'token',
      'key',
      'email',
      '*.authorization',
      '*.secret',
      '*.token',
      '*.key',
      '*.email',
    ],
  },
  destination,
)

/** `sink` must neither throw nor log. */
export function installLogSink(sink: ((line: string) => void) | undefined): void {
  shared.billhookLogSink = sink
}
