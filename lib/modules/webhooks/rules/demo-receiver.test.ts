import { describe, expect, it } from 'vitest'
import { demoReceiverUrl, demoReply } from './demo-receiver.ts'

const received = { status: 200, text: 'Received.' }

describe('demo receiver', () => {
  it.each([
    ['v1', 'webhook.setup', received],
    ['v1', 'order.paid', received],
    ['v2', 'order.chargeback_received', received],
    ['v3', 'order.paid', null],
    ['', 'order.paid', null],
    ['v1', undefined, null],
    ['v1', { toString: 'order.paid' }, null],
  ])('version %s of the demo’s webhook receiver responds to the event %s with %j', (version, eventName, reply) => {
    expect(demoReply(3000, version, eventName)).toEqual(reply)
  })

  it('if version v1 of the demo’s webhook receiver cannot handle an event, its error message contains the URL of version v2', () => {
    const reply = demoReply(4100, 'v1', 'order.chargeback_received')
    expect(reply).toEqual({ status: 500, text: expect.stringContaining(`to ${demoReceiverUrl(4100, 'v2')}, then`) })
    expect(demoReceiverUrl(4100)).toBe('http://localhost:4100/demo/receiver/v1')
  })
})
