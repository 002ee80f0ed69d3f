const set = (codes: string): ReadonlySet<string> => new Set(codes.split(/\s+/))

const countries = set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO
    FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE
    JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW
    PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM
    TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`,
)

/**
 * Codes of the lists that EN 16931 names. Countries, currencies, and tax categories are complete as of 2026. The other
 * lists contain only the codes that we write, so that a new code fails until someone checks and adds it.
 */
export const codes = {
  /** ISO 3166-1 alpha-2, plus Kosovo and Northern Ireland, which the code lists of the standard add. */
  countries: new Set([...countries, '1A', 'XI']),
  /** Greek VAT IDs begin with EL, but the standard also accepts the country code GR. */
  vatIdPrefixes: new Set([...countries, '1A', 'XI', 'EL']),
  /** ISO 4217: currencies. */
  currencies: set(
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE
    CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF
    GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR
    LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN
    PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS
    TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD
    XCD XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG`,
  ),
  /** UNTDID 1001: invoice, credit note. */
  types: set('380 381'),
  /** UNTDID 4461: not defined, card, SEPA direct debit, online payment service. */
  paymentMeans: set('1 54 59 68'),
  /** UNTDID 5305: tax categories. */
  categories: set('S Z E AE K G O L M B'),
  /** CEF VATEX: reasons of a tax exemption. */
  reasons: set('VATEX-EU-AE VATEX-EU-O'),
  /** UNECE recommendation 20: one (piece). */
  units: set('C62'),
}
