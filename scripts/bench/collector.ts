// A telemetry collector that accepts all data and stores none.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './program.ts'

let traceBytes = 0

const server = createServer((request, response) => {
  request.on('data', (chunk) => {
    if (request.url === '/v1/traces') traceBytes += chunk.length
  })
  request.on('end', () => response.writeHead(200).end())
})

answer(async (question: 'listen' | 'traceBytes') => {
  if (question === 'traceBytes') return traceBytes
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
})
