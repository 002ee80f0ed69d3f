import { log } from '../platform/log.ts'

/**
 * This file keeps the latest 100 warnings and errors that this process logged about failed requests, so that tests can
 * print them.
 */

const mostKept = 100
const complaints: object[] = []

for (const level of ['warn', 'error'] as const) {
  const original = log[level]
  log[level] = (logged: unknown, ...others: [string?]) => {
    if (typeof logged === 'object' && logged !== null && 'requestId' in logged) complaints.push(logged)
    if (complaints.length > mostKept) complaints.shift()
    original.call(log, logged, ...others)
  }
}

export const complaintAbout = (requestId: unknown): object | undefined =>
  complaints.find((complaint) => 'requestId' in complaint && complaint.requestId === requestId)
