/** Tells the ringer of this process that there may be something to ring; other processes find it at their next look. */

// Two bundles, one process: the listener is shared through the global.
const shared = globalThis as typeof globalThis & { billhookPoke?: (() => void) | undefined }

export const poke = (): void => shared.billhookPoke?.()

export function onPoke(listener: (() => void) | undefined): void {
  shared.billhookPoke = listener
}
