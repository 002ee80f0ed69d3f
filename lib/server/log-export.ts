import type { Logger } from '@opentelemetry/api-logs'

const severities: Readonly<Record<number, readonly [severityNumber: number, severityText: string]>> = {
  10: [1, 'TRACE'],
  20: [5, 'DEBUG'],
  30: [9, 'INFO'],
  40: [13, 'WARN'],
  50: [17, 'ERROR'],
  60: [21, 'FATAL'],
}

export const logSink = (logger: Logger) => (line: string) => {
  const { level, time, msg, traceId: _, spanId: __, ...attributes } = JSON.parse(line)
  const [severityNumber = 0, severityText = ''] = severities[level] ?? []
  logger.emit({ timestamp: new Date(time), severityNumber, severityText, body: msg ?? '', attributes })
}
