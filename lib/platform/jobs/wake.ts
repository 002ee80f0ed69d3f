/** Tells the ringer of this process that there may be something to ring; other processes find it at their next look. */

// Two bundles, one process: the listener is shared through the global.
const shared = globalThis as typeof globalThis & { billhookWake?: (() => void) | undefined }

export const wake = (): void => shared.billhookWake?.()

export function onWake(listener: (() => void) | undefined): void {
  shared.billhookWake = listener
}
