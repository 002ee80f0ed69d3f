import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { UnreadAnswers } from './unread-answers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const megabyte = 1024 * 1024
const anAnswer = (writableLength: number) => {
  const destroy = vi.fn()
  const answer = Object.assign(new EventEmitter(), { writableLength, destroyed: false, destroy })
  return answer as unknown as ServerResponse & { destroy: typeof destroy }
}

it('the service counts the unread bytes of each caller, except the bytes of small responses', () => {
  const unread = new UnreadAnswers()
  const answers = [anAnswer(20 * megabyte), anAnswer(20 * megabyte)]
  for (let time = 0; time < 10_000; time += 1) unread.count('one', anAnswer(60 * 1024))
  expect(unread.mayAnswer('one')).toBe(true)
  for (const answer of answers) unread.count('one', answer)
  expect([unread.mayAnswer('one'), unread.mayAnswer('other')]).toEqual([false, true])
  answers[0]?.emit('close')
  expect(unread.mayAnswer('one')).toBe(true)
})

it('a client is disconnected when it takes 30 seconds longer for a response than at 64 kB per second', () => {
  const unread = new UnreadAnswers()
  const [slow, quick] = [anAnswer(6_400_000), anAnswer(6_400_000)]
  unread.count('one', slow)
  unread.count('one', quick)
  quick.emit('close')
  vi.advanceTimersByTime(129_999)
  expect(slow.destroy).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect([slow.destroy.mock.calls.length, quick.destroy.mock.calls.length]).toEqual([1, 0])
})
