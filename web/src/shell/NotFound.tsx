import { Anchor } from '@mantine/core'
import { Link } from './Link'
import { Empty, Page } from './Page'

export function NotFound() {
  return (
    <Page title="Page not found">
      <Empty
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
