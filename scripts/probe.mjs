// @ts-check
import { isIPv6 } from 'node:net'

const { PORT, LISTEN_ADDRESS = '' } = process.env
// No client can connect to the addresses that stand for all addresses.
const address = ['', '0.0.0.0', '::'].includes(LISTEN_ADDRESS) ? '127.0.0.1' : LISTEN_ADDRESS
const host = isIPv6(address) ? `[${address}]` : address
const response = await fetch(`http://${host}:${PORT || 3000}/livez`).catch(() => null)
process.exit(response?.ok ? 0 : 1)
