import pino from 'pino'
import { traceContext } from './tracing.ts'

/**
 * Structured logs on standard error, one JSON object a line. They carry ids, codes and durations; never keys, tokens,
 * URLs with tokens, bodies or what a person typed.
 */
export const log = pino(
  {
    level: process.env.LOG_LEVEL ?? 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // As a collector finds the lines of a trace.
    mixin: () => {
      const [, traceId] = traceContext()?.split('-') ?? []
      return traceId === undefined ? {} : { traceId }
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
  pino.destination(2),
)
