import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'

import { Root } from '../layout/root.tsx'
import { NotFound } from '../layout/not-found.tsx'
import { CrashedPage } from '../layout/crashed-page.tsx'
import { DeploymentLayout } from '../pages/deployment/deployment-layout.tsx'
import { DeploymentPage } from '../pages/deployment/deployment-page.tsx'
import { DeploymentsPage } from '../pages/deployments/deployments-page.tsx'
import { HomePage } from '../pages/home-page.tsx'
import { readPage } from '../ui/page-not-loaded.ts'
import {
  catalogSearch,
  compareSearch,
  deploymentsSearch,
  deploySearch,
  logsSearch,
  metricsSearch,
  sessionSearch,
  sessionsSearch,
  traceSearch,
} from '../address/search.ts'

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound })

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: HomePage,
})

const deploymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account/deployments',
  validateSearch: deploymentsSearch,
  component: DeploymentsPage,
})

const deploymentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account/deployments/$name',
  component: DeploymentLayout,
})

const overviewRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/',
  component: DeploymentPage,
})

const logsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/logs',
  validateSearch: logsSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/logs/logs-page.tsx')),
    'LogsPage',
  ),
})

const tracesRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/traces',
  validateSearch: traceSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/traces/traces-page.tsx')),
    'TracesPage',
  ),
})

const traceRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/traces/$traceId',
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/traces/trace-page.tsx')),
    'TracePage',
  ),
})

const sessionsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/sessions',
  validateSearch: sessionsSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/sessions/sessions-page.tsx')),
    'SessionsPage',
  ),
})

const sessionRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/sessions/turns',
  validateSearch: sessionSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/sessions/session-page.tsx')),
    'SessionPage',
  ),
})

const metricsRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/metrics',
  validateSearch: metricsSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/metrics/metrics-page.tsx')),
    'MetricsPage',
  ),
})

const compareRoute = createRoute({
  getParentRoute: () => deploymentRoute,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/compare/compare-page.tsx')),
    'ComparePage',
  ),
})

const catalogRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/catalog',
  validateSearch: catalogSearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/catalog/catalog-page.tsx')),
    'CatalogPage',
  ),
})

const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/catalog/$account/$name',
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/catalog/agent-page.tsx')),
    'AgentPage',
  ),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account',
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/account/account-page.tsx')),
    'AccountPage',
  ),
})

const deployRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accounts/$account/deploy/$source/$name',
  validateSearch: deploySearch,
  component: lazyRouteComponent(
    readPage(async () => await import('../pages/deploy/deploy-page.tsx')),
    'DeployPage',
  ),
})

/** All pages by their addresses. */
export const router = createRouter({
  routeTree: rootRoute.addChildren([
    homeRoute,
    deploymentsRoute,
    deploymentRoute.addChildren([
      overviewRoute,
      logsRoute,
      tracesRoute,
      traceRoute,
      sessionsRoute,
      sessionRoute,
      metricsRoute,
      compareRoute,
    ]),
    catalogRoute,
    agentRoute,
    accountRoute,
    deployRoute,
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: CrashedPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
