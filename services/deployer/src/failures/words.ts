/** What happened, in words, and what Kubernetes or a part of it calls it. */
export interface Words {
  readonly message: string
  /** Empty if the message says the same. */
  readonly original: string
}

const MAX_ORIGINAL = 500

/** Words for a message: those of the first row whose pattern matches, else the message itself. */
export function inWords(message: string, rows: readonly Row[]): Words {
  const text = message.trim()
  for (const [pattern, words] of rows) {
    const match = pattern.exec(text)
    if (match === null) continue
    // A name that the message quotes is inserted as it is.
    const parts = match.slice(1).filter(Boolean)
    const said = words.replaceAll('{}', () => parts.shift() ?? '')
    return { message: said, original: text.slice(0, MAX_ORIGINAL) }
  }
  return { message: text.slice(0, MAX_ORIGINAL), original: '' }
}

/** A pattern and its words; each `{}` stands for the next group that matched. */
export type Row = readonly [RegExp, string]

/** Messages of containerd, runc and the kubelet about a container that can't start. */
const START_ROWS: readonly Row[] = [
  [/exec: "([^"]+)": executable file not found/, 'the image has no program {}'],
  [/exec: "([^"]+)": (?:stat [^:]+: )?no such file/, 'the image has no program {}'],
  [/exec: "([^"]+)": permission denied/, 'the user of the container may not execute {}'],
  [
    /exec (\S+): no such file or directory/,
    'the image lacks the program {}, or the interpreter that its first line names',
  ],
  [/exec (\S+): permission denied/, 'the user of the container may not execute {}'],
  [
    /exec format error/,
    'the program is made for another processor architecture than that of the node, or is a ' +
      'script whose first line names no interpreter',
  ],
  [
    /no command specified|no command or entrypoint/i,
    'the image defines no command to run (CMD or ENTRYPOINT)',
  ],
  [
    /container init was OOM-killed|memory limit too low|minimum memory/i,
    'the memory limit is too low to start the container',
  ],
  [
    /chdir to cwd \("([^"]+)"\)/,
    'the user of the container may not enter {}, the working directory of the image',
  ],
  [/secret "([^"]+)" not found/, 'the Secret {} is missing'],
  [/configmap "([^"]+)" not found/, 'the config map {} is missing'],
  [/couldn't find key (\S+) in/, 'the value of {} is missing'],
  [/no space left on device/, 'the node has no space left'],
  [/context deadline exceeded|DeadlineExceeded/, 'the node did not start the container in time'],
]

/** Words for the message of a container that can't start. */
export function startWords(message: string): Words {
  return inWords(message, START_ROWS)
}

/** The scheduler's words about a volume that is still being created. That isn't a failure. */
const AWAITS_VOLUME =
  /unbound immediate PersistentVolumeClaims|persistentvolumeclaim "[^"]+" not found/

/** Whether the scheduler's message only says that a volume doesn't exist yet. */
export function awaitsVolume(message: string): boolean {
  return AWAITS_VOLUME.test(message)
}

const SCHEDULING_ROWS: readonly Row[] = [
  [AWAITS_VOLUME, 'the pod waits for its volume, which the cluster has not created yet'],
  [/volume node affinity conflict/, 'no node that has room can reach the volume of the pod'],
  [/Too many pods/, 'every node already runs as many pods as it may'],
  [/untolerated taint/, 'the operator has reserved all nodes for other pods'],
  [/node affinity|node selector/, 'no node has the labels that the pod needs'],
]

/** Words for the scheduler's message about a pod that fits on no node. */
export function schedulingWords(message: string): Words {
  const lacking = [...message.matchAll(/Insufficient ([\w/-]+(?:\.[\w/-]+)*)/g)].map(
    ([, name]) => name,
  )
  if (lacking.length === 0) return inWords(message, SCHEDULING_ROWS)
  const names = [...new Set(lacking)].sort(byName).join(' and ')
  return { message: `no node has enough free ${names}`, original: message.slice(0, MAX_ORIGINAL) }
}

/** Messages of the API server about a pod that it doesn't create. */
const CREATION_ROWS: readonly Row[] = [
  [
    /exceeded quota: [^,]+, requested: ([^,]+)/,
    'the quota of the namespace has no room for another pod ({})',
  ],
  [/violates PodSecurity/, 'the security rules of the cluster reject the pod'],
  [/admission webhook "([^"]+)" denied/, 'the admission webhook {} of the cluster rejects the pod'],
  [/ValidatingAdmissionPolicy '([^']+)'/, 'the admission policy {} of the cluster rejects the pod'],
  [/(?:minimum|maximum) (\S+) usage per/, 'the limits of the namespace on {} reject the pod'],
]

/** Words for the API server's message about a pod that it doesn't create. */
export function creationWords(message: string): Words {
  return inWords(message, CREATION_ROWS)
}

/** Messages of the kubelet and of controllers about pods and their volumes. */
const OTHER_ROWS: readonly Row[] = [
  [
    /(?:total limit of containers|ephemeral storage limit|exceeds the limit) "?([\d.]+\w*)/i,
    'the pod wrote more than {}, its limit, to the space of its node, as in /tmp, and was removed',
  ],
  [
    /ephemeral (?:local )?storage usage exceeds/i,
    'the pod wrote more to the space of its node than it may',
  ],
  [
    /low on resource: ([\w-]+).* was using (\d+\w*)/,
    'the node ran out of {} and removed the pod, which used {}',
  ],
  [/low on resource: ([\w-]+)/, 'the node ran out of {} and removed the pod'],
  [/has timed out progressing/, 'the pods did not become ready in time'],
]

/** Words for other messages about pods and their volumes. */
export function otherWords(message: string): Words {
  return inWords(message, OTHER_ROWS)
}

function byName(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b)
}
