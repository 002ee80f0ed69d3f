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
  ['a task is a part of what enqueued it', [task(one)], { parent: one }],
  ['within an hour', [task(one, 59)], { parent: one }],
  ['later it is linked', [task(one, 60)], { links: [one] }],
  ['several of one cause are a part of it', [task(one), task(one)], { parent: one }],
  ['several of several causes are linked', [task(one), task(other)], { links: [one, other] }],
  ['without a tracer there is no cause', [task(null)], { parent: null }],
  ['one of many has a cause', [task(null), task(one)], { parent: one }],
])('%s', (_, tasks, span) => {
  expect(spanOfTasks(tasks, now)).toEqual({ attributes: { 'task.count': tasks.length, 'task.attempt': 1 }, ...span })
})

it('the span of a task has a bounded number of links', () => {
  const many = Array.from({ length: 100 }, (_, n) => task(`00-${n}-1-01`))
  expect(spanOfTasks(many, now).links).toHaveLength(32)
})
