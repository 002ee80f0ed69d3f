import { formatMoney, type Money, sum } from '../../../kernel/money.ts'
import { element, text, xmlOf } from '../../../kernel/xml.ts'
import type { AccountDetails } from './account.ts'

/** Euro payments from one account. All texts consist of letters that every bank accepts. */
export interface CreditTransfers {
  /** `messageId` has at most 35 characters. A bank refuses a file whose id it received before. */
  readonly messageId: string
  readonly createdAt: Date
  readonly from: AccountDetails
  readonly payments: readonly CreditTransfer[]
}

export interface CreditTransfer {
  /** `endToEndId` has at most 35 characters. The payee's bank shows this id with the payment. */
  readonly endToEndId: string
  readonly amount: Money
  readonly to: AccountDetails
  readonly text: string
}

/**
 * Returns a Customer Credit Transfer Initiation V09 (ISO 20022, pain.001.001.09), with the elements that SEPA Credit Transfer requires (EPC132-08). Throws for
 * an amount that is not in EUR.
 */
export function creditTransfersXml({ messageId, createdAt, from, payments }: CreditTransfers): string {
  if (payments.some(({ amount: { currency } }) => currency !== 'EUR'))
    throw new Error('a SEPA bank file can contain only payments in euros')
  const sums = [
    text('NbOfTxs', String(payments.length)),
    text('CtrlSum', formatMoney({ minor: sum(payments.map(({ amount }) => amount.minor)), currency: 'EUR' })),
  ]
  const moment = createdAt.toISOString().slice(0, 19)
  const tree = element('Document', { xmlns: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09' }, [
    element('CstmrCdtTrfInitn', {}, [
      element('GrpHdr', {}, [
        text('MsgId', messageId),
        text('CreDtTm', `${moment}Z`),
        ...sums,
        element('InitgPty', {}, [text('Nm', from.holder)]),
      ]),
      element('PmtInf', {}, [
        text('PmtInfId', messageId),
        text('PmtMtd', 'TRF'),
        ...sums,
        element('PmtTpInf', {}, [element('SvcLvl', {}, [text('Cd', 'SEPA')])]),
        element('ReqdExctnDt', {}, [text('Dt', moment.slice(0, 10))]),
        element('Dbtr', {}, [text('Nm', from.holder)]),
        account('DbtrAcct', from),
        agent('DbtrAgt', from) ?? unnamedAgent('DbtrAgt'),
        text('ChrgBr', 'SLEV'),
        ...payments.map(transfer),
      ]),
    ]),
  ])
  return xmlOf(tree)
}

const transfer = ({ endToEndId, amount, to, text: words }: CreditTransfer) =>
  element('CdtTrfTxInf', {}, [
    element('PmtId', {}, [text('EndToEndId', endToEndId)]),
    element('Amt', {}, [text('InstdAmt', formatMoney(amount), { Ccy: amount.currency })]),
    agent('CdtrAgt', to),
    element('Cdtr', {}, [text('Nm', to.holder)]),
    account('CdtrAcct', to),
    element('RmtInf', {}, [text('Ustrd', words)]),
  ])

const account = (name: string, { iban }: AccountDetails) => element(name, {}, [element('Id', {}, [text('IBAN', iban)])])

const agent = (name: string, { bic }: AccountDetails) =>
  bic && element(name, {}, [element('FinInstnId', {}, [text('BICFI', bic)])])

/** The schema requires the payer's bank. If the BIC is unknown, the id `NOTPROVIDED` stands for the bank. */
const unnamedAgent = (name: string) =>
  element(name, {}, [element('FinInstnId', {}, [element('Othr', {}, [text('Id', 'NOTPROVIDED')])])])
