import { useGet } from '../api/query'
import { useCan } from '../session'

/** The number of open conversations with unread messages. */
export const useUnread = () =>
  useGet(
    useCan('messages:read') ? '/conversations' : null,
    { unread_count: 'gt.0', status: 'open', snoozed_until: 'is.null', limit: '1' },
    { refetchInterval: 60_000 },
  ).data?.meta.total
