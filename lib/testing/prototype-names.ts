/** The names that every object inherits from `Object.prototype`. */
export const prototypeNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)
