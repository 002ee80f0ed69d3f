import { describe, expect, it } from 'vitest'
import { otlpLogs } from './otlp-logs.ts'

const time = '2026-11-25T03:04:05.678Z'
const timeUnixNano = '1795575845678000000'
const line = (fields: object) => JSON.stringify({ level: 30, time, ...fields, msg: 'something happened' })
const recordOf = (fields: object) => otlpLogs({}, [line(fields)]).resourceLogs[0]?.scopeLogs[0]?.logRecords[0]
const ofInfo = {
  timeUnixNano,
  observedTimeUnixNano: timeUnixNano,
  severityNumber: 9,
  severityText: 'INFO',
  body: { stringValue: 'something happened' },
}

describe('a line of the log in OTLP', () => {
  it.each<[object, object[]]>([
    [{}, []],
    [{ code: '57014' }, [{ key: 'code', value: { stringValue: '57014' } }]],
    [{ attempts: 3 }, [{ key: 'attempts', value: { intValue: '3' } }]],
    [{ seconds: 0.5 }, [{ key: 'seconds', value: { doubleValue: 0.5 } }]],
    [{ isLate: false }, [{ key: 'isLate', value: { boolValue: false } }]],
    [{ nothing: null }, [{ key: 'nothing', value: {} }]],
    [
      { broken: ['a', 1] },
      [{ key: 'broken', value: { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } } }],
    ],
    [
      { removed: { events: 2 } },
      [{ key: 'removed', value: { kvlistValue: { values: [{ key: 'events', value: { intValue: '2' } }] } } }],
    ],
  ])('with %j has them as attributes', (fields, attributes) => {
    expect(recordOf(fields)).toEqual({ ...ofInfo, attributes })
  })

  it.each([
    [10, 1, 'TRACE'],
    [20, 5, 'DEBUG'],
    [30, 9, 'INFO'],
    [40, 13, 'WARN'],
    [50, 17, 'ERROR'],
    [60, 21, 'FATAL'],
  ])('of level %i has the severity %i %s', (level, severityNumber, severityText) => {
    expect(recordOf({ level })).toMatchObject({ severityNumber, severityText })
  })

  it('has trace and span as such, not as attributes', () => {
    const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
    expect(recordOf(ids)).toEqual({ ...ofInfo, ...ids, attributes: [] })
  })

  it('is sent with others, by who logged them', () => {
    const { resourceLogs } = otlpLogs({ 'service.name': 'shop' }, [line({ n: 1 }), line({ n: 2 })])
    expect(resourceLogs).toMatchObject([
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
        scopeLogs: [{ scope: { name: 'billhook' }, logRecords: [ofInfo, ofInfo] }],
      },
    ])
  })
})
