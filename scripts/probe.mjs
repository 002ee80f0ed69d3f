// @ts-check
import { isIPv6 } from 'node:net'

const { PORT, LISTEN_ADDRESS = '' } = process.env
// If LISTEN_ADDRESS stands for all addresses of the machine, the probe connects to 127.0.0.1, because a client cannot
// connect to such a value.
const address = ['', '0.0.0.0', '::'].includes(LISTEN_ADDRESS) ? '127.0.0.1' : LISTEN_ADDRESS
const host = isIPv6(address) ? `[${address}]` : address
const response = await fetch(`http://${host}:${PORT || 3000}/livez`).catch(() => null)
process.exit(response?.ok ? 0 : 1)
