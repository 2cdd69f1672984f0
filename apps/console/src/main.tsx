import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app/app.tsx'
import { queryClient } from './app/query-client.ts'
import { watchServer } from './app/server-watch.ts'
import { watchUser } from './app/user-watch.ts'
import { reloadForOtherUser } from './layout/other-user.tsx'
import { applyTheme, savedTheme } from './layout/theme.ts'
import './styles/base.css'
import './styles/shell.css'
import './styles/controls.css'
import './styles/content.css'
import './styles/tables.css'
import './styles/account.css'
import './styles/catalog.css'
import './styles/forms.css'
import './styles/logs.css'
import './styles/traces.css'
import './styles/sessions.css'
import './styles/metrics.css'

applyTheme(savedTheme())
watchUser(queryClient, reloadForOtherUser)
watchServer(queryClient)
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
