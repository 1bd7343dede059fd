import { queryString } from './api/client'

/** The parameters of addresses: those of screens are single, filters of lists may occur several times. */
export type Search = { [Name in (typeof SINGLE)[number]]?: string } & Record<string, string | string[] | undefined>

const SINGLE = [
  'assigned_to',
  'channel',
  'closed',
  'columns',
  'draft',
  'entry',
  'group',
  'ids',
  'kinds',
  'layout',
  'list',
  'new',
  'next',
  'of',
  'open',
  'project_id',
  'queue',
  'sort',
  'view',
] as const

const isSingle = (name: string) => SINGLE.some((one) => one === name)

/** The address contains plain text: filters are in it as the API accepts them. */
export function parseSearch(text: string): Search {
  const found: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    found[name] = name in found && !isSingle(name) ? [found[name], value].flat() : value
  }
  return found
}

export function stringifySearch(search: Search): string {
  const text = queryString(search)
  return text ? `?${text}` : ''
}
