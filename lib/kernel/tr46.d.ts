/** tr46 ships no types. The option names are those of UTS #46, section 4. */
declare module 'tr46' {
  interface Options {
    transitionalProcessing?: boolean
    checkBidi?: boolean
    checkHyphens?: boolean
    checkJoiners?: boolean
    useSTD3ASCIIRules?: boolean
    verifyDNSLength?: boolean
  }
  /** Null if the domain is invalid. */
  export function toASCII(domain: string, options?: Options): string | null
  export function toUnicode(domain: string): { domain: string; error: boolean }
}
