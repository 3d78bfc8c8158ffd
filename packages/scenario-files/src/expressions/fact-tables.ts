/** The types that fields of facts have in expressions. */
export type FactType =
  | 'string'
  | 'bool'
  | 'int'
  | 'double'
  | 'duration'
  | 'timestamp'
  | 'list<string>'
  | 'map<string, string>';

export type FactField = { readonly type: FactType; readonly about: string };

export type FactTable = {
  /** The name of the type in messages. */
  readonly type: string;
  readonly about: string;
  readonly fields: Readonly<Record<string, FactField>>;
};

const field = (type: FactType, about: string): FactField => ({ type, about });

const named = field('string', 'its name');
const namespaceField = field('string', 'its namespace');
const labelled = field('map<string, string>', 'its labels; a label that is not there is an empty text');
const aged = field('duration', 'how long it is there');
const created = field('timestamp', 'when it was created');
const deleting = field('bool', 'whether its deletion has begun');

const instanceFields = {
  image: field('string', 'the id of its image'),
  release: field('string', 'the version of its image, `v20260224` or `1.54.0`; empty for an image that is no release'),
  family: field('string', 'the family of its image: `AL2023`, `Bottlerocket`'),
  type: field('string', 'its instance type'),
  zone: field('string', 'its zone'),
  capacityType: field('string', '`spot`, `on-demand` or `reserved`'),
  price: field('double', 'what it costs, in USD per hour'),
} as const;

/** The lists that an expression can read. docs/testing.md has the same tables; a test compares them. */
export const factTables = {
  nodes: {
    type: 'Node',
    about: 'the nodes of the cluster',
    fields: {
      name: named,
      ready: field('bool', 'whether its condition Ready is True'),
      ...instanceFields,
      pool: field('string', 'its NodePool; empty for other nodes'),
      claim: field('string', 'its NodeClaim'),
      group: field('string', 'its managed node group; empty for other nodes'),
      instance: field('string', 'the id of its EC2 instance'),
      pods: field('int', 'how many pods are on it, those of DaemonSets excluded'),
      cpu: field('double', 'its allocatable vCPUs'),
      memory: field('double', 'its allocatable memory, in GiB'),
      cordoned: field('bool', 'whether it is unschedulable'),
      taints: field('list<string>', 'the keys of its taints'),
      deleting,
      kubeletVersion: field('string', '`v1.34.1-eks-…`'),
      labels: labelled,
      annotations: field('map<string, string>', 'its annotations'),
      age: aged,
      created,
    },
  },
  pods: {
    type: 'Pod',
    about: 'the pods of all namespaces, without those of aws-node and kube-proxy',
    fields: {
      name: named,
      namespace: namespaceField,
      ready: field('bool', 'whether its condition Ready is True'),
      phase: field('string', '`Pending`, `Running`, `Succeeded` or `Failed`'),
      node: field('string', 'its node; empty without one'),
      unschedulable: field('bool', 'whether it has no node because none fits'),
      restarts: field('int', 'how often its containers were restarted'),
      owner: field('string', 'what it belongs to, such as `Deployment/web`; empty without an owner'),
      deleting,
      labels: labelled,
      annotations: field('map<string, string>', 'its annotations'),
      age: aged,
      created,
    },
  },
  claims: {
    type: 'Claim',
    about: 'the NodeClaims',
    fields: {
      name: named,
      ...instanceFields,
      pool: field('string', 'its NodePool'),
      node: field('string', 'its node; empty before it has one'),
      launched: field('bool', 'whether its instance is launched'),
      registered: field('bool', 'whether its node has joined'),
      initialized: field('bool', 'whether its node takes pods'),
      drifted: field('bool', 'whether it is drifted'),
      disruption: field('string', 'why it is being disrupted, such as `Drifted`; empty when it is not'),
      deleting,
      labels: labelled,
      age: aged,
      created,
    },
  },
  pools: {
    type: 'Pool',
    about: 'the NodePools',
    fields: {
      name: named,
      ready: field('bool', 'whether its condition Ready is True'),
      nodes: field('int', 'how many nodes it has'),
      price: field('double', 'what its nodes cost, in USD per hour'),
      weight: field('int', 'its weight'),
      labels: labelled,
    },
  },
  services: {
    type: 'Service',
    about: 'the Services with a selector',
    fields: {
      name: named,
      namespace: namespaceField,
      readyEndpoints: field('int', 'how many ready pods it selects'),
      labels: labelled,
    },
  },
  rollouts: {
    type: 'Rollout',
    about: 'the NodeRollouts of NodeRolloutPolicies',
    fields: {
      name: named,
      policy: field('string', 'its NodeRolloutPolicy'),
      release: field('string', 'the release it leads to'),
      state: field('string', '`Progressing`, `Soaking`, `Halted`, `Complete` and so on'),
      wave: field('string', 'the wave under way'),
      halted: field('string', 'why it is halted, such as `FailureBudgetExceeded`; empty when it is not'),
      updated: field('int', 'how many nodes run the new image'),
      failed: field('int', 'how many new nodes failed'),
      age: aged,
      created,
    },
  },
  groups: {
    type: 'Group',
    about: 'the NodeGroups',
    fields: {
      name: named,
      phase: field('string', '`UpToDate`, `Outdated`, `Blocked`, `Updating`, `Failed` or `Pending`'),
      reason: field('string', 'why it is in that phase'),
      nodes: field('int', 'how many nodes it has'),
      updated: field('int', 'how many of them run the wanted image'),
      labels: labelled,
    },
  },
  messages: {
    type: 'Message',
    about: 'what receivers of NodeRolloutPolicies are told',
    fields: {
      event: field('string', 'such as `PinStale` or `RolloutHalted`'),
      about: field('string', 'the NodeRollout or NodeRolloutPolicy that it is about'),
      text: field('string', 'what happened, in words'),
      at: field('timestamp', 'when it was noted'),
    },
  },
  events: {
    type: 'Event',
    about: 'the Events that are there',
    fields: {
      reason: field('string', 'such as `Unconsolidatable`'),
      message: field('string', 'its text'),
      kind: field('string', 'the kind of the object that it is about'),
      name: field('string', 'the name of that object'),
      namespace: field('string', 'the namespace of that object'),
      type: field('string', '`Normal` or `Warning`'),
      at: field('timestamp', 'when it was first written'),
    },
  },
  evictions: {
    type: 'PodEviction',
    about: 'the pods that were evicted since the start',
    fields: {
      pod: field('string', 'the name of the pod'),
      namespace: field('string', 'its namespace'),
      node: field('string', 'the node that it was evicted from'),
      labels: labelled,
      at: field('timestamp', 'when it was evicted'),
    },
  },
  instances: {
    type: 'Instance',
    about: 'all EC2 instances that were launched since the start, those that have ended included',
    fields: {
      id: field('string', 'its id'),
      ...instanceFields,
      running: field('bool', 'whether it is pending or running'),
      launched: field('timestamp', 'when it was launched'),
    },
  },
} as const satisfies Readonly<Record<string, FactTable>>;

export type FactList = keyof typeof factTables;

export const factLists = Object.keys(factTables) as readonly FactList[];

/** What an expression can read beside the lists. */
export const factValues = {
  now: { type: 'timestamp', about: 'the time of the cluster' },
  price: { type: 'double', about: 'what all nodes cost together, in USD per hour' },
} as const satisfies Readonly<Record<string, FactField>>;

export type FactName = FactList | keyof typeof factValues;
