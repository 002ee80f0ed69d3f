/** What every object has a value for, without having been given one. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)
