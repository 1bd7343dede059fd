import { Button, Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconFilter } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../api/query'
import type { Event } from '../api/types'
import { plural } from '../fields/format'
import { iconOf } from '../shell/icons'
import { Empty, Loaded } from '../shell/Page'
import { daysOf, type Entry, KINDS } from './days'
import { describeEvent, type NameOf } from './describeEvent'
import { TimelineEvent } from './TimelineEvent'
import classes from './timeline.module.css'

type Props = {
  path: `/contacts/${string}` | `/companies/${string}` | `/deals/${string}` | `/projects/${string}`
  /** Only the events of this linked record, each by itself. */
  of?: { type: string; id: string }
  nameOf?: NameOf
}

/** The events of a record and of its linked records by day, newest first. Small changes are folded. */
export function Timeline({ path, of, nameOf }: Props) {
  const { kinds } = useSearch({ from: '__root__' })
  const kind = of ? undefined : KINDS.find((one) => one.value === kinds)
  const types = of?.type ?? kind?.types
  const events = usePages(`${path}/timeline`, { limit: '50', ...(types ? { types } : {}) })
  return (
    <>
      {!of && <KindFilter current={kind?.value} />}
      <Loaded of={events}>
        {() => {
          const loaded = events.data?.pages.flatMap((page) => page.data) ?? []
          const all = loaded.filter((event) => (!of || event.record.id === of.id) && describeEvent(event, nameOf))
          return (
            <>
              {all.length === 0 && !events.hasNextPage && (
                <Empty
                  title={kind ? `No ${kind.label.toLowerCase()} yet` : 'Nothing has happened yet'}
                  icon={iconOf('timeline')}
                />
              )}
              {daysOf(all, !of && kind?.value !== 'changes').map(({ title, entries }) => (
                <section key={title} aria-label={title} className={classes.day}>
                  <h3 className={classes.date}>{title}</h3>
                  <ol className={classes.list}>
                    {entries.map((entry) => (
                      <One key={entry[0].sequence} entry={entry} nameOf={nameOf} path={path} />
                    ))}
                  </ol>
                </section>
              ))}
              {events.hasNextPage && (
                <Button variant="default" onClick={() => events.fetchNextPage()} loading={events.isFetchingNextPage}>
                  Show older
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

/** Shows only events of one kind; the address keeps the choice. */
function KindFilter({ current }: { current: string | undefined }) {
  const navigate = useNavigate()
  const show = (kinds: string | undefined) =>
    navigate({ to: '.', search: (before) => ({ ...before, kinds }), replace: true })
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconFilter size={14} />} className={classes.filter}>
          {KINDS.find((one) => one.value === current)?.label ?? 'All activity'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => show(undefined)} aria-current={current === undefined || undefined}>
          All activity
        </Menu.Item>
        {KINDS.map(({ value, label, icon }) => {
          const Glyph = iconOf(icon)
          return (
            <Menu.Item
              key={value}
              leftSection={<Glyph size={14} />}
              onClick={() => show(value)}
              aria-current={current === value || undefined}
            >
              {label}
            </Menu.Item>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}

type OneProps = { entry: Entry; nameOf?: NameOf; path: string }

/** An event, or several small ones that are folded until they are opened. */
function One({ entry, ...rest }: OneProps) {
  const [isOpen, setOpen] = useState(false)
  const [first, ...others]: Event[] = entry
  if (others.length === 0) return <TimelineEvent event={first} {...rest} />
  const Arrow = isOpen ? IconChevronDown : IconChevronRight
  return (
    <>
      <li className={classes.item}>
        <span className={classes.icon}>
          <Arrow size={14} />
        </span>
        <UnstyledButton className={classes.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {plural(entry.length, 'small change')}
        </UnstyledButton>
      </li>
      {isOpen && entry.map((event) => <TimelineEvent key={event.sequence} event={event} {...rest} />)}
    </>
  )
}
