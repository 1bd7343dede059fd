import { skipToken, useQuery } from '@tanstack/react-query'
import { post } from '../api/client'
import type { BodyOf } from '../api/paths'
import { MESSAGE_VARIABLES } from './variables'

export type ToFill = BodyOf<'/messages/preview', 'post'>

/** A text with the values of a contact. Placeholders without a value stay, and are listed. */
export const fillIn = async (text: ToFill) => (await post('/messages/preview', text)).data

/** A sign that texts don't contain. */
const BETWEEN = '\u2063'

/** The values of all variables for a contact, in the format of the message; those without a value are left out. */
export function useVariableValues(contactId: string, accountId: string | undefined, html: boolean, isWanted: boolean) {
  const asked = useQuery({
    queryKey: ['preview', '/messages/preview', contactId, accountId, html],
    queryFn: isWanted ? () => valuesOf(contactId, accountId, html) : skipToken,
    staleTime: 0,
  })
  return asked.data
}

async function valuesOf(contactId: string, accountId: string | undefined, html: boolean) {
  const placeholders = MESSAGE_VARIABLES.map((name) => `{{ ${name} }}`)
  const { content } = await fillIn({
    contact_id: contactId,
    ...(accountId ? { account_id: accountId } : {}),
    content: [html ? '<br>' : '', ...placeholders].join(BETWEEN),
  })
  const filled = content.split(BETWEEN).slice(1)
  const entries = MESSAGE_VARIABLES.map((name, at) => [name, filled[at] ?? ''] as const)
  return new Map(entries.filter(([, value], at) => value.trim() !== '' && value !== placeholders[at]))
}
