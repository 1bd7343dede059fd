import { useList } from '../api/query'
import type { ConnectedAccount, Message } from '../api/types'
import { useSession } from '../session'

/** The connected accounts of a channel, and the one that sends unless another is chosen. */
export function useAccounts(channel: Message['channel'], isWanted = true) {
  const { user } = useSession()
  const answer = useList(isWanted ? '/connected-accounts' : null, { sort: 'created_at' }).data
  const accounts = answer?.data ?? []
  const isOwn = (one: ConnectedAccount) => one.owner_id === user.user_id
  // Only its owner sends with a private account.
  const usable = accounts.filter(
    (one) =>
      one.status !== 'disconnected' && one.provider === channel && (one.visibility === 'workspace' || isOwn(one)),
  )
  // The server takes the user's own account too, otherwise the oldest.
  const standard: ConnectedAccount | undefined = usable.find(isOwn) ?? usable[0]
  return { usable, standard, isKnown: answer !== undefined }
}
