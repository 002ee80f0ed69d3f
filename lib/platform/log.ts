import pino from 'pino'
import { traceContext } from './tracing.ts'

// The bundles of the server and of the pages share the log sink through the global object.
const shared = globalThis as typeof globalThis & { billhookLogSink?: ((line: string) => void) | undefined }

const standardError = pino.destination(2)

/** Writes a line to standard error first, so that the sink gets exactly the lines that are in the log. */
const destination: pino.DestinationStream = {
  write(line) {
    standardError.write(line)
    shared.billhookLogSink?.(line)
  },
}

const levels: readonly string[] = [...Object.keys(pino.levels.values), 'silent']
const wanted = process.env.LOG_LEVEL ?? ''

/** JSON lines on standard error, without keys, tokens, URLs with tokens, bodies, or user input. */
export const log = pino(
  {
    // An unknown level becomes `info`, because this module is loaded before the configuration is read. `readConfig`
    // reports the unknown level.
    level: levels.includes(wanted) ? wanted : 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
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

/** `sink` gets each log line. It must neither throw nor log. */
export function installLogSink(sink: ((line: string) => void) | undefined): void {
  shared.billhookLogSink = sink
}
