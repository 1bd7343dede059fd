import { Alert, Burger, Button, Center, Loader, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { isUnreachable } from '../api/connection'
import { Words } from './tell'

/** Whether the screen is as narrow as a phone’s; the style sheet uses the same width. */
export const useIsPhone = () => useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false })

export const NavContext = createContext<() => void>(() => {})

/** A page: its title, its actions and its content. */
export function Page(props: {
  title: string
  head?: ReactNode
  actions?: ReactNode
  flush?: boolean
  children: ReactNode
}) {
  useDocumentTitle(`${props.title} · Relata`)
  const openNav = useContext(NavContext)
  return (
    <>
      <header className="page-head">
        <span className="only-small">
          <Burger size="sm" onClick={openNav} aria-label="Open navigation" />
        </span>
        <Title order={1} className="cut" maw={360}>
          {props.title}
        </Title>
        {props.head}
        <div className="grow" />
        {props.actions}
      </header>
      <div className="page-body" data-flush={props.flush || undefined}>
        {props.children}
      </div>
    </>
  )
}

/** An empty state, and what to do about it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={6} py={48} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" maw={420}>
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}

export type Query<D> = { data: D | undefined; error: Error | null; isPending: boolean; refetch: () => unknown }

/** Shows the content once it is loaded: a spinner after a while, an error with a button to retry. */
export function Loaded<D>({ of, children }: { of: Query<D>; children: (data: D) => ReactNode }) {
  // What was loaded before stays, with the text that was typed in it, while the server can’t be reached.
  if (of.error && !(isUnreachable(of.error) && of.data !== undefined)) {
    return (
      <Alert color="red" variant="outline" title="This could not be loaded" m="md">
        <Words error={of.error} />
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

export function Card(props: { title?: ReactNode; actions?: ReactNode; children: ReactNode; flush?: boolean }) {
  return (
    <section className="card">
      {props.title && (
        <div className="card-head">
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
