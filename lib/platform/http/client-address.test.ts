import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { addressBlock, clientAddress, writeClientAddress } from './client-address.ts'

function addressOf(remoteAddress: string | undefined, headers: Record<string, string>, trusted: string | null = null) {
  const message = { headers: { ...headers }, socket: { remoteAddress } } as unknown as IncomingMessage
  writeClientAddress(message, trusted)
  return clientAddress(new Request('http://a.example', { headers: message.headers as Record<string, string> }))
}

describe('client addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [undefined, ''],
  ])('without a trusted header, the client address of a connection from %s is %j', (remote, address) => {
    expect(addressOf(remote, {})).toBe(address)
  })

  it('without a trusted header, forwarding headers from a client do not change the client address', () => {
    const said = { 'billhook-client-address': '1.1.1.1', 'x-forwarded-for': '2.2.2.2', forwarded: 'for=3.3.3.3' }
    expect(addressOf('203.0.113.7', said)).toBe('203.0.113.7')
    expect(addressOf(undefined, said)).toBe('')
  })

  it.each([
    ['198.51.100.1', '198.51.100.1'],
    ['1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['1.1.1.1,198.51.100.1:4711', '198.51.100.1'],
    ['1.1.1.1, [2001:db8::1]:443', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['198.51.100.1, unknown', '203.0.113.7'],
    ['0x7f000001', '203.0.113.7'],
    ['1', '203.0.113.7'],
    ['', '203.0.113.7'],
  ])('with the trusted header %j, the client address is %s', (value, address) => {
    expect(addressOf('203.0.113.7', { 'x-real': value }, 'x-real')).toBe(address)
  })

  it('without the trusted header in a request, the client address is the address of the connection', () => {
    expect(addressOf('203.0.113.7', {}, 'x-real')).toBe('203.0.113.7')
  })
})

describe('rate limit keys', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('the rate limit key of %s is %s', (address, block) => {
    expect(addressBlock(address)).toBe(block)
  })
})
