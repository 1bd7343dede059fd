import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { useSession } from '../session'
import { Empty, Page, Waiting } from '../shell/Page'
import classes from './settings.module.css'

type Section = { key: string; label: string; group: string; manage?: boolean; screen: ComponentType }

const part = <K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) =>
  lazy(async () => ({ default: (await load())[name] }))

const SECTIONS: Section[] = [
  { key: 'profile', label: 'Profile and sessions', group: 'You', screen: part(() => import('./Profile'), 'Profile') },
  { key: 'api', label: 'API keys', group: 'API', screen: part(() => import('./ApiKeys'), 'ApiKeys') },
  { key: 'requests', label: 'Request log', group: 'API', screen: part(() => import('./Requests'), 'Requests') },
  {
    key: 'workspace',
    label: 'Workspace',
    group: 'Workspace',
    manage: true,
    screen: part(() => import('./Workspace'), 'Workspace'),
  },
  {
    key: 'members',
    label: 'Members',
    group: 'Workspace',
    manage: true,
    screen: part(() => import('./Members'), 'Members'),
  },
  {
    key: 'plan',
    label: 'Plan and credits',
    group: 'Workspace',
    manage: true,
    screen: part(() => import('./Plan'), 'Plan'),
  },
  {
    key: 'fields',
    label: 'Custom fields',
    group: 'Data',
    manage: true,
    screen: part(() => import('./Fields'), 'Fields'),
  },
  {
    key: 'pipelines',
    label: 'Pipelines',
    group: 'Data',
    manage: true,
    screen: part(() => import('./Pipelines'), 'Pipelines'),
  },
  {
    key: 'templates',
    label: 'Project templates',
    group: 'Data',
    manage: true,
    screen: part(() => import('./Templates'), 'Templates'),
  },
  { key: 'reasons', label: 'Reasons', group: 'Data', manage: true, screen: part(() => import('./Reasons'), 'Reasons') },
  { key: 'tags', label: 'Tags', group: 'Data', screen: part(() => import('./Tags'), 'Tags') },
  {
    key: 'erased',
    label: 'Erased addresses',
    group: 'Data',
    manage: true,
    screen: part(() => import('./ErasedAddresses'), 'ErasedAddresses'),
  },
  {
    key: 'accounts',
    label: 'Connected accounts',
    group: 'Outreach',
    screen: part(() => import('./Accounts'), 'Accounts'),
  },
  { key: 'sending', label: 'Sending', group: 'Outreach', screen: part(() => import('./Sending'), 'Sending') },
  {
    key: 'system',
    label: 'System',
    group: 'Workspace',
    manage: true,
    screen: part(() => import('./System'), 'System'),
  },
]

export function Settings() {
  const { section = 'api' } = useParams({ strict: false })
  const session = useSession()
  const mine = SECTIONS.filter((one) => !one.manage || session.role !== 'member')
  const current = mine.find((one) => one.key === section)
  const groups = [...new Set(mine.map((one) => one.group))]
  return (
    <Page title={current ? current.label : 'Settings'} flush>
      <div className={classes.split}>
        <nav className={classes.nav} aria-label="Settings">
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
            {current ? (
              <Suspense fallback={<Waiting />}>
                <current.screen />
              </Suspense>
            ) : (
              <Empty title="No access">
                Your role does not have these settings. Ask an owner or an admin of the workspace.
              </Empty>
            )}
          </div>
        </div>
      </div>
    </Page>
  )
}
