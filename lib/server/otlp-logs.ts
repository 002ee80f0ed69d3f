import { attributesOf, nanosecondsOf, scope } from './otlp.ts'

/** Lines of the log as OTLP has them. */

/** By the number that a line of the log has for its level. */
const severities: Readonly<Record<number, readonly [severityNumber: number, severityText: string]>> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
}

/** The body of `POST /v1/logs`, of lines as `lib/platform/log.ts` writes them. */
export const otlpLogs = (attributes: object, lines: readonly string[]) => ({
  resourceLogs: [
    { resource: { attributes: attributesOf(attributes) }, scopeLogs: [{ scope, logRecords: lines.map(otlpLog) }] },
  ],
})

function otlpLog(line: string) {
  const { level, time, msg, traceId, spanId, ...others } = JSON.parse(line)
  const [severityNumber, severityText] = severities[level] ?? []
  const timeUnixNano = nanosecondsOf(Date.parse(time))
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber,
    severityText,
    body: { stringValue: msg ?? '' },
    attributes: attributesOf(others),
    traceId,
    spanId,
  }
}
