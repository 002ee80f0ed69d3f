export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)
