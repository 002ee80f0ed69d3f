import pino from 'pino'

/**
 * Structured logs on standard error, one JSON object a line. They carry ids, codes and durations; never keys, tokens,
 * URLs with tokens, bodies or what a person typed.
 */
export const log = pino(
  {
    level: process.env.LOG_LEVEL ?? 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
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
