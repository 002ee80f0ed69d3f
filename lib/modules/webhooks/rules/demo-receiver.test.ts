import { describe, expect, it } from 'vitest'
import { demoReceiverUrl, demoReply } from './demo-receiver.ts'

const received = { status: 200, text: 'Received.' }

describe('the demo’s receiver', () => {
  it.each([
    ['v1', 'webhook.setup', received],
    ['v1', 'order.paid', received],
    ['v2', 'order.chargeback_received', received],
    ['v3', 'order.paid', null],
    ['', 'order.paid', null],
    ['v1', undefined, null],
    ['v1', { toString: 'order.paid' }, null],
  ])('the demo’s receiver %s responds to %s', (version, eventName, reply) => {
    expect(demoReply(3000, version, eventName)).toEqual(reply)
  })

  it('the demo’s receiver names in its one error the version that handles the event', () => {
    const reply = demoReply(4100, 'v1', 'order.chargeback_received')
    expect(reply).toEqual({ status: 500, text: expect.stringContaining(`to ${demoReceiverUrl(4100, 'v2')}, then`) })
    expect(demoReceiverUrl(4100)).toBe('http://localhost:4100/demo/receiver/v1')
  })
})
