/**
 * Whether the endpoint receives events with this name. Each attempt checks this again, because the merchant can disable the event or delete the endpoint in the
 * meantime.
 */
export const wants = (
  { enabledEvents, deleted }: { readonly enabledEvents: readonly string[]; readonly deleted: boolean },
  eventName: string,
): boolean => !deleted && enabledEvents.includes(eventName)
