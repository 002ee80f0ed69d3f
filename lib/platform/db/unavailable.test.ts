import { describe, expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

const withFields = (message: string, fields: object) => Object.assign(new Error(message), fields)

describe('temporary database errors', () => {
  it.each([
    [
      'the server is starting up',
      withFields('the database system is starting up', { code: '57P03', severity: 'FATAL' }),
    ],
    ['another session crashed', { cause: { code: '57P02' } }],
    ['an administrator ended the session', withFields('terminating connection', { code: '57P01' })],
    ['a transaction took too long', withFields('canceling statement', { code: '57014' })],
    ['transactions conflict repeatedly', withFields('could not serialize', { code: '40001' })],
    ['the pool has no free connection', new Error('timeout exceeded when trying to connect')],
    ['the driver lost the connection', new Error('Connection terminated unexpectedly')],
    [
      'the driver reports a lost connection in its own words',
      new Error('Client has encountered a connection error and is not queryable'),
    ],
    ['a query has no response', new Error('Query read timeout')],
    ['the process ends', new Error('Cannot use a pool after calling end on the pool')],
    ['the socket was reset', withFields('read ECONNRESET', { code: 'ECONNRESET', errno: -104, syscall: 'read' })],
    [
      'both addresses of its host name refuse the connection',
      new AggregateError([withFields('connect', { code: 'ECONNREFUSED' })]),
    ],
    ['the server has too many connections', { cause: { code: '53300' } }],
    ['the disk of the server is full', withFields('could not extend file', { code: '53100' })],
    ['the memory of the server is full', { code: '53200' }],
    ['the disk of the server fails', { code: '58030' }],
    ['the server is read-only', withFields('cannot execute INSERT in a read-only transaction', { code: '25006' })],
    ['the database is being dropped', { code: '57P04' }],
    ['a session was idle for too long', { code: '57P05' }],
    ['PostgreSQL refused a connection', { code: '08001' }],
    ['a lock was not free in time', withFields('canceling statement', { code: '55P03' })],
  ])('the database is temporarily unavailable if %s', (_, error) => {
    expect(isUnavailable(error)).toBe(true)
  })
})

describe('other errors', () => {
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
  ])('the error %s is not a temporary outage', (error) => {
    expect(isUnavailable(error)).toBe(false)
  })
})
