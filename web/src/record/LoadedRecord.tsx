import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client'
import { Link } from '../shell/Link'
import { Empty, Loaded, type Query } from '../shell/Page'

type Props<D> = {
  of: Query<D>
  /** What the record is, such as `contact`. */
  one: string
  /** Where the others are. */
  list: '/contacts' | '/companies'
  children: (data: D) => ReactNode
}

/** Shows a record once it is loaded. Another user may erase it while its page is open. */
export function LoadedRecord<D>({ of, one, list, children }: Props<D>) {
  if (of.error instanceof ApiError && of.error.status === 404) {
    return (
      <Empty
        title={of.data === undefined ? `This ${one} does not exist` : `This ${one} was erased`}
        action={
          <Button component={Link} to={list} variant="default">
            {list === '/contacts' ? 'Show all contacts' : 'Show all companies'}
          </Button>
        }
      >
        {of.data === undefined
          ? 'It was erased or deleted, or the address of this page is wrong.'
          : 'Somebody has erased it for good, with all notes, files and messages. It can’t be restored.'}
      </Empty>
    )
  }
  return <Loaded of={of}>{children}</Loaded>
}
