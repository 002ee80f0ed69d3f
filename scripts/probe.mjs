// @ts-check
import { isIPv6 } from 'node:net'

const { PORT, LISTEN_ADDRESS = '' } = process.env
// LISTEN_ADDRESS can stand for all addresses of the machine. A client cannot connect to such a value.
const address = ['', '0.0.0.0', '::'].includes(LISTEN_ADDRESS) ? '127.0.0.1' : LISTEN_ADDRESS
const host = isIPv6(address) ? `[${address}]` : address
const response = await fetch(`http://${host}:${PORT || 3000}/livez`).catch(() => null)
process.exit(response?.ok ? 0 : 1)
