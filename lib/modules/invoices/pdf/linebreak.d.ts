declare module 'linebreak' {
  /** Where a line may end (Unicode line breaking, UAX 14): offsets in UTF-16 units. */
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required: boolean } | null
  }
}
