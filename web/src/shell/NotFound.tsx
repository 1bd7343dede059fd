import { Anchor } from '@mantine/core'
import { IconError404 } from '@tabler/icons-react'
import { Link } from './Link'
import { Empty, Page } from './Page'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
        icon={IconError404}
        title="There is no page at this address"
        action={
          <Anchor component={Link} to="/">
            Go to Today
          </Anchor>
        }
      >
        The link may be mistyped, or the record was erased.
      </Empty>
    </Page>
  )
}
