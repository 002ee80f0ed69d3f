import pg from 'pg'
import { afterAll, beforeAll, vi } from 'vitest'
import { closeDatabase } from '../platform/db/db.ts'
import { serviceProblems } from '../platform/outbound/service-problems.ts'
import './complaints.ts'
import { configureAnew } from './configure.ts'
import { templateName } from './template-database.ts'
import { travelBack } from './time-travel.ts'

/**
 * This file gives each test file its own database and the configuration of a development server, and undoes the changes
 * of an earlier test file.
 */
const url = new URL(process.env.TEST_DATABASE_URL ?? '')
const name = `billhook_test_${process.pid}`

vi.restoreAllMocks()
vi.useRealTimers()
travelBack()
serviceProblems().forget()
configureAnew({
  DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href,
  // The timeout is long, so that a short pause of the machine does not make a request fail.
  DATABASE_CONNECT_TIMEOUT: '60',
  SECRET_KEY: 'a secret for tests only, long enough',
  PUBLIC_BASE_URL: 'http://billhook.test',
  WEBHOOK_ALLOWED_HOSTS: '127.0.0.1,localhost',
  RATE_LIMIT_TEST: '0',
  RATE_LIMIT_LIVE: '0',
  RATE_LIMIT_ANONYMOUS: '0',
  RATE_LIMIT_NOTICES: '0',
  PAYOUT_IBAN: 'NL20INGB0001234567',
})

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}

beforeAll(async () => {
  // Closes a pool that late work of an earlier test file opened before this file changed the configuration.
  await closeDatabase()
  // PostgreSQL refuses to clone a template while another session clones it, so clones take a lock.
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query('SELECT pg_advisory_lock(20260101)')
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
  await client.query(`CREATE DATABASE "${name}" TEMPLATE ${templateName} STRATEGY file_copy`)
  await client.end()
})

afterAll(async () => {
  serviceProblems().forget()
  await closeDatabase()
  await onServer(`DROP DATABASE "${name}" WITH (FORCE)`)
})
