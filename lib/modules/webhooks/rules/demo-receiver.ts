/** The versions of the demo's receiver, each at its own address. */
const versions = ['v1', 'v2'] as const
type Version = (typeof versions)[number]

/** The event that the first version cannot handle. The second version simulates a deployment with a fix. */
const unhandledByFirst = 'order.chargeback_received'

export const demoReceiverUrl = (port: number, version: Version = 'v1'): string =>
  `http://localhost:${port}/demo/receiver/${version}`

interface DemoReply {
  readonly status: number
  /** The text that the admin area shows for the attempt: for an error, its reason and the remedy. */
  readonly text: string
}

/**
 * The response of the demo's receiver to a webhook, so that a failed delivery can be found, fixed, and re-sent. It
 * stores nothing. Null if the version does not exist, or the body is no event.
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
