import { ActionIcon, Alert, Button, Center, Loader, Text, Title } from '@mantine/core'
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { type Icon, IconMoodEmpty, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { isUnreachable } from '../api/connection'
import { ErrorMessage } from './problems'
import { openPalette } from './spotlight'

/** Whether the screen is as narrow as a phone’s; the style sheet uses the same width. */
export const useIsPhone = () => useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })

type PageProps = {
  title: string
  /** The mark of a record, before its name. */
  mark?: ReactNode
  head?: ReactNode
  /** The line below the name of a record. */
  line?: ReactNode
  actions?: ReactNode
  flush?: boolean
  children: ReactNode
}

/** A page: its title, its actions and its content. The page of a record has a mark and a line below its name. */
export function Page(props: PageProps) {
  useDocumentTitle(`${props.title} · Relata`)
  return (
    <>
      <header className={props.mark ? 'page-head record-head' : 'page-head'}>
        {props.mark ? (
          <>
            {props.mark}
            <div className="grow">
              <div className="record-name">
                <Title order={1} className="cut">
                  {props.title}
                </Title>
                {props.head}
              </div>
              {props.line && <div className="record-line">{props.line}</div>}
            </div>
          </>
        ) : (
          <>
            <Title order={1} className="cut" maw={360}>
              {props.title}
            </Title>
            {props.head}
            <div className="grow" />
          </>
        )}
        <span className="only-small">
          <ActionIcon aria-label="Search and commands" onClick={() => openPalette()}>
            <IconSearch size={20} />
          </ActionIcon>
        </span>
        {props.actions}
      </header>
      <div className="page-body" data-flush={props.flush || undefined}>
        {props.children}
      </div>
    </>
  )
}

type EmptyProps = { title: string; icon?: Icon; children?: ReactNode; action?: ReactNode }

/** An empty state, and what to do about it. */
export function Empty({ title, icon: Glyph = IconMoodEmpty, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Glyph size={20} />
      </span>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="var(--r-ink-2)" maw={420}>
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </div>
  )
}

export type Query<D> = { data: D | undefined; error: Error | null; isPending: boolean; refetch: () => unknown }

/** Shows the content once it is loaded: a spinner after a while, an error with a button to retry. */
export function Loaded<D>({ of, children }: { of: Query<D>; children: (data: D) => ReactNode }) {
  // What was loaded before stays, with the text that was typed in it, while the server can’t be reached.
  if (of.error && !(isUnreachable(of.error) && of.data !== undefined)) {
    return (
      <Alert color="red" variant="outline" title="This could not be loaded" m="md">
        <ErrorMessage error={of.error} />
        <Button mt="sm" variant="default" onClick={() => of.refetch()}>
          Try again
        </Button>
      </Alert>
    )
  }
  return of.isPending || of.data === undefined ? <Waiting /> : children(of.data)
}

export function Waiting() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return <Center h={160}>{late && <Loader size="sm" role="status" aria-label="Loading" />}</Center>
}

type CardProps = { title?: ReactNode; icon?: Icon; actions?: ReactNode; children: ReactNode; flush?: boolean }

export function Card({ icon: Glyph, ...props }: CardProps) {
  return (
    <section className="card">
      {props.title && (
        <div className="card-head">
          {Glyph && <Glyph size={16} />}
          <Title order={2} size="h3" className="grow cut">
            {props.title}
          </Title>
          {props.actions}
        </div>
      )}
      <div className={props.flush ? undefined : 'card-body'}>{props.children}</div>
    </section>
  )
}
