/** Types of the package `tr46`. UTS #46, section 4, defines the options. */
declare module 'tr46' {
  interface Options {
    transitionalProcessing?: boolean
    checkBidi?: boolean
    checkHyphens?: boolean
    checkJoiners?: boolean
    useSTD3ASCIIRules?: boolean
    verifyDNSLength?: boolean
  }
  /** Returns null for an invalid domain. */
  export function toASCII(domain: string, options?: Options): string | null
  export function toUnicode(domain: string): { domain: string; error: boolean }
}
