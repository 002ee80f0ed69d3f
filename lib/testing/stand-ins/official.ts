export type Part<Described> = Described extends readonly (infer Each)[]
  ? readonly Part<Each>[]
  : Described extends object
    ? { readonly [Name in keyof Described]?: Part<Described[Name]> | undefined }
    : Described

/**
 * The required fields of `Read` that are missing in `Ours`, the type of a simulated object. `Read` contains the fields
 * of the official description that the service reads.
 */
export type LeftOut<Ours, Read> = Exclude<
  { [Name in keyof Read]-?: object extends Pick<Read, Name> ? never : Name }[keyof Read],
  keyof Ours
>

/**
 * The wrong fields of `Ours`, the type of a simulated object. A field is wrong if the official description does not
 * have it or does not allow its values.
 */
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
 * The type `Ours` of a simulated object, if the official description allows each of its fields. Otherwise an impossible
 * type that names the wrong fields. `Hidden` names fields that the simulated server stores but does not send.
 */
export type Official<Ours, Described, Hidden extends string = never> = [Wrong<Ours, Described, Hidden>] extends [never]
  ? Ours
  : { readonly wrong: Wrong<Ours, Described, Hidden> }
