import { buildRouteMap } from '@stricli/core'

import { accountCreate } from '../commands/account-create/command.ts'
import { accountDelete } from '../commands/account-delete/command.ts'
import { accountList } from '../commands/account-list/command.ts'
import { accountRename } from '../commands/account-rename/command.ts'
import { accountSwitch } from '../commands/account-switch/command.ts'
import { agentsDeleteBuild } from '../commands/agents-delete-build/command.ts'
import { agentsDelete } from '../commands/agents-delete/command.ts'
import { agentsList } from '../commands/agents-list/command.ts'
import { agentsShow } from '../commands/agents-show/command.ts'
import { api } from '../commands/api/command.ts'
import { authStatus } from '../commands/auth-status/command.ts'
import { build } from '../commands/build/command.ts'
import { completion } from '../commands/completion/command.ts'
import { contextAdd } from '../commands/context-add/command.ts'
import { contextList } from '../commands/context-list/command.ts'
import { contextRemove } from '../commands/context-remove/command.ts'
import { contextUse } from '../commands/context-use/command.ts'
import { deploy } from '../commands/deploy/command.ts'
import { diff } from '../commands/diff/command.ts'
import { doctor } from '../commands/doctor/command.ts'
import { events } from '../commands/events/command.ts'
import { history } from '../commands/history/command.ts'
import { init } from '../commands/init/command.ts'
import { login } from '../commands/login/command.ts'
import { logout } from '../commands/logout/command.ts'
import { logs } from '../commands/logs/command.ts'
import { membersAdd } from '../commands/members-add/command.ts'
import { membersConfirm } from '../commands/members-confirm/command.ts'
import { membersList } from '../commands/members-list/command.ts'
import { membersRemove } from '../commands/members-remove/command.ts'
import { membersRole } from '../commands/members-role/command.ts'
import { metrics } from '../commands/metrics/command.ts'
import { open } from '../commands/open/command.ts'
import { publish } from '../commands/publish/command.ts'
import { push } from '../commands/push/command.ts'
import { restart } from '../commands/restart/command.ts'
import { rollback } from '../commands/rollback/command.ts'
import { sessionsList } from '../commands/sessions-list/command.ts'
import { sessionsShow } from '../commands/sessions-show/command.ts'
import { status } from '../commands/status/command.ts'
import { tokensCreate } from '../commands/tokens-create/command.ts'
import { tokensList } from '../commands/tokens-list/command.ts'
import { tokensRevoke } from '../commands/tokens-revoke/command.ts'
import { tracesExport } from '../commands/traces-export/command.ts'
import { tracesList } from '../commands/traces-list/command.ts'
import { tracesShow } from '../commands/traces-show/command.ts'
import { trigger } from '../commands/trigger/command.ts'
import { undeploy } from '../commands/undeploy/command.ts'
import { unyank } from '../commands/unyank/command.ts'
import { usage } from '../commands/usage/command.ts'
import { validate } from '../commands/validate/command.ts'
import { whoami } from '../commands/whoami/command.ts'
import { yank } from '../commands/yank/command.ts'

const auth = buildRouteMap({
  docs: { brief: 'See how you are signed in' },
  routes: { status: authStatus },
})

const context = buildRouteMap({
  docs: { brief: 'Choose the server' },
  routes: { list: contextList, use: contextUse, add: contextAdd, remove: contextRemove },
})

const account = buildRouteMap({
  docs: { brief: 'Choose and manage accounts' },
  routes: {
    list: accountList,
    switch: accountSwitch,
    create: accountCreate,
    rename: accountRename,
    delete: accountDelete,
  },
})

const agents = buildRouteMap({
  docs: { brief: 'Find, show and delete agents' },
  routes: {
    list: agentsList,
    show: agentsShow,
    delete: agentsDelete,
    deleteBuild: agentsDeleteBuild,
  },
  defaultCommand: 'list',
})

const members = buildRouteMap({
  docs: { brief: 'Manage the members of an account' },
  routes: {
    list: membersList,
    add: membersAdd,
    role: membersRole,
    remove: membersRemove,
    confirm: membersConfirm,
  },
  defaultCommand: 'list',
})

const tokens = buildRouteMap({
  docs: { brief: 'Manage machine tokens, for example for CI' },
  routes: { list: tokensList, create: tokensCreate, revoke: tokensRevoke },
  defaultCommand: 'list',
})

const sessions = buildRouteMap({
  docs: { brief: 'List and show the conversations with an agent' },
  routes: { list: sessionsList, show: sessionsShow },
  defaultCommand: 'list',
})

const traces = buildRouteMap({
  docs: { brief: 'List, show and export the runs of an agent' },
  routes: { list: tracesList, show: tracesShow, export: tracesExport },
  defaultCommand: 'list',
})

/** All commands by their names. */
export const routes = buildRouteMap({
  docs: {
    brief: 'Publish, deploy and watch AI agents',
    fullDescription:
      'Publish, deploy and watch AI agents on a Slipway server.\n' +
      'Start with `slipway login URL`, then `slipway init`.',
  },
  routes: {
    login,
    logout,
    whoami,
    auth,
    context,

    init,
    validate,
    build,
    push,
    publish,
    yank,
    unyank,
    agents,

    deploy,
    history,
    diff,
    rollback,
    restart,
    trigger,
    undeploy,

    status,
    logs,
    events,
    metrics,
    traces,
    sessions,

    account,
    members,
    tokens,
    usage,

    open,
    doctor,
    api,
    completion,
  },
})
