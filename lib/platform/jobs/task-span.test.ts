import { expect, it } from 'vitest'
import { spanOfTasks } from './task-span.ts'

const now = Date.parse('2026-11-24T12:00:00Z')
const [one, other] = ['00-1-1-01', '00-2-2-01']
const task = (trace: string | null, minutes = 0) => ({
  trace,
  created_at: new Date(now - minutes * 60_000),
  attempts: 1,
})

it.each([
  ['is part of the trace of the request that caused the task', [task(one)], { parent: one }],
  ['is part of the trace of its cause if it runs within an hour', [task(one, 59)], { parent: one }],
  ['has a link to the trace of its cause if it runs after an hour', [task(one, 60)], { links: [one] }],
  ['with several tasks of one cause is part of the trace of that cause', [task(one), task(one)], { parent: one }],
  [
    'with several tasks of different causes has links to their traces',
    [task(one), task(other)],
    { links: [one, other] },
  ],
  ['has no parent if the cause was not traced', [task(null)], { parent: null }],
  ['with one traced cause is part of that trace', [task(null), task(one)], { parent: one }],
])('a task span %s', (_, tasks, span) => {
  expect(spanOfTasks(tasks, now)).toEqual({ attributes: { 'task.count': tasks.length, 'task.attempt': 1 }, ...span })
})

it('the span of a run with 100 tasks has only 32 links', () => {
  const many = Array.from({ length: 100 }, (_, n) => task(`00-${n}-1-01`))
  expect(spanOfTasks(many, now).links).toHaveLength(32)
})
