import './mantine.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './fonts.css'
import './tokens.css'
import './app.css'
import './parts.css'
import './controls.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query'
import { Reauthenticate } from './auth/Reauthenticate'
import { router } from './router'
import { QuestionDialog } from './shell/QuestionDialog'
import { theme, variables } from './theme'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root.')

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-left" autoClose={5000} limit={3} />
          <RouterProvider router={router} />
          <Reauthenticate />
          <QuestionDialog />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
