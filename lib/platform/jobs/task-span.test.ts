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
  ['is part of the trace of its cause', [task(one)], { parent: one }],
  ['is part of that trace within an hour', [task(one, 59)], { parent: one }],
  ['links to that trace after an hour', [task(one, 60)], { links: [one] }],
  ['is part of the trace if several tasks have one cause', [task(one), task(one)], { parent: one }],
  ['links to each trace if the tasks have several causes', [task(one), task(other)], { links: [one, other] }],
  ['has no cause without tracing', [task(null)], { parent: null }],
  ['is part of the trace if one of many tasks has a cause', [task(null), task(one)], { parent: one }],
])('the span of a task %s', (_, tasks, span) => {
  expect(spanOfTasks(tasks, now)).toEqual({ attributes: { 'task.count': tasks.length, 'task.attempt': 1 }, ...span })
})

it('the span of a task has a bounded number of links', () => {
  const many = Array.from({ length: 100 }, (_, n) => task(`00-${n}-1-01`))
  expect(spanOfTasks(many, now).links).toHaveLength(32)
})
