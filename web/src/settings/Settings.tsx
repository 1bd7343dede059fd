import { IconLock } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { useSession } from '../session'
import { loadCode } from '../shell/loadCode'
import { Empty, Page, Waiting } from '../shell/Page'
import { type SectionKey, sectionsFor } from './sections'
import classes from './settings.module.css'

const part = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazy(async () => ({ default: (await loadCode(load))[name] }))

const SCREENS: Record<SectionKey, ComponentType> = {
  profile: part(() => import('./Profile'), 'Profile'),
  api: part(() => import('./ApiKeys'), 'ApiKeys'),
  requests: part(() => import('./Requests'), 'Requests'),
  workspace: part(() => import('./Workspace'), 'Workspace'),
  members: part(() => import('./Members'), 'Members'),
  plan: part(() => import('./Plan'), 'Plan'),
  fields: part(() => import('./Fields'), 'Fields'),
  pipelines: part(() => import('./Pipelines'), 'Pipelines'),
  templates: part(() => import('./Templates'), 'Templates'),
  reasons: part(() => import('./Reasons'), 'Reasons'),
  tags: part(() => import('./Tags'), 'Tags'),
  erased: part(() => import('./ErasedAddresses'), 'ErasedAddresses'),
  accounts: part(() => import('./Accounts'), 'Accounts'),
  messages: part(() => import('./MessageTemplates'), 'MessageTemplates'),
  sending: part(() => import('./Sending'), 'Sending'),
  system: part(() => import('./System'), 'System'),
}

export function Settings() {
  const { section = 'api' } = useParams({ strict: false })
  const session = useSession()
  const nav = useRef<HTMLElement>(null)
  // On a phone the sections are one line that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every section
  useEffect(() => {
    nav.current?.querySelector('[data-status=active]')?.scrollIntoView({ inline: 'center', block: 'nearest' })
  }, [section])
  const mine = sectionsFor(session.role)
  const current = mine.find((one) => one.key === section)
  const Screen = current && SCREENS[current.key]
  const groups = [...new Set(mine.map((one) => one.group))]
  return (
    <Page title={current ? current.label : 'Settings'} flush>
      <div className={classes.split}>
        <nav ref={nav} className={classes.nav} aria-label="Settings">
          {groups.map((group) => (
            <div key={group} className={classes.group}>
              <div className="nav-title">{group}</div>
              {mine
                .filter((one) => one.group === group)
                .map((one) => (
                  <Link
                    key={one.key}
                    to="/settings/$section"
                    params={{ section: one.key }}
                    className="nav-link"
                    data-status={one.key === section ? 'active' : undefined}
                    activeOptions={{ includeSearch: false }}
                  >
                    {one.label}
                  </Link>
                ))}
            </div>
          ))}
        </nav>
        <div className={classes.body}>
          <div className="narrow">
            {Screen ? (
              <Suspense fallback={<Waiting />}>
                <Screen />
              </Suspense>
            ) : (
              <Empty icon={IconLock} title="No access">
                Your role does not have these settings. Ask an owner or an admin of the workspace.
              </Empty>
            )}
          </div>
        </div>
      </div>
    </Page>
  )
}
