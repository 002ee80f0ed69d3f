import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { ServiceFailure } from '../platform/outbound/service-failure.ts'
import { MollieRefused } from '../providers/mollie/client.ts'
import { describeEnvironmentFailure } from './environment-failures.ts'

vi.mock('../server/usable-database.ts', () => ({
  databaseProblem: async () => 'The database is read-only: turn default_transaction_read_only off.',
}))

class Permanent extends ServiceFailure {
  override readonly isTemporary = false
}

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)
const reset = error('read ECONNRESET', { code: 'ECONNRESET' })
const again = 'Check whether the command took effect, and run it again.'

it.each([
  [
    'a provider that does not respond',
    new ServiceFailure('Mollie does not answer (ECONNREFUSED)'),
    'Mollie does not answer (ECONNREFUSED). Run the command again later.',
  ],
  [
    'a provider that refuses the request',
    new Permanent('the access token lacks the permission'),
    'the access token lacks the permission.',
  ],
  [
    'a pooler that refuses startup options',
    error('unsupported startup parameter: options', { code: '08P01' }),
    'The address in DATABASE_URL belongs to a pooler, which refuses startup options. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  ],
  [
    'a read-only database',
    error('cannot execute INSERT in a read-only transaction', { code: '25006' }),
    'The database is read-only: turn default_transaction_read_only off.',
  ],
  [
    'a missing right',
    error('permission denied for table orders', { code: '42501' }),
    'The user of the database lacks a right: permission denied for table orders.',
  ],
  [
    'a service that does not respond',
    error('fetch failed', { cause: reset }),
    `An external service does not respond (ECONNRESET). ${again}`,
  ],
  [
    'a lost database connection',
    error('Connection terminated unexpectedly'),
    `The database does not respond, or ended the request: Connection terminated unexpectedly. ${again}`,
  ],
  [
    'a missing folder outside of the installation',
    error('x', { code: 'ENOENT', path: '../a/b' }),
    'The file ../a/b cannot be read or written (ENOENT).',
  ],
  [
    'a file of the installation without the right to read it',
    error('x', { code: 'EACCES', path: 'a/b' }),
    'The file a/b cannot be read or written (EACCES).',
  ],
  ['a full disk', error('write', { code: 'ENOSPC' }), 'A file cannot be read or written (ENOSPC).'],
  ['a bug', new TypeError('x is undefined'), null],
  ['a missing file of the installation', error('x', { code: 'ENOENT', path: path.resolve('lib/a.ts') }), null],
  ['a folder of the installation instead of a file', error('x', { code: 'EISDIR', path: 'lib' }), null],
  ['a missing file without a path', error('x', { code: 'ENOENT' }), null],
  ['a request that Mollie refuses', new MollieRefused(422, 'amount', 'POST /payments'), null],
  ['a canceled statement', error('canceling statement due to statement timeout', { code: '57014' }), null],
  ['a deadlock', error('unavailable', { cause: { code: '40P01', message: 'deadlock detected' } }), null],
  ['a violated constraint', error('duplicate key', { code: '23505' }), null],
  ['a storefront on hold', error('the storefront is on hold', { code: '55P03' }), null],
])(
  'describeEnvironmentFailure() returns a sentence for an error that the environment caused, and null for any other error: %s',
  async (_, cause, sentence) => {
    expect(await describeEnvironmentFailure(cause)).toBe(sentence)
  },
)
