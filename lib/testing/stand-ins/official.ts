export type Part<Described> = Described extends readonly (infer Each)[]
  ? readonly Part<Each>[]
  : Described extends object
    ? { readonly [Name in keyof Described]?: Part<Described[Name]> | undefined }
    : Described

/** The fields that each described object has, and that the object of a stand-in leaves out. `Read`: the described fields that we read. */
export type LeftOut<Ours, Read> = Exclude<
  { [Name in keyof Read]-?: object extends Pick<Read, Name> ? never : Name }[keyof Read],
  keyof Ours
>

/** The fields that the description lacks, or whose values it does not allow. */
type Wrong<Ours, Described, Hidden> = {
  [Name in keyof Ours]-?: Name extends Hidden
    ? never
    : Name extends keyof Described
      ? Ours[Name] extends Part<Described[Name]> | undefined
        ? never
        : Name
      : Name
}[keyof Ours]

/**
 * The type of a stand-in's object, if the official description allows each field. Otherwise an impossible type that
 * names the wrong fields. `Hidden`: fields that the stand-in keeps for itself.
 */
export type Official<Ours, Described, Hidden extends string = never> = [Wrong<Ours, Described, Hidden>] extends [never]
  ? Ours
  : { readonly wrong: Wrong<Ours, Described, Hidden> }
