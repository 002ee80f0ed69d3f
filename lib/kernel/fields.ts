/** Drops undefined values, which stand for fields that the client did not send. */
export const defined = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]: Exclude<Values[Name], undefined>
  }

export const pick = <Values extends object, Name extends keyof Values>(values: Values, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Pick<Values, Name>
