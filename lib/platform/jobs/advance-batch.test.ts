import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { groupOf, isLate } from './advance-batch.ts'
import type { DueTask } from './advance-tasks.ts'
import { task } from './tasks.ts'

task('test.free', z.object({}), { concurrent: true })
const midnight = Date.parse('2027-01-01T00:00:00Z')
const at = (seconds: number) => new Date(midnight + seconds * 1000)

/** `P3` is a task of type P that is due 3 s after midnight. `P3*` was created by a request during the advance. `P3!` is leased. */
const kinds: Record<string, string> = { P: 'test.period_end', C: 'test.charge', F: 'test.free', X: 'test.other' }
function due(text: string): DueTask {
  const [, kind = '', seconds, mark] = /^([A-Z])(\d+(?:\.\d+)?)([*!]?)$/.exec(text) ?? []
  const marks = { beside: mark === '*', leased: mark === '!' }
  return { id: text, name: kinds[kind] ?? '', due_at: at(Number(seconds)), claim_version: 0, ...marks }
}

const group = (line: string, { shown = 0, alone = '' } = {}) => {
  const [first, ...others] = line.split(' ').map(due)
  if (!first) throw new Error('nothing is due')
  const { how, tasks } = groupOf([first, ...others], {
    shown: at(shown),
    alone: new Set(alone.split(' ')),
    isTogether: (kind) => kind === kinds.P || kind === kinds.C,
  })
  return `${how}: ${tasks.map(({ id }) => id).join(' ')}`
}

describe('groups of due tasks', () => {
  it.each([
    ['P1 P2 P3', 'batch: P1 P2 P3'],
    ['P1 P2 C1 P3', 'batch: P1 P2'],
    ['C1 P2 P3', 'each: C1'],
    ['P1', 'each: P1'],
    ['P0 P599 P600', 'batch: P0 P599'],
    ['P0 P600', 'each: P0'],
    ['P1 P2 P3! P4', 'batch: P1 P2'],
    ['P1 P2* P3', 'each: P1'],
    ['P1* P2* P3', 'batch: P1* P2*'],
    ['X1 X1 X1', 'each: X1'],
    ['F1 F1.4 F2', 'each: F1 F1.4'],
    ['F1 X1 F1', 'each: F1'],
    ['F1! F1', 'each: F1!'],
  ])('from the due tasks %s, a clock advance first runs the group "%s"', (line, expected) => {
    expect(group(line)).toBe(expected)
  })

  it.each([
    ['P1 P2 P3', 'P1', 'each: P1'],
    ['P1 P2 P3 P4', 'P3', 'batch: P1 P2'],
  ])(
    'if the due tasks are %s and a batch has skipped %s, a clock advance first runs the group "%s"',
    (line, alone, expected) => {
      expect(group(line, { alone })).toBe(expected)
    },
  )

  it('a clock advance never groups late tasks with tasks that run at their own due time', () => {
    expect(group('P1 P2 P700', { shown: 700 })).toBe('batch: P1 P2')
    expect(group('P99 P100 P101 P102', { shown: 700 })).toBe('batch: P99 P100')
    expect(group('P101 P102 P700', { shown: 700 })).toBe('batch: P101 P102 P700')
    expect(isLate(due('P100'), at(700))).toBe(true)
    expect(isLate(due('P101'), at(700))).toBe(false)
  })

  it('a clock advance runs at most 16 tasks of a group concurrently', () => {
    expect(group(Array(20).fill('F1').join(' ')).split(' ').length - 1).toBe(16)
  })
})
