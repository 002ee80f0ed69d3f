const versions = ['v1', 'v2'] as const
type Version = (typeof versions)[number]

const unhandledByFirst = 'order.chargeback_received'

export const demoReceiverUrl = (port: number, version: Version = 'v1'): string =>
  `http://localhost:${port}/demo/receiver/${version}`

interface DemoReply {
  readonly status: number
  /** The text that the admin area shows for the attempt. If the status is an error, the text states the reason and the remedy. */
  readonly text: string
}

/**
 * Version 1 of the demo's receiver fails on one event, and version 2 handles this event. A visitor of the demo can
 * therefore find, fix, and re-send a failed delivery. Returns null if the version does not exist or the body is not an
 * event.
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
