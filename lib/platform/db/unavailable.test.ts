import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('the database is temporarily unavailable', () => {
  it.each([
    ['starting up', withFields('the database system is starting up', { code: '57P03', severity: 'FATAL' })],
    ['a crash of another session', { cause: { code: '57P02' } }],
    ['an administrator ended it', withFields('terminating connection', { code: '57P01' })],
    ['a transaction that took too long', withFields('canceling statement', { code: '57014' })],
    ['a conflict, again and again', withFields('could not serialize', { code: '40001' })],
    ['the pool', new Error('timeout exceeded when trying to connect')],
    ['the driver', new Error('Connection terminated unexpectedly')],
    ['the driver, later', new Error('Client has encountered a connection error and is not queryable')],
    ['a query without an answer', new Error('Query read timeout')],
    ['the process ends', new Error('Cannot use a pool after calling end on the pool')],
    ['the socket', withFields('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' })],
    ['both addresses of a name', new AggregateError([withFields('connect', { code: 'ECONNREFUSED' })])],
    ['too many connections', { cause: { code: '53300' } }],
    ['a full disk', withFields('could not extend file', { code: '53100' })],
    ['a full memory', { code: '53200' }],
    ['a disk that fails', { code: '58030' }],
    [
      'a server that takes no writes',
      withFields('cannot execute INSERT in a read-only transaction', { code: '25006' }),
    ],
    ['a database that is being dropped', { code: '57P04' }],
    ['a session that was idle for too long', { code: '57P05' }],
    ['a connection that PostgreSQL did not make', { code: '08001' }],
    ['a lock that was not free in time', withFields('canceling statement', { code: '55P03' })],
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
