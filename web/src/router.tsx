import { Anchor, Stack, Text } from '@mantine/core'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import { ApiError } from './api/client'
import { queryClient } from './api/query'
import { parseSearch, type Search, stringifySearch } from './searchParams'
import { sessionQuery } from './session'
import { loadCode } from './shell/loadCode'
import { Empty, Page, Waiting } from './shell/Page'
import { ErrorMessage } from './shell/problems'
import { Shell } from './shell/Shell'

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Search & SearchSchemaInput): Search => search,
  notFoundComponent: () => (
    <Stack component="main" align="center" pt={120}>
      <Text fw={600}>Page not found</Text>
      <Anchor href="/">Go to the home page</Anchor>
    </Stack>
  ),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery)
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: { next: location.href } })
      throw error
    }
  },
  errorComponent: ({ error }) => (
    <Page title="Something went wrong">
      <Empty title="This screen could not be shown" action={<Anchor href="/">Go to the home page</Anchor>}>
        <ErrorMessage error={error} />
      </Empty>
    </Page>
  ),
})

/** A screen whose code is loaded when it is opened. */
const code: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadCode(load), name)

const signIn = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: code(() => import('./auth/SignIn'), 'SignIn'),
  }),
  createRoute({ getParentRoute: () => root, path: '/setup', component: code(() => import('./auth/Setup'), 'Setup') }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: code(() => import('./auth/Invitation'), 'Invitation'),
  }),
] as const

const screen = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => app, path, component })

const routeTree = root.addChildren([
  ...signIn,
  app.addChildren([
    screen(
      '/',
      code(() => import('./home/Home'), 'Home'),
    ),
    screen(
      '/oauth/callback',
      code(() => import('./settings/OauthCallback'), 'OauthCallback'),
    ),
    screen(
      '/contacts',
      code(() => import('./contacts/Contacts'), 'Contacts'),
    ),
    screen(
      '/contacts/$id',
      code(() => import('./contacts/ContactPage'), 'ContactPage'),
    ),
    screen(
      '/companies',
      code(() => import('./companies/Companies'), 'Companies'),
    ),
    screen(
      '/companies/$id',
      code(() => import('./companies/CompanyPage'), 'CompanyPage'),
    ),
    screen(
      '/deals',
      code(() => import('./deals/Deals'), 'Deals'),
    ),
    screen(
      '/deals/$id',
      code(() => import('./deals/DealPage'), 'DealPage'),
    ),
    screen(
      '/projects',
      code(() => import('./projects/Projects'), 'Projects'),
    ),
    screen(
      '/projects/$id',
      code(() => import('./projects/ProjectPage'), 'ProjectPage'),
    ),
    screen(
      '/tasks',
      code(() => import('./tasks/Tasks'), 'Tasks'),
    ),
    screen(
      '/inbox',
      code(() => import('./inbox/Inbox'), 'Inbox'),
    ),
    screen(
      '/sequences',
      code(() => import('./sequences/Sequences'), 'Sequences'),
    ),
    screen(
      '/sequences/$id',
      code(() => import('./sequences/SequencePage'), 'SequencePage'),
    ),
    screen(
      '/sourcing',
      code(() => import('./sourcing/Sourcing'), 'Sourcing'),
    ),
    screen(
      '/enrichment',
      code(() => import('./sourcing/Enrichment'), 'Enrichment'),
    ),
    screen(
      '/import',
      code(() => import('./data/ImportPage'), 'ImportPage'),
    ),
    screen(
      '/duplicates',
      code(() => import('./data/Duplicates'), 'Duplicates'),
    ),
    screen(
      '/$',
      code(() => import('./shell/NotFound'), 'NotFound'),
    ),
    screen(
      '/settings',
      code(() => import('./settings/Settings'), 'Settings'),
    ),
    screen(
      '/settings/$section',
      code(() => import('./settings/Settings'), 'Settings'),
    ),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Waiting,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
