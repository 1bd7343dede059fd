import { IconList } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { List } from '../api/lists'
import { useListOf } from '../api/query'
import { Link } from '../shell/Link'
import { Empty, Loaded } from '../shell/Page'

type Props<T> = {
  list: List<T>
  params?: Record<string, string>
  empty: ReactNode
  to: (record: T) => string
  children: (record: T) => ReactNode
}

/** A short list of records that link to their pages. */
export function RowLinks<T extends { id: string }>({ list, params, empty, to, children }: Props<T>) {
  const found = useListOf(list, { limit: '50', ...params })
  return (
    <Loaded of={found}>
      {() =>
        found.data?.data.length ? (
          <div className="card">
            {found.data.data.map((record) => (
              <Link key={record.id} to={to(record)} className="row-link">
                {children(record)}
              </Link>
            ))}
          </div>
        ) : (
          <Empty icon={IconList} title="None">
            {empty}
          </Empty>
        )
      }
    </Loaded>
  )
}
