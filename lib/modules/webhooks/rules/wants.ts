/** Whether an endpoint is sent events of this name, now: asked before each attempt. */
export const wants = (
  { enabledEvents, deleted }: { readonly enabledEvents: readonly string[]; readonly deleted: boolean },
  eventName: string,
): boolean => !deleted && enabledEvents.includes(eventName)
