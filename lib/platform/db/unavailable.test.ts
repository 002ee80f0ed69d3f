import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)
/** An error of Prisma that wraps one of the adapter. */
const prisma = (code: string, cause: object) =>
  withFields('Invalid `db().api_keys.findUnique()` invocation', {
    code,
    meta: { driverAdapterError: withFields('DriverAdapterError', { cause }) },
  })

describe('the database is temporarily unavailable', () => {
  it.each([
    ['starting up', withFields('the database system is starting up', { code: '57P03', severity: 'FATAL' })],
    ['an administrator ended it', prisma('P2010', { kind: 'postgres', code: '57P01', originalCode: '57P01' })],
    ['a crash of another session', { cause: { originalCode: '57P02' } }],
    [
      'a raw query',
      withFields('Raw query failed. Code: `57P01`. Message: `terminating connection`', { code: 'P2010' }),
    ],
    ['not reachable', prisma('P1001', { kind: 'DatabaseNotReachable' })],
    ['not reachable, raw', new Error("Raw query failed. Code: `N/A`. Message: `Can't reach database server at a:1`")],
    ['closed', prisma('P1017', { kind: 'ConnectionClosed' })],
    ['closed, bare', { kind: 'ConnectionClosed' }],
    ['no connection in time', withFields('Timed out fetching a connection from the pool', { code: 'P2024' })],
    ['no transaction in time', withFields('Transaction API error', { code: 'P2028' })],
    ['the pool', new Error('timeout exceeded when trying to connect')],
    ['the driver', new Error('Connection terminated unexpectedly')],
    ['the driver, later', new Error('Client has encountered a connection error and is not queryable')],
    ['the process ends', new Error('Cannot use a pool after calling end on the pool')],
    ['the socket', withFields('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' })],
    ['both addresses of a name', new AggregateError([withFields('connect', { code: 'ECONNREFUSED' })])],
    ['too many connections', { cause: { kind: 'TooManyConnections', originalCode: '53300' } }],
    ['a full disk', withFields('could not extend file', { code: '53100' })],
    ['a lock that was not free in time', withFields('canceling statement', { code: '55P03' })],
    ['a conflict, again and again', prisma('P2034', { kind: 'TransactionWriteConflict', originalCode: '40001' })],
  ])('(%s)', (_, error) => {
    expect(isUnavailable(error)).toBe(true)
  })
})

describe('any other error is a bug', () => {
  const circular = new Error('round')
  circular.cause = circular
  it.each([
    [new Error('Connection')],
    [withFields('duplicate key', { code: '23505' })],
    [prisma('P2010', { kind: 'postgres', originalCode: '42601' })],
    [prisma('P2002', { kind: 'UniqueConstraintViolation' })],
    [withFields('no such file', { code: 'ENOENT' })],
    [new TypeError("Cannot read properties of undefined (reading 'id')")],
    [circular],
    ['ECONNREFUSED'],
    [null],
    [undefined],
    [503],
  ])('%s', (error) => {
    expect(isUnavailable(error)).toBe(false)
  })
})
