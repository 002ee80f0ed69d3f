/** The versions of the demo's receiver, each at an address of its own. */
const versions = ['v1', 'v2'] as const
type Version = (typeof versions)[number]

/** What the first version cannot handle. A deployment that mends it is the second one. */
const unhandledByFirst = 'order.chargeback_received'

export const demoReceiverUrl = (port: number, version: Version = 'v1'): string =>
  `http://localhost:${port}/demo/receiver/${version}`

interface DemoReply {
  readonly status: number
  /** What the admin area shows of the attempt: for an error, why it failed and how to mend it. */
  readonly text: string
}

/**
 * What the demo's receiver answers to a webhook, so that a failed delivery can be found, mended and sent again. It keeps
 * nothing. Null: there is no such version, or the body is no event.
 */
export function demoReply(port: number, version: string, eventName: unknown): DemoReply | null {
  if (!versions.some((each) => each === version) || typeof eventName !== 'string') return null
  if (version === 'v1' && eventName === unhandledByFirst)
    return {
      status: 500,
      text: `Version 1 of the demo's receiver cannot handle ${unhandledByFirst}. Version 2 can: change the URL of the endpoint to ${demoReceiverUrl(port, 'v2')}, then send the event again.`,
    }
  return { status: 200, text: 'Received.' }
}
