import { ApiError } from '../api/client'
import { isRecord, numberOf } from '../values'
import { size } from './format'
import { humanize } from './spec'

/** An error in words, without the names of members and the raw numbers that are for programs. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  if (error.code === 'storage_quota_exceeded') return storageText(error)
  if (error.problems.length === 0) return error.message
  const texts = error.problems.map(({ field, reason }) => {
    const label = labelOf(field)
    return label ? `${label}: ${reason}` : reason
  })
  const [more] = /and \d+ more problems$/.exec(error.message) ?? []
  return [...texts, ...(more ? [more] : [])].join('; ')
}

/** `contacts.0.company_id` as `Company`. */
const labelOf = (field: string) => {
  const name = field.split('.').findLast((part) => !/^\d+$/.test(part)) ?? ''
  return humanize(name.replace(/_ids?$/, ''))
}

function storageText({ details, message }: ApiError): string {
  const { used, limit, required } = isRecord(details) ? details : {}
  const [has, may] = [numberOf(used), numberOf(limit)]
  if (has === null || may === null) return message
  const more = numberOf(required)
  const needs = more === null ? 'more than is left' : `${size(more)} more`
  return `The files of the workspace take ${size(has)} of ${size(may)}, and this needs ${needs}. Delete files, or ask the operator of the server to raise the limit`
}
