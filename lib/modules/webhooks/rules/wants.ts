/** Whether an endpoint receives events of this name now: checked before each attempt. */
export const wants = (
  { enabledEvents, deleted }: { readonly enabledEvents: readonly string[]; readonly deleted: boolean },
  eventName: string,
): boolean => !deleted && enabledEvents.includes(eventName)
