import { Button, Drawer, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { loadCode } from '../shell/loadCode'
import { useIsPhone } from '../shell/Page'
import type { FilterPanel, FilterProps } from './FilterPanel'
import classes from './filters.module.css'
import { SortSelect } from './SortBy'

/** The button that opens the editor of conditions. On a phone it is a sheet at the bottom, together with the sort. */
export function Filters(props: FilterProps) {
  const [opened, { close, toggle }] = useDisclosure(false)
  // Opened once its code is there, so that the focus can go into it.
  const [Panel, setPanel] = useState<typeof FilterPanel>()
  const show = async () => {
    const { FilterPanel } = await loadCode(() => import('./FilterPanel'))
    setPanel(() => FilterPanel)
    toggle()
  }
  const isPhone = useIsPhone()
  const button = (
    <Button variant="default" leftSection={<IconFilter size={14} />} onClick={show}>
      {isPhone ? 'Filter and sort' : 'Filter'}
    </Button>
  )
  if (isPhone)
    return (
      <>
        {button}
        <Drawer
          opened={opened}
          onClose={close}
          position="bottom"
          size="auto"
          className={classes.sheet}
          title="Filter and sort"
          closeButtonProps={{ 'aria-label': 'Close' }}
        >
          {opened && Panel && (
            <Panel {...props} onDone={close}>
              <SortSelect state={props.state} fields={props.fields} />
            </Panel>
          )}
        </Drawer>
      </>
    )
  return (
    <Popover
      opened={opened}
      onDismiss={close}
      position="bottom-start"
      width="min(640px, 96vw)"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-label="Filters">{opened && Panel && <Panel {...props} />}</Popover.Dropdown>
    </Popover>
  )
}
